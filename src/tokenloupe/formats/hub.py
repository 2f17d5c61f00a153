"""Tokenizer files from the Hugging Face hub, when the user asks for them by name; nothing else here opens a connection.

    folder = fetch(HubName.parse("hub:openai-community/gpt2@main"))       # files in huggingface_hub's own cache
    tokenizer = open_tokenizer(folder)

The optional package huggingface_hub does the fetching (with the user's own token, proxy, HF_ENDPOINT and HF_HOME). Only
tokenizer files are fetched, never weights. Without a connection, what was fetched before is opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from ..core.errors import InputError
from ..core.tokenizer import Tokenizer
from .registry import LARGEST, MAIN_FILES, open_tokenizer

PREFIX = "hub:"
INSTALL = 'pip install "tokenloupe[hub]"'

#: What is fetched: the first of these that the repository has whole, ...
CHOICES: tuple[tuple[str, ...], ...] = (
    ("tokenizer.json",), ("tekken.json",), ("tokenizer.model",), ("vocab.json", "merges.txt"),
)  # fmt: skip
#: ... else its .tiktoken file; and what says more of the special tokens.
BESIDE = ("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json")
#: Seconds until a server that does not answer is given up.
TIMEOUT = 10.0

_NAME = re.compile(r"(?P<repo>[\w.-]+(?:/[\w.-]+)?)(?:@(?P<revision>[^\s@]+))?", re.ASCII)


class Cancelled(InputError):
    """The user did not want it after all."""

    def __init__(self) -> None:
        super().__init__("cancelled")


@dataclass(frozen=True, slots=True)
class HubName:
    """repo: "owner/name" (or the bare name of an old one); revision: branch, tag or commit, "" for the main branch."""

    repo: str
    revision: str = ""

    @classmethod
    def parse(cls, text: str) -> HubName:
        """From `hub:owner/name[@revision]`, with or without `hub:`, or its page's address. InputError otherwise."""
        name = text.strip().removeprefix(PREFIX)
        name = re.sub(r"^(https?://)?(www\.)?(huggingface\.co|hf\.co)/", "", name).rstrip("/")
        found = _NAME.fullmatch(name)
        if found is None or ".." in found["repo"]:
            raise InputError(f"{text.strip()!r} is no name of a repository on the hub",
                             todo="write owner/name, or owner/name@revision")
        return cls(found["repo"], found["revision"] or "")

    def __str__(self) -> str:
        return self.repo + (f"@{self.revision}" if self.revision else "")


@dataclass(slots=True)
class Watch:
    """How far a fetch is, 0..1, to be read by another thread, which may cancel it between two blocks."""

    total: int = 0
    done: int = 0
    told: Callable[[float], object] | None = None
    _stop: Event = field(default_factory=Event)

    @property
    def fraction(self) -> float:
        return min(self.done / self.total, 1.0) if self.total else 0.0

    def cancel(self) -> None:
        self._stop.set()

    def add(self, count: int) -> None:
        """Raises Cancelled once it is."""
        if self._stop.is_set():
            raise Cancelled
        self.done += count
        if self.told is not None:
            self.told(self.fraction)


def available() -> bool:
    """Is huggingface_hub installed?"""
    from importlib.util import find_spec

    return find_spec("huggingface_hub") is not None


def load_hub(text: str, options: dict[str, str], watch: Watch | None = None) -> Tokenizer:
    """Fetch and open. The tokenizer is named after the repository."""
    name = HubName.parse(text)
    made = open_tokenizer(fetch(name, watch), **options)
    made.name = str(name)
    return made


def fetch(name: HubName, watch: Watch | None = None) -> Path:
    """The folder with the tokenizer's files. InputError: one sentence for each thing that can go wrong."""
    if not available():
        raise InputError("fetching from the hub needs the package huggingface_hub", todo=INSTALL)
    import huggingface_hub
    from huggingface_hub import errors

    watch = watch or Watch()
    revision = name.revision or None
    try:
        info = huggingface_hub.HfApi(endpoint=_endpoint()).model_info(
            name.repo, revision=revision, files_metadata=True, timeout=TIMEOUT)
        sizes = {s.rfilename: s.size or 0 for s in info.siblings or ()}
        wanted = choose(sizes, name)
        for file in wanted:
            if sizes[file] > LARGEST:
                raise InputError(f"{file} of {name} has {sizes[file]:,} bytes, too many for a tokenizer file")
        watch.total = sum(sizes[file] for file in wanted)
        # By the name that was asked for, not the commit it stands for: only so it is found again without a connection.
        paths = [_download(huggingface_hub, name.repo, revision, file, sizes[file], watch) for file in wanted]
    except errors.HFValidationError as error:
        raise InputError(f"{name} is no name of a repository on the hub",
                         todo="write owner/name, or owner/name@revision") from error
    except errors.GatedRepoError as error:
        raise InputError(f"{name} is open only to those who accepted its terms",
                         todo=f"accept them at {page(name)}, then run `hf auth login`") from error
    except errors.RevisionNotFoundError as error:
        raise InputError(f"{name.repo} has no revision {name.revision!r}",
                         todo="a branch, a tag or a commit is expected after @") from error
    except errors.RepositoryNotFoundError as error:
        raise InputError(f"the hub has no public repository {name.repo}",
                         todo="check the name; for a private one run `hf auth login` first") from error
    except errors.HfHubHTTPError as error:
        status = getattr(error.response, "status_code", 0)
        raise InputError(f"the hub answered {name.repo} with error {status}", todo="try again later") from error
    except (OSError, _network_error(errors)) as error:
        kept = _kept(huggingface_hub, name, revision)
        if kept is not None:
            return kept
        if watch.done:
            raise InputError(f"the connection broke while {name} was fetched", todo="try again") from error
        raise InputError("the hub cannot be reached", where=_endpoint() or "huggingface.co",
                         todo=f"check the connection; {name} was not fetched before") from error
    return _folder(paths)


def choose(files: Iterable[str], name: HubName) -> list[str]:
    """Of a repository's files those to fetch, the main one first. InputError when none is a tokenizer's."""
    there = set(files)
    ranks = sorted(f for f in there if f.endswith(".tiktoken") and "/" not in f)
    main = next((c for c in CHOICES if there.issuperset(c)), tuple(ranks[:1]))
    if not main:
        raise InputError(f"{name} has no tokenizer file that is known here",
                         todo=f"expected one of {', '.join(' + '.join(c) for c in CHOICES)} or a .tiktoken file")
    return [*main, *(b for b in BESIDE if b in there)]


def page(name: HubName) -> str:
    return f"{_endpoint() or 'https://huggingface.co'}/{name.repo}"


def _network_error(errors: Any) -> type[Exception]:
    """What the library's own HTTP client raises: no OSError in all of them."""
    found = getattr(errors, "HTTPError", OSError)
    return found if isinstance(found, type) and issubclass(found, Exception) else OSError


def _endpoint() -> str | None:
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or None


def _cache() -> str | None:
    """As huggingface_hub has it, but read when it is needed."""
    own, home = os.environ.get("HF_HUB_CACHE"), os.environ.get("HF_HOME")
    return own or (str(Path(home) / "hub") if home else None)


def _download(hub: Any, repo: str, revision: str | None, file: str, size: int, watch: Watch) -> Path:
    from inspect import signature

    before = watch.done
    watch.add(0)
    more = {}
    if "tqdm_class" in signature(hub.hf_hub_download).parameters:  # without it, progress comes a file at a time
        more["tqdm_class"] = _bar(watch)
    path = hub.hf_hub_download(repo, file, revision=revision, endpoint=_endpoint(), cache_dir=_cache(),
                               etag_timeout=TIMEOUT, **more)
    watch.done = before  # also of a file that was there already
    watch.add(size)
    return Path(path)


def _bar(watch: Watch) -> type[Any]:
    """A progress bar of huggingface_hub's kind that shows nothing and tells the watch."""
    from importlib import import_module

    base: Any = import_module("huggingface_hub.utils").tqdm

    class Bar(base):  # type: ignore[misc]
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **{**named, "disable": True})

        def update(self, n: float | None = 1) -> None:
            watch.add(int(n or 0))

    return Bar


def _kept(hub: Any, name: HubName, revision: str | None) -> Path | None:
    """The folder of what was fetched before, where that is a whole tokenizer."""
    paths: dict[str, Path] = {}
    for file in {f for c in CHOICES for f in c}:
        try:
            path = hub.hf_hub_download(name.repo, file, revision=revision, cache_dir=_cache(), local_files_only=True)
        except OSError:
            continue
        paths[file] = Path(path)
    chosen = next((c for c in CHOICES if paths.keys() >= set(c)), ())
    return _folder([paths[c] for c in chosen]) if chosen else None


def _folder(paths: Sequence[Path]) -> Path:
    """The folder, which opens by what is in it; the file where the folder does not say which."""
    return paths[0].parent if paths[0].name in MAIN_FILES else paths[0]
