"""`tokenloupe quantize FILE --tensor NAME --type T`: what a type does to these weights, and the bytes of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from tokenloupe.core.errors import InputError
from tokenloupe.tensors import blocks
from tokenloupe.tensors.files import TensorFile, TensorInfo
from tokenloupe.tensors.statistics import Comparison, Totals

from . import common
from .tensors import opened, size_text

NAME = "quantize"
HELP = "quantise a tensor to a type: size and error; optionally write the bytes"

#: Weights a step: a tensor of any size, bounded memory.
STEP = 1 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    offered = " ".join(t.name for t in blocks.TYPES if t.quantize)
    parser.add_argument("file", metavar="FILE", help="a .gguf, .safetensors, .npy or .npz file")
    parser.add_argument("--tensor", required=True, metavar="NAME", help="the tensor, by name or number")
    parser.add_argument("--type", required=True, metavar="T", help=f"{offered}, or all to compare them")
    parser.add_argument("--out", metavar="F", help="write the blocks, without any header, to this file")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(args: argparse.Namespace) -> int:
    everything = args.type.lower() == "all"
    if everything and args.out:
        return common.usage("--out needs one --type")
    file = opened(args.file)
    try:
        tensor = file.tensor(args.tensor)
        names = (
            [t.name for t in blocks.TYPES if t.quantize and t.name != "F32"]
            if everything
            else [blocks.by_name(args.type).name]
        )
        results = [quantized(file, tensor, name, args.out if not everything else None) for name in names]
    except InputError as error:
        raise common.FileError(args.file, error) from error
    if args.json:
        common.print_json({"tensor": tensor.name, "types": results} if everything else results[0])
    else:
        _print(tensor, results)
    return 0


def pieces(file: TensorFile, tensor: TensorInfo, weights: int) -> Iterator[NDArray[np.float32]]:
    """The tensor's values as float32 (n, weights) in steps; rows of the tensor must be whole blocks."""
    if tensor.block is None or not tensor.readable:
        file.block_bytes(tensor, 0, 0)  # raises the sentence for it
    if not tensor.elements:
        raise InputError(f"{tensor.name} has no elements", todo="choose another tensor")
    if tensor.row_length % weights:
        raise InputError(f"a row of {tensor.row_length:,} values is not a whole number of blocks of {weights}",
                         todo="choose another type or tensor")
    if not tensor.contiguous:
        whole = file.array(tensor).astype(np.float32)
        yield np.ascontiguousarray(whole).reshape(-1, weights)
        return
    for start in range(0, tensor.elements, STEP):
        values = file.values(tensor, start, STEP)
        with np.errstate(over="ignore"):
            yield values.astype(np.float32, copy=False).reshape(-1, weights)


def quantized(file: TensorFile, tensor: TensorInfo, name: str, out: str | None) -> dict[str, Any]:
    """The JSON document for one type; with `out`, the blocks are written there."""
    block = blocks.by_name(name)
    if block.quantize is None:
        blocks.quantize(block, np.zeros((1, block.weights), np.float32))  # raises the sentence for it
    if tensor.block is not None and "c" in tensor.block.native:
        raise InputError(f"{tensor.name} holds complex numbers", todo="choose a tensor of real numbers")
    totals = Totals(block)
    target: BinaryIO | None = None
    try:
        with ExitStack() as closing:  # within the try: what is buffered is written when the file is closed
            for piece in pieces(file, tensor, block.weights):
                data = totals.add(piece)
                if out is not None and target is None:  # not before there are blocks: opening empties the file
                    target = closing.enter_context(_open_out(file, out))
                if target is not None:
                    target.write(data)
    except OSError as error:
        raise InputError(f"{out or 'no name'} cannot be written ({error.strerror})",
                         todo="choose another place") from error
    return as_json(totals.result(), tensor)


def as_json(result: Comparison, tensor: TensorInfo) -> dict[str, Any]:
    return {
        "type": result.type, "tensor": tensor.name, "from": tensor.type, "weights": result.weights,
        "bytes": result.nbytes, "bits_per_weight": result.bits_per_weight, "max_error": result.max_error,
        "rms_error": result.rms_error, "mean_error": result.mean_error, "relative_error": result.relative,
        "worst_block": result.worst_block, "worst_block_rms": result.worst_block_rms, "not_finite": result.not_finite,
    }  # fmt: skip


def _open_out(file: TensorFile, out: str) -> BinaryIO:
    """The file to write. OSError: it cannot be opened."""
    target = Path(out)
    if file.reads(target):
        raise InputError("--out is the file that is read", todo="choose another name")
    return target.open("wb")


def _print(tensor: TensorInfo, results: list[dict[str, Any]]) -> None:
    common.print_text(f"{common.visible(tensor.name)}: {tensor.type}, {tensor.elements:,} weights")
    common.print_text(
        f"{'type':<6} {'size':>10} {'bits':>8} {'max error':>12} {'rms error':>12} {'relative':>9}  worst block"
    )
    for r in results:
        common.print_text(
            f"{r['type']:<6} {size_text(r['bytes']):>10} {r['bits_per_weight']:>8g} {r['max_error']:>12.6g} "
            f"{r['rms_error']:>12.6g} {r['relative_error']:>9.4%}  {r['worst_block']}"
        )
    if results and results[0]["not_finite"]:
        common.print_text(
            f"! {results[0]['not_finite']:,} values are NaN or infinite, or became so: not in the figures"
        )
