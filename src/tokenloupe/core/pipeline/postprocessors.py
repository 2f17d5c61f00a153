"""Post-processors: the tokens put around a text (BOS, EOS, [CLS], [SEP]).

    >>> make_template(Fields({"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]}, "post_processor"))
    [1, None, 2]

A template is a list of ids with None where the text's own tokens go.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import InputError
from .fields import Fields, unknown_stage

Template = list[int | None]


def _around(f: Fields) -> Template:
    ends: list[int] = []
    for key in ("cls", "sep"):
        pair = f.get(key, list)
        if len(pair) != 2 or not isinstance(pair[1], int):
            raise InputError(f"{key!r} should be a token and its id", where=f.where)
        ends.append(pair[1])
    return [ends[0], None, ends[1]]


def _template(f: Fields) -> Template:
    tokens = f.get("special_tokens", dict)
    out: Template = []
    for piece in f.objects("single"):
        if "Sequence" in piece.value:
            if Fields(piece.value["Sequence"], piece.where).get("id", str) != "A":
                raise InputError("the template of a single text has a second text", where=piece.where)
            out.append(None)
        elif "SpecialToken" in piece.value:
            name = Fields(piece.value["SpecialToken"], piece.where).get("id", str)
            if name not in tokens:
                raise InputError(f"the template's token {name!r} is not among its special_tokens", where=piece.where)
            ids = Fields(tokens[name], f"{f.where}.special_tokens[{name!r}]").get("ids", list)
            if not all(isinstance(i, int) and i >= 0 for i in ids):
                raise InputError(f"the ids of {name!r} are not all numbers", where=f.where)
            out += ids
        else:
            raise InputError("a part of the template is neither Sequence nor SpecialToken", where=piece.where)
    return out


POST_PROCESSORS: dict[str, Callable[[Fields], Template]] = {
    "TemplateProcessing": _template,
    "BertProcessing": _around,
    "RobertaProcessing": _around,
    "ByteLevel": lambda f: [None],
}


def make_template(fields: Fields) -> Template:
    """A Sequence applies its parts in turn, each around the result of the one before."""
    if fields.kind == "Sequence":
        made: Template = [None]
        for part in fields.objects("processors"):
            made = [x for item in make_template(part) for x in (made if item is None else [item])]
        return made
    if fields.kind not in POST_PROCESSORS:
        raise unknown_stage("post-processor", fields, {**POST_PROCESSORS, "Sequence": None})
    return POST_PROCESSORS[fields.kind](fields)


def stage_names(fields: Fields) -> list[str]:
    if fields.kind == "Sequence":
        return [name for part in fields.objects("processors") for name in stage_names(part)]
    return [fields.kind]
