"""`tokenloupe tensors FILE`: what a GGUF, safetensors, .npy or .npz file holds, and what is wrong with it.

JSON: numbers that are NaN or infinite are null; an array of more than 32 elements shows its first 32 and its count.
"""

from __future__ import annotations

import argparse
import math
from typing import Any

from tokenloupe.core.errors import InputError
from tokenloupe.core.wording import count_of
from tokenloupe.tensors.files import Meta, TensorFile, TensorInfo, open_tensors

from . import common

NAME = "tensors"
HELP = "the metadata and tensors of a GGUF, safetensors, .npy or .npz file, and what is wrong with them"

#: Elements of a metadata array that are shown without --key.
SHOWN = 32


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="a .gguf, .safetensors, .safetensors.index.json, .npy or .npz file"
    )
    parser.add_argument("--key", metavar="KEY", help="show this metadata entry alone, the whole of it")
    parser.add_argument("--stats", metavar="NAME", help="also count what the values and scales of this tensor are")
    parser.add_argument("--json", action="store_true", help="one JSON document (NaN and infinities are null)")


def opened(path: str) -> TensorFile:
    """The file, or FileError."""
    if not path:
        raise common.no_name("a tensor file")
    try:
        return open_tensors(path)
    except InputError as error:
        raise common.FileError(path, error) from error


def run(args: argparse.Namespace) -> int:
    file = opened(args.file)
    try:
        if args.key is not None:
            return _one_key(file, args.key, args.json)
        answer = report(file)
        if args.stats is not None:
            answer["stats"] = statistics(file, file.tensor(args.stats))
    except InputError as error:
        raise common.FileError(args.file, error) from error
    if args.json:
        common.print_json(answer)
    else:
        _print(answer)
    return 0


def report(file: TensorFile) -> dict[str, Any]:
    """The JSON document."""
    return {
        "format": file.format, "label": file.label, "version": file.version, "byte_order": file.byte_order,
        "alignment": file.alignment, "bytes": file.size,
        "files": [{"name": f.path.name, "bytes": f.size, "data_start": f.data_start} for f in file.files],
        "problems": list(file.problems),
        "metadata": [meta(m) for m in file.metadata],
        "tensors": [row(file, t) for t in file.tensors],
    }  # fmt: skip


def meta(m: Meta, most: int = SHOWN) -> dict[str, Any]:
    entry: dict[str, Any] = {"key": m.key, "type": m.type, "value": finite(m.value), "problem": m.problem}
    if m.count is not None:
        entry["value"] = [finite(v) for v in m.items(0, most)]
        entry["count"] = m.count
        entry["truncated"] = m.count > most
    return entry


def finite(value: Any) -> Any:
    """The value, or None for NaN and infinities, which JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def row(file: TensorFile, t: TensorInfo) -> dict[str, Any]:
    """One tensor. strides: bytes, in the order of shape; ne and nb: the same as GGML has them, fastest first."""
    return {
        "name": t.name, "type": t.type, "shape": list(t.shape), "strides": list(t.strides), "offset": t.offset,
        "bytes": t.nbytes, "problem": t.problem, "elements": t.elements,
        "share": t.nbytes / file.size if file.size and t.nbytes < 2**63 else None,
        "block": t.block.weights if t.block else None, "block_bytes": t.block.nbytes if t.block else None,
        "ne": list(reversed(t.shape)), "nb": list(reversed(t.strides)), "file": t.file, "notes": list(t.notes),
    }  # fmt: skip


def statistics(file: TensorFile, t: TensorInfo) -> dict[str, Any]:
    """What Census counts over the whole tensor."""
    from tokenloupe.tensors.statistics import Census

    if t.block is None:
        raise InputError(f"{t.name} is of type {t.type}, which cannot be decoded")
    if "c" in t.block.native:
        raise InputError(f"{t.name} holds complex numbers", todo="choose a tensor of real numbers")
    census = Census(t.block)
    total = file.block_count(t)
    step = max(1, (1 << 20) // t.block.weights)
    for first in range(0, total, step):
        census.add(file.block_bytes(t, first, step))
    return {
        "name": t.name, "blocks": census.count, "minimum": finite(census.minimum), "maximum": finite(census.maximum),
        "mean": census.mean, "rms": census.rms, "nan_values": census.nan_values,
        "infinite_values": census.infinite_values, "zero_blocks": census.zero_blocks, "nan_scales": census.nan_scales,
        "infinite_scales": census.infinite_scales, "saturated": census.saturated, "largest_at_block": census.largest_at,
        "first_nan_block": census.first_nan, "first_infinite_block": census.first_infinite,
        "levels": census.levels.tolist() if t.block.level_range != (0, 0) else [],
        "level_range": list(t.block.level_range), "scales_by_power": census.scale_histogram(),
    }  # fmt: skip


def _one_key(file: TensorFile, key: str, as_json: bool) -> int:
    found = [m for m in file.metadata if m.key == key]
    if not found:
        raise InputError(f"there is no metadata key {key!r}", todo="run without --key to see them all")
    if as_json:
        answers = [meta(m, m.count or 0) for m in found]
        common.print_json(answers[0] if len(answers) == 1 else answers)
        return 0
    for m in found:
        if m.count is None:
            common.print_text(common.visible(str(m.value)))
            continue
        for start in range(0, m.count, 4096):
            for value in m.items(start, start + 4096):
                common.print_text(common.visible(str(value)))
    return 0


def size_text(count: float) -> str:
    """1,536 -> `1.5 KiB`."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if abs(count) < 1024 or unit == "TiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return ""


def _print(answer: dict[str, Any]) -> None:
    common.print_text(f"{answer['label']}, {count_of(answer['bytes'], 'byte')}, "
                      f"{count_of(len(answer['tensors']), 'tensor')}")
    for problem in answer["problems"]:
        common.print_text(f"! {problem}")
    if answer["metadata"]:
        common.print_text()
    for m in answer["metadata"]:
        value = _preview(m)
        common.print_text(f"{common.visible(m['key'])} = {value}" + (f"   ! {m['problem']}" if m["problem"] else ""))
    if answer["tensors"]:
        common.print_text()
        _print_tensors(answer["tensors"])
    if "stats" in answer:
        common.print_text()
        for key, value in answer["stats"].items():
            common.print_text(f"{key:>22}  {_number(value)}")


def _print_tensors(tensors: list[dict[str, Any]]) -> None:
    rows = [("name", "type", "shape", "strides", "offset", "size")]
    rows += [(common.visible(t["name"]), t["type"], "x".join(map(str, t["shape"])) or "scalar",
              "/".join(map(str, t["strides"])), str(t["offset"]), size_text(t["bytes"])) for t in tensors]
    widths = [max(len(r[i]) for r in rows) for i in range(6)]
    for i, r in enumerate(rows):
        line = "  ".join(c.ljust(w) if k < 4 else c.rjust(w) for k, (c, w) in enumerate(zip(r, widths, strict=True)))
        common.print_text(line.rstrip())
        if i and tensors[i - 1]["problem"]:
            common.print_text(f"  ! {common.visible(tensors[i - 1]['problem'])}")
        for note in tensors[i - 1]["notes"] if i else []:
            common.print_text(f"  . {common.visible(note)}")


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}" if math.isfinite(value) else str(value)
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _preview(m: dict[str, Any]) -> str:
    if "count" not in m:
        text = common.visible(str(m["value"]))
        return text if len(text) <= 200 else text[:199] + "…"
    shown = ", ".join(common.visible(str(v)) for v in m["value"][:8])
    return f"{m['type']} [{shown}{', …' if m['count'] > 8 else ''}]"
