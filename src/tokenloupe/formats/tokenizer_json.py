"""tokenizer.json of the Hugging Face `tokenizers` library, read strictly.

    tokenizer = open_tokenizer("tokenizer.json")

The JSON is checked here (what is wrong, and where: line, key, merge number); the stages are made by core/pipeline.
What the file asks for and this program does not do (dropout, truncation, padding) is said in the warnings.
"""

from __future__ import annotations

import gc
from typing import Any

from ..core.errors import InputError
from ..core.pipeline.added import AddedToken, AddedTokens
from ..core.pipeline.aligned import Aligned
from ..core.pipeline.decoders import make_decoders
from ..core.pipeline.fields import Fields
from ..core.pipeline.normalizers import make_normalizers
from ..core.pipeline.postprocessors import Template, make_template, stage_names
from ..core.pipeline.pretokenizers import make_pre_tokenizers
from ..core.pipeline_bytelevel import with_engine
from ..core.pipeline_tokenizer import PipelineTokenizer, Stages
from ..core.tokenizer import Tokenizer
from .hf_folder import beside
from .hf_json import parse
from .hf_model import make_model
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
    try:
        warnings: list[str] = []
        value = parse(source.data, warnings)
        return build(value, source, warnings)
    except InputError as error:
        where = ", ".join(x for x in (source.name, error.where) if x)
        raise InputError(error.what, where=where, todo=error.todo) from error
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

    def part(key: str) -> Fields | None:
        found = root.value.get(key)
        return None if found is None else Fields(found, key)

    normalizer, pre, post, decoder = map(part, ("normalizer", "pre_tokenizer", "post_processor", "decoder"))
    normalizers = make_normalizers(normalizer) if normalizer else []
    pre_tokenizers = make_pre_tokenizers(pre) if pre else []
    decoders = make_decoders(decoder) if decoder else None
    template: Template = make_template(post) if post else [None]
    model = make_model(Fields(root.value["model"], "model"), warnings)
    for key in ("truncation", "padding"):
        if root.value.get(key) is not None:
            warnings.append(f"the file asks for {key}: it is not applied")
    tokens = added_tokens(root.get("added_tokens", list)) if root.value.get("added_tokens") is not None else []
    extra, template = beside(source, tokens, model.vocab, template, warnings)

    def normalized(text: str) -> str:
        aligned = Aligned.of(text.encode("utf-8"))
        for stage in normalizers:
            aligned = stage.apply(aligned)
        return aligned.text

    added = AddedTokens([*tokens, *extra], model.vocab, model.size, normalized)
    stages = Stages(normalizers, pre_tokenizers, model, template, stage_names(post) if post else [], decoders)
    return with_engine(PipelineTokenizer(source.name, source.sha256, stages, added, warnings))


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
