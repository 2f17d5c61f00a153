"""Tokenloupe: look into LLM tokenizers and quantised tensors.

    import tokenloupe
    tokenizer = tokenloupe.load("o200k_base")
    tokenizer.encode("hi 😀").ids

Importing this package imports no Qt, and numpy only when something is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .api import load as load
    from .api import open_case as open_case
    from .api import save_case as save_case
    from .cases import OpenedCase as OpenedCase
    from .core.case_file import Case as Case
    from .core.document import Change as Change
    from .core.document import Document as Document
    from .core.errors import InputError as InputError
    from .core.stop import StopMatcher as StopMatcher
    from .core.stream import StreamDecoder as StreamDecoder
    from .core.tokenizer import Encoding as Encoding
    from .core.tokenizer import Token as Token
    from .core.tokenizer import Tokenizer as Tokenizer
    from .tensors.files import open_tensors as open_tensors

#: public name -> module that has it; imported on first use so that `import tokenloupe` costs nothing.
_LAZY = {
    "load": "api",
    "open_case": "api",
    "save_case": "api",
    "Case": "core.case_file",
    "OpenedCase": "cases",
    "InputError": "core.errors",
    "Encoding": "core.tokenizer",
    "Token": "core.tokenizer",
    "Tokenizer": "core.tokenizer",
    "Document": "core.document",
    "Change": "core.document",
    "open_tensors": "tensors.files",
    "StopMatcher": "core.stop",
    "StreamDecoder": "core.stream",
}

__all__ = ["__version__", *_LAZY]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
