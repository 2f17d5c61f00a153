"""The public GGUF fault cases, real tensors, and the long runs over damaged files.

Every case of the areas gguf and quant of cases.jsonl is tested: those of area quant need no file and are in
tests/tensors/test_blocks.py; gguf-no-pre is about the tokenizer and is tested with the vocabularies.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from gguf import GGMLQuantizationType, quants

from tests.conformance.conftest import json_lines
from tests.tensors import mutate
from tokenloupe.cli import main
from tokenloupe.core.errors import InputError
from tokenloupe.tensors import blocks
from tokenloupe.tensors.files import TensorFile, open_tensor_bytes, open_tensors

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}


@pytest.fixture
def case(shared: Path) -> Callable[[str], TensorFile]:
    return lambda name: open_tensors(shared / "cases" / "files" / name)


def problems(file: TensorFile) -> list[str]:
    return [t.problem or "" for t in file.tensors]


def test_every_case_of_these_areas_is_known_here(shared: Path) -> None:
    rows = list(json_lines(shared / "cases" / "cases.jsonl"))
    own = Path(__file__).read_text("utf-8") + (ROOT / "tests" / "tensors" / "test_blocks.py").read_text("utf-8")
    for row in rows:
        if row["area"] in ("gguf", "quant"):
            assert row["id"].removesuffix("-codebook").removesuffix("-half-rounding") in own or row["id"] in own, row[
                "id"
            ]


@pytest.mark.parametrize("size", [0, 3, 4, 8, 20, 24, 40])
def test_cut_inside_the_header(shared: Path, size: int) -> None:
    """gguf-truncated"""
    with pytest.raises(InputError, match=r"(the file ends inside .*|the file is empty), byte \d+"):
        open_tensors(shared / "cases" / "files" / f"trunc_{size}.gguf")


def test_cut_inside_the_data(case: Callable[[str], TensorFile]) -> None:
    """gguf-truncated: the header is readable, the tensors are listed as cut."""
    assert all("data past end of file" in p for p in problems(case("trunc_248.gguf")))
    assert [bool(p) for p in problems(case("trunc_447.gguf"))] == [False, True]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("magic_ggjt.bin", "legacy GGJT v3 file, not GGUF"),  # gguf-magic
        ("magic_gguf_lower.gguf", "'gguf' in lower case"),
    ],
)
def test_refused_in_one_sentence(shared: Path, name: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = shared / "cases" / "files" / name
    before = time.process_time()
    assert main(["tensors", str(path), "--json"]) == 1
    assert time.process_time() - before < 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("name", ["nested_array.gguf", "nested_array_deep.gguf"])
def test_nested_arrays(case: Callable[[str], TensorFile], name: str) -> None:
    """gguf-nested-array"""
    before = time.process_time()
    (x,) = case(name).metadata
    assert time.process_time() - before < 2
    assert x.problem is not None and "an array of arrays" in x.problem and "GGUF readers refuse" in x.problem


def test_big_endian(case: Callable[[str], TensorFile]) -> None:
    """gguf-big-endian"""
    file = case("bigendian.gguf")
    assert {m.key: m.value for m in file.metadata}["x"] == 16909060
    assert (file.tensors[0].shape, file.values(file.tensors[0]).tolist()) == ((4,), [1, 2, 3, 4])
    assert "BIG" in file.label


def test_duplicate_key(case: Callable[[str], TensorFile]) -> None:
    """gguf-dup-key"""
    file = case("dup_key.gguf")
    assert [(m.value, bool(m.problem)) for m in file.metadata if m.key == "x"] == [(1, True), (2, True)]


@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        ("dim_zero.gguf", ["a dimension is 0"]),  # gguf-zero-neg-dim
        ("dim_neg.gguf", ["is negative as a signed number (-4)"]),
        ("pad_wrap.gguf", ["", "its 18446744073709551600 bytes"]),  # gguf-pad-wrap
        ("offset_past_eof.gguf", ["data past end of file"]),  # gguf-offset-past-eof
        ("offset_unaligned.gguf", ["unaligned"]),  # gguf-offset-layout
        ("overlap.gguf", ["overlap with b", "overlap with a"]),
        ("gap.gguf", ["", "gap of"]),
        ("no_tail_pad.gguf", [""]),
        ("q4_row_not_multiple.gguf", ["48 % 32"]),  # gguf-row-not-block-multiple
        ("q4k_row_32.gguf", ["32 % 256"]),
        ("good.gguf", ["", ""]),
        ("日本語 ファイル 🦙.gguf", ["", ""]),
    ],
)
def test_each_tensor_has_its_own_verdict(
    case: Callable[[str], TensorFile], name: str, sentences: list[str]
) -> None:
    for told, wanted in zip(problems(case(name)), sentences, strict=True):
        assert (wanted in told) if wanted else not told


def test_trailing_bytes(case: Callable[[str], TensorFile]) -> None:
    """gguf-offset-layout"""
    assert "36 trailing bytes" in case("trailing_bytes.gguf").problems[0]
    assert not case("no_tail_pad.gguf").problems


def test_quantised_shape(case: Callable[[str], TensorFile]) -> None:
    """gguf-quant-shape-stride"""
    t = case("q4_0_blocks.gguf").tensors[0]
    assert (t.shape, t.strides, t.nbytes) == ((3, 64), (36, 18), 108)


def test_original_shape(case: Callable[[str], TensorFile]) -> None:
    """gguf-orig-shape-key"""
    t = case("orig_shape.gguf").tensors[0]
    assert (t.shape, t.notes) == ((30,), ("original shape 2x3x5 (key comfy.gguf.orig_shape.t)",))


def test_files_without_a_known_pre_tokenizer_open_as_tensor_files(case: Callable[[str], TensorFile]) -> None:
    """gguf-no-pre: the warning is the tokenizer's."""
    for name in ("tok_no_pre.gguf", "tok_pre_unknown.gguf"):
        assert case(name).metadata


# Real tensors

#: The reference takes 6 and 22 seconds for these.
LONGER = ["ggml-vocab-gpt-2.gguf", "ggml-vocab-llama-bpe.gguf"] if os.environ.get("TOKENLOUPE_LONG") else []


@pytest.mark.parametrize("name", ["minilm-400rows.gguf"])
def test_real_quantised_tensors_equal_the_reference(real_file: Callable[[str], Path], name: str) -> None:
    path = real_file(name)
    file, reference = open_tensors(path), gguf.GGUFReader(path)
    assert not file.problems
    floats = file.array(file.tensor("embd.f32"))
    for ours, theirs in zip(file.tensors, reference.tensors, strict=True):
        assert (ours.name, ours.shape, ours.offset, ours.nbytes, ours.problem) == (
            theirs.name, tuple(reversed(theirs.shape.tolist())), theirs.data_offset, theirs.n_bytes, None,
        )  # fmt: skip
        expected = quants.dequantize(theirs.data, theirs.tensor_type)
        assert np.array_equal(file.array(ours).astype(np.float32).view(np.uint32), expected.view(np.uint32))
        if ours.block is not None and ours.block.quantize is not None:
            assert blocks.quantize(ours.block, floats).tobytes() == file.raw(ours).tobytes()


def test_a_real_matrix_quantised(real_file: Callable[[str], Path]) -> None:
    file = open_tensors(real_file("minilm.safetensors"))
    assert not file.problems
    assert all(t.problem is None for t in file.tensors)
    values = file.array(file.tensor("embeddings.word_embeddings.weight"))[:4000]
    for name in ("Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0"):
        expected = quants.quantize(values, GGMLQuantizationType[name])
        data = blocks.quantize(name, values)
        assert data.tobytes() == expected.tobytes()
        back = blocks.dequantize(name, data).reshape(values.shape)
        assert np.array_equal(
            back.view(np.uint32), quants.dequantize(expected, GGMLQuantizationType[name]).view(np.uint32)
        )


@pytest.mark.parametrize("name", ["ggml-vocab-bert-bge.gguf", *LONGER])
def test_real_metadata_equals_the_reference(real_file: Callable[[str], Path], name: str) -> None:
    path = real_file(name)
    reference = gguf.GGUFReader(path)
    for m in open_tensors(path).metadata:
        expected = reference.get_field(m.key)
        assert expected is not None
        ours: Any = m.value if m.count is None else m.items(0, m.count)
        if isinstance(ours, list) and ours and isinstance(ours[0], str):
            theirs: Any = [bytes(expected.parts[i]).decode("utf-8", "replace") for i in expected.data]
        else:
            theirs = expected.contents()
        assert ours == theirs, m.key


# Damage


@pytest.mark.parametrize("name", ["minilm-400rows.gguf", "ggml-vocab-bert-bge.gguf"])
def test_a_real_file_cut_at_every_byte_of_its_header(real_file: Callable[[str], Path], name: str) -> None:
    """The header of a vocabulary is its whole 600 KB: there, the first 3,000 bytes and a sample of the others."""
    path = real_file(name)
    data = path.read_bytes()
    header = open_tensors(path).files[0].data_start
    lengths = range(header) if header < 20_000 else [*range(3000), *range(3000, header, 997)]
    slowest = 0.0
    for length in lengths:
        before = time.process_time()
        try:
            open_tensor_bytes(data[:length], name)
        except InputError as error:
            assert re.search(r"the file (ends inside|is empty)", str(error)), error
        slowest = max(slowest, time.process_time() - before)
    assert slowest < 2


def test_twenty_thousand_mutations() -> None:
    """Never a crash, never 2 s, never 200 MB: in a process of its own, so that its memory can be told."""
    count = 20_000 if os.environ.get("TOKENLOUPE_LONG") else 3_000  # of each of seven files
    done = subprocess.run(
        [sys.executable, "-m", "tests.tensors.mutate", str(count), "11"], cwd=ROOT, capture_output=True, text=True,
        check=False, env=ENVIRONMENT, timeout=280,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    slowest, grown, which = done.stdout.split(maxsplit=2)
    assert float(slowest) < 2, which
    assert int(grown) < 200 << 20
    assert len(mutate.samples()) == 7


def test_a_sparse_file_of_40_gb_opens_at_once(tmp_path: Path) -> None:
    from tests.tensors.build import gguf as build

    rows = 20_000
    tensors = [(f"blk.{i}.w", [4096, rows], 2, i * (rows * 4096 // 32 * 18)) for i in range(870)]
    path = tmp_path / "sparse.gguf"
    path.write_bytes(build([], tensors))
    size = 870 * rows * 4096 // 32 * 18
    try:
        os.truncate(path, path.stat().st_size + size)
    except OSError:
        pytest.skip("this file system has no sparse files")
    if path.stat().st_blocks * 512 > 1 << 30:
        pytest.skip("this file system has no sparse files")
    assert path.stat().st_size > 40 * 10**9
    code = """
import sys, time
from tests.tensors.mutate import peak_memory
from tokenloupe.tensors.files import open_tensors
import tokenloupe.tensors.gguf
before = time.perf_counter()
file = open_tensors(sys.argv[1])
taken = time.perf_counter() - before
last = file.tensors[-1]
assert last.problem is None and not file.problems
assert file.values(last, last.elements - 32, 32).size == 32
print(taken, peak_memory())
"""
    best = 1.0
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env=ENVIRONMENT,
        )
        taken, memory = done.stdout.split()
        assert int(memory) < 80 << 20
        best = min(best, float(taken))
    assert best < 0.1
