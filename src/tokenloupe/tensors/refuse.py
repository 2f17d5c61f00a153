"""Names a file that holds no tensors we read: what it is, and what to do about it."""

from __future__ import annotations

from pathlib import Path

from ..core.errors import InputError

_KNOWN = (
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself", "run `git lfs pull` and open it again"),
    (b"\x80\x02", "a Python pickle, which is never loaded: it could run any code", "convert the model to safetensors"),
    (b"\x80\x04", "a Python pickle, which is never loaded: it could run any code", "convert the model to safetensors"),
    (b"\x89HDF\r\n", "an HDF5 file", "convert the model to safetensors"),
    (b"\x08", "perhaps an ONNX file", "convert the model to safetensors"),
    (b"\x1f\x8b", "compressed with gzip", "unpack it and open it again"),
    (b"BZh", "compressed with bzip2", "unpack it and open it again"),
    (b"\xfd7zXZ", "compressed with xz", "unpack it and open it again"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it and open it again"),
)


def no_tensors(head: bytes) -> InputError:
    """The error for a file that is no tensor file we know. head: its first 64 bytes."""
    if head.startswith(b"gguf"):
        return InputError("the magic is 'gguf' in lower case, not 'GGUF'", where="byte 0", todo="the file is damaged")
    if head.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        return InputError("this is an HTML page, not a tensor file", where="byte 0",
                          todo="the download was an error page: fetch the raw file")
    for magic, what, todo in _KNOWN:
        if head.startswith(magic):
            return InputError(f"this is {what}", where="byte 0", todo=todo)
    if 0 < len(head) < 8:
        return InputError(f"the file ends inside its header, after {len(head)} bytes", where=f"byte {len(head)}",
                          todo="the download is not complete: fetch it again")
    return InputError("this is no GGUF, safetensors, .npy or .npz file", where="byte 0",
                      todo="check which file it is; other formats can be converted to safetensors")


def main_file(folder: Path) -> Path:
    """The file a model's folder is opened by."""
    for pattern in ("model.safetensors.index.json", "*.safetensors.index.json", "model.safetensors", "*.gguf",
                    "*.safetensors", "*.npz", "*.npy"):
        found = sorted(folder.glob(pattern))
        if found:
            return found[0]
    raise InputError("no tensor file in this folder", where=folder.name,
                     todo="expected a .gguf, .safetensors, .npy or .npz file")
