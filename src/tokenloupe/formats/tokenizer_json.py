"""tokenizer.json of the Hugging Face `tokenizers` library, read strictly.

    tokenizer = open_tokenizer("tokenizer.json")

The JSON is checked here (what is wrong, and where: line, key, merge number); the stages are made by core/pipeline.
What the file asks for and this program does not do (dropout, truncation, padding) is said in the warnings. A file with
a stage that is not known is a StageError; the option vocabulary_only opens what can be opened of it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import InputError, StageError
from ..core.pipeline.added import AddedToken, AddedTokens
from ..core.pipeline.aligned import Aligned
from ..core.pipeline.decoders import Decoder, make_decoders
from ..core.pipeline.fields import Fields
from ..core.pipeline.models.base import Model
from ..core.pipeline.normalizers import Normalizer, make_normalizers
from ..core.pipeline.postprocessors import Template, make_template, stage_names
from ..core.pipeline.pretokenizers import PreTokenizer, make_pre_tokenizers
from ..core.pipeline.vocabulary_of import build_vocabulary
from ..core.pipeline_bytelevel import with_engine
from ..core.pipeline_tokenizer import PipelineTokenizer, Stages
from ..core.tokenizer import Tokenizer
from ..core.vocabulary_only import VocabularyOnly
from . import stored_json
from .cache import through
from .cache_file import Stored
from .hf_folder import beside, contents_beside
from .hf_json import parse
from .hf_model import any_model, make_model
from .registry import Format, Source

KEYS = (b'"added_tokens"', b'"normalizer"', b'"pre_tokenizer"', b'"truncation"', b'"post_processor"')


def sniff(source: Source) -> int:
    head = source.head
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head.replace(b"\0", b"")[2:]
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head.startswith(b"{"):
        return 1 if head.startswith(b"[[[") else 0  # no tokenizer at all, but the JSON reader can say why
    if any(key in head for key in KEYS):
        return 90
    if b'"model"' in head and (b'"vocab"' in head or b'"type"' in head):
        return 80
    return 40 if b'"version"' in head and b'"model"' in source.data else 0


def load(source: Source, options: dict[str, str]) -> Tokenizer:
    collecting = gc.isenabled()
    gc.disable()  # half a million small lists at once: the collector would look at all of them again and again
    without: dict[str, Any] = {}

    def fresh() -> Tokenizer:
        warnings: list[str] = []
        value = parse(source.data, warnings)
        made = build(value, source, warnings)
        without.update(stored_json.without_tables(value))
        return made

    try:
        if options.get("vocabulary_only"):
            return opened_alone(source)
        return through("tokenizer.json", source, load=fresh, freeze=lambda made: stored_json.freeze(made, without),
                       thaw=lambda kept: thaw(kept, source), options=contents_beside(source))
    except InputError as error:
        where = ", ".join(x for x in (source.name, error.where) if x)
        raise type(error)(error.what, where=where, todo=error.todo) from error
    finally:
        if collecting:
            gc.enable()


def build(value: Any, source: Source, warnings: list[str]) -> Tokenizer:
    root = Fields(value, "")
    if "model" not in root.value:
        raise InputError('there is no "model"', todo="this is not a tokenizer.json")
    version = root.value.get("version")
    if version is not None and version != "1.0":
        warnings.append(f"the file's version is {version!r}, not '1.0': the library refuses it")
    try:
        stages = _stages(root)
        model = make_model(Fields(root.value["model"], "model"), warnings)
    except InputError as error:
        if _vocabulary_remains(root):
            raise StageError(error.what, where=error.where, todo=error.todo) from error
        raise
    for key in ("truncation", "padding"):
        if root.value.get(key) is not None:
            warnings.append(f"the file asks for {key}: it is not applied")
    tokens = added_tokens(root.get("added_tokens", list)) if root.value.get("added_tokens") is not None else []
    extra, template = beside(source, tokens, model.vocab, stages.template, warnings)
    added = AddedTokens([*tokens, *extra], model.vocab, model.size, _normalized(stages.normalizers))
    return with_engine(PipelineTokenizer(source.name, source.sha256, stages.of(model, template), added, warnings))


def opened_alone(source: Source) -> Tokenizer:
    """The vocabulary of a file with a stage that cannot be run; the whole tokenizer when all can."""
    warnings: list[str] = []
    value = parse(source.data, warnings)
    try:
        return build(value, source, list(warnings))
    except StageError as error:
        return vocabulary_alone(Fields(value, ""), source, warnings, error)


def vocabulary_alone(root: Fields, source: Source, warnings: list[str], why: InputError) -> VocabularyOnly:
    """why: what is the matter with the other stages. InputError: there is no vocabulary that can be read, either."""
    model = any_model(Fields(root.value["model"], "model"))
    listed = root.value.get("added_tokens")
    tokens = added_tokens(listed) if isinstance(listed, list) else []
    try:
        decoder = root.value.get("decoder")
        decoders = make_decoders(Fields(decoder, "decoder")) if decoder is not None else None
    except InputError:
        decoders = None
        warnings.append("the decoder cannot be run: entries are shown as the file spells them")
    added = AddedTokens(tokens, model.vocab, model.size)
    said = f"{why.what}, {why.where}: only the vocabulary is open, and a text gives no tokens"
    return VocabularyOnly(source.name, "tokenizer.json", source.sha256, build_vocabulary(model, added, decoders),
                          why.where, (said, *warnings, *added.warnings), added.texts(special=True),
                          added.texts(special=False))


def _vocabulary_remains(root: Fields) -> bool:
    try:
        any_model(Fields(root.value["model"], "model"))
    except InputError:
        return False
    return True


def thaw(kept: Stored, source: Source) -> Tokenizer:
    """The same out of the cache."""
    stages = _stages(Fields(kept.meta["root"], ""))
    return stored_json.thaw(kept, source.name, source.sha256, stages.of, _normalized(stages.normalizers))


@dataclass(frozen=True, slots=True)
class _Parts:
    """The stages of a file without its model."""

    normalizers: list[Normalizer]
    pre_tokenizers: list[PreTokenizer]
    template: Template
    post_names: list[str]
    decoders: list[Decoder] | None

    def of(self, model: Model, template: Template) -> Stages:
        return Stages(self.normalizers, self.pre_tokenizers, model, template, self.post_names, self.decoders)


def _stages(root: Fields) -> _Parts:
    def part(key: str) -> Fields | None:
        found = root.value.get(key)
        return None if found is None else Fields(found, key)

    normalizer, pre, post, decoder = map(part, ("normalizer", "pre_tokenizer", "post_processor", "decoder"))
    return _Parts(make_normalizers(normalizer) if normalizer else [], make_pre_tokenizers(pre) if pre else [],
                  make_template(post) if post else [None], stage_names(post) if post else [],
                  make_decoders(decoder) if decoder else None)


def _normalized(normalizers: Sequence[Normalizer]) -> Callable[[str], str]:
    def run(text: str) -> str:
        aligned = Aligned.of(text.encode("utf-8"))
        for stage in normalizers:
            aligned = stage.apply(aligned)
        return aligned.text

    return run


FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


def added_tokens(value: Any) -> list[AddedToken]:
    """The entries of "added_tokens": thousands in some files, so the checks are made in one go where all is well."""
    made = []
    for index, entry in enumerate(value):
        try:
            token = AddedToken(entry["content"], entry["id"], *[entry[k] for k in FLAGS])
        except (KeyError, TypeError):
            token = None
        if token is None or (type(token.content), type(token.file_id), *map(type, token.flags[1:])) != _KINDS or not (
            0 <= token.file_id < 1 << 32
        ):
            token = _checked(Fields(entry, f"added_tokens[{index}]"))
        made.append(token)
    return made


_KINDS = (str, int, bool, bool, bool, bool, bool)


def _checked(f: Fields) -> AddedToken:
    token_id = f.get("id", int)
    if not 0 <= token_id < 1 << 32:
        raise InputError(f"the id {token_id} is not between 0 and 4294967295", where=f.where)
    return AddedToken(f.get("content", str), token_id, *(f.get(k, bool) for k in FLAGS))


FORMAT = Format("tokenizer.json", "Hugging Face tokenizers", (".json",), sniff, load)
