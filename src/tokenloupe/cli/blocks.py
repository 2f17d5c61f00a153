"""`tokenloupe blocks FILE --tensor NAME`: blocks of a quantised tensor taken apart: bytes, scale, codes, weights.

JSON: values that are NaN or infinite are null. `q` are the stored codes (Q4_0: 0 to 15); types whose codes stand for
several weights at once (IQ1 to IQ3) show the levels instead.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from tokenloupe.core.errors import InputError
from tokenloupe.tensors import blocks
from tokenloupe.tensors.blocktypes import BlockType, Bytes
from tokenloupe.tensors.files import TensorFile, TensorInfo

from . import common
from .tensors import opened

NAME = "blocks"
HELP = "the blocks of a quantised tensor taken apart: bytes, scales, codes, weights"

#: Blocks in one answer.
MOST = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .gguf, .safetensors, .npy or .npz file")
    parser.add_argument("--tensor", required=True, metavar="NAME", help="the tensor, by name or number")
    parser.add_argument("--index", type=int, default=0, metavar="I", help="the first block (default: 0)")
    parser.add_argument("--count", type=int, default=1, metavar="N", help="how many blocks (default: 1)")
    parser.add_argument("--json", action="store_true", help="one JSON document (NaN and infinities are null)")


def run(args: argparse.Namespace) -> int:
    file = opened(args.file)
    try:
        answer = report(file, file.tensor(args.tensor), args.index, args.count)
    except InputError as error:
        raise common.FileError(args.file, error) from error
    if args.json:
        common.print_json(answer)
    else:
        for block in answer:
            _print(block)
    return 0


def report(file: TensorFile, tensor: TensorInfo, index: int, count: int) -> list[dict[str, Any]]:
    """The JSON document: one object a block."""
    if count < 0 or count > MOST:
        raise InputError(f"{count:,} blocks at once", todo=f"ask for 0 to {MOST:,}")
    if not tensor.readable or tensor.block is None:
        why = tensor.problem or f"{tensor.type} is no type that can be decoded"
        raise InputError(f"{tensor.name} cannot be read: {why}", todo="choose another tensor")
    total = file.block_count(tensor)
    if index < 0 or (index >= total and count):
        raise InputError(f"block {index:,} is not there: {tensor.name} has {total:,}", todo="blocks are counted from 0")
    if not count:
        return []
    data = file.block_bytes(tensor, index, count)
    size = tensor.block.nbytes
    stored = file.raw(tensor)[index * size : (index + len(data)) * size].reshape(-1, size)
    described = describe(tensor.block, data)
    for i, block in enumerate(described):
        block["index"] = index + i
        block["offset"] = tensor.offset + (index + i) * size
        block["raw"] = stored[i].tobytes().hex()
    return [{k: b[k] for k in ("index", "offset", "raw", *(k for k in b if k not in ("index", "offset", "raw")))}
            for b in described]


def describe(block_type: BlockType, data: Bytes) -> list[dict[str, Any]]:
    """type, fields, q, levels, values of each block of data, uint8 (n, nbytes)."""
    fields = blocks.numbers(block_type, data)
    values = blocks.decode(block_type, data) if block_type.decodes else None
    parts = blocks.parts(block_type, data) if block_type.unpack is not None else None
    out: list[dict[str, Any]] = []
    for i in range(len(data)):
        block: dict[str, Any] = {"type": block_type.name,
                                 "fields": {name: plain(column[i]) for name, column in fields.items()}}
        if parts is not None:
            signed = block_type.name == "Q8_0"
            codes = parts.levels if parts.codes is None or signed else parts.codes
            block["q"] = plain(codes[i])
            block["levels"] = plain(parts.levels[i])
            block["scales"] = plain(parts.scales[i])
            if parts.mins is not None:
                block["minima"] = plain(parts.mins[i])
        else:
            block["q"] = []
        block["values"] = plain(values[i]) if values is not None else []
        block["formula"] = block_type.formula
        out.append(block)
    return out


def plain(value: Any) -> Any:
    """numpy numbers and arrays as Python's; complex numbers as [real, imaginary]."""
    if np.iscomplexobj(value):
        return [plain(v) for v in value] if np.ndim(value) else [float(value.real), float(value.imag)]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _print(block: dict[str, Any]) -> None:
    common.print_text(f"block {block['index']} at byte {block['offset']}: {block['type']}   {block['formula']}")
    raw = bytes.fromhex(block["raw"])
    for start in range(0, len(raw), 32):
        common.print_text(f"  {raw[start : start + 32].hex(' ')}")
    for name, value in block["fields"].items():
        if isinstance(value, list):
            complex_number = block["type"] in ("C64", "C128")
            shown = _cell(value, False) if complex_number else " ".join(f"{v:g}" for v in value)
        else:
            shown = f"{value:.9g}"
        common.print_text(f"  {name} = {shown}")
    for name, per_line in (("q", 16), ("values", 8)):
        numbers = block[name]
        for start in range(0, len(numbers), per_line):
            label = f"{name}[{start}]" if len(numbers) > 1 else name
            line = " ".join(_cell(v, name == "q") for v in numbers[start : start + per_line])
            common.print_text(f"  {label:>11}  {line}")


def _cell(value: Any, short: bool) -> str:
    if isinstance(value, list):
        return f"{value[0]:g}{value[1]:+g}i"
    return f"{value:>4g}" if short else f"{value:>12.6g}"
