"""Big-endian files: what gguf's own converter makes of a little-endian one decodes to the same bits."""

from __future__ import annotations

import argparse
from pathlib import Path

import gguf
import numpy as np
import pytest
from gguf import GGMLQuantizationType
from gguf.scripts import gguf_convert_endian

from tokenloupe.tensors.files import open_tensors

#: The types that the converter knows, and plain numbers.
TYPES = ("F32", "F16", "BF16", "Q4_0", "Q8_0", "Q4_K", "Q6_K", "MXFP4", "NVFP4")


def test_converted_blocks_decode_to_the_same_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    little, big = tmp_path / "little.gguf", tmp_path / "big.gguf"
    for path in (little, big):
        writer = gguf.GGUFWriter(str(path), "x")
        writer.add_uint32("number", 0x01020304)
        for name in TYPES:
            kind = GGMLQuantizationType[name]
            weights, size = gguf.GGML_QUANT_SIZES[kind]
            blocks = rng.integers(0, 256, (2, 256 // weights * size), dtype=np.uint8)
            writer.add_tensor(name, blocks, raw_dtype=kind)
        rng = np.random.default_rng(6)  # the same numbers again
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    monkeypatch.setattr("builtins.input", lambda *_: "YES")
    reader = gguf.GGUFReader(str(big), "r+")
    gguf_convert_endian.convert_byteorder(reader, argparse.Namespace(order="big", dry_run=False, verbose=False))
    del reader
    ours, turned = open_tensors(little), open_tensors(big)
    assert turned.byte_order == "big" and turned.meta("number") == ours.meta("number")
    for one, other in zip(ours.tensors, turned.tensors, strict=True):
        assert other.problem is None and other.big_endian
        assert ours.values(one).tobytes() == turned.values(other).tobytes(), one.name
