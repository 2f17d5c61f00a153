"""Post-processors: the tokens put around a text (BOS, EOS, [CLS], [SEP]).

    >>> make_template(Fields({"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]}, "post_processor"))
    [1, None, 2]

A template is a list of ids with None where the text's own tokens go. While the stages of a Sequence are applied, it is
in groups, as in the library: TemplateProcessing makes one of every part, and BertProcessing puts its [SEP] after each.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import InputError
from .fields import Fields, unknown_stage

Template = list[int | None]
Groups = list[Template]


def _ends(f: Fields) -> tuple[int, int]:
    """(start, end) ids of BertProcessing and RobertaProcessing."""
    ends: list[int] = []
    for key in ("cls", "sep"):
        pair: list[object] = f.get(key, list)
        if len(pair) != 2 or not isinstance(pair[1], int):
            raise InputError(f"{key!r} should be a token and its id", where=f.where)
        ends.append(pair[1])
    return ends[0], ends[1]


def _bert(f: Fields, groups: Groups) -> Groups:
    start, end = _ends(f)
    return [[*([] if i else [start]), *group, end] for i, group in enumerate(groups)]


def _roberta(f: Fields, groups: Groups) -> Groups:
    start, end = _ends(f)
    return [[end if i else start, *group, end] for i, group in enumerate(groups)]


def _template(f: Fields, groups: Groups) -> Groups:
    if len(groups) > 2:  # the library has no answer for more than two
        groups = [[item for group in groups for item in group]]
    names = "AB"[: len(groups)]
    tokens: dict[str, object] = f.get("special_tokens", dict)
    out: Groups = []
    for piece in f.objects("single" if len(groups) == 1 else "pair"):
        if "Sequence" in piece.value:
            name: str = Fields(piece.value["Sequence"], piece.where).get("id", str)
            if name not in names:
                raise InputError(f"the template has a text {name!r} that there is not", where=piece.where)
            out.append(groups[names.index(name)])
        elif "SpecialToken" in piece.value:
            name = Fields(piece.value["SpecialToken"], piece.where).get("id", str)
            if name not in tokens:
                raise InputError(f"the template's token {name!r} is not among its special_tokens", where=piece.where)
            ids: list[int] = Fields(tokens[name], f"{f.where}.special_tokens[{name!r}]").get("ids", list)
            if not all(isinstance(i, int) and i >= 0 for i in ids):
                raise InputError(f"the ids of {name!r} are not all numbers", where=f.where)
            out.append([*ids])
        else:
            raise InputError("a part of the template is neither Sequence nor SpecialToken", where=piece.where)
    return out


POST_PROCESSORS: dict[str, Callable[[Fields, Groups], Groups]] = {
    "TemplateProcessing": _template,
    "BertProcessing": _bert,
    "RobertaProcessing": _roberta,
    "ByteLevel": lambda f, groups: groups,
}


def make_template(fields: Fields) -> Template:
    """What the stage (or the Sequence of them) puts around one text."""
    groups = _applied(fields, [[None]])
    return [item for group in groups for item in group]


def _applied(fields: Fields, groups: Groups) -> Groups:
    if fields.kind == "Sequence":
        for part in fields.objects("processors"):
            groups = _applied(part, groups)
        return groups
    if fields.kind not in POST_PROCESSORS:
        raise unknown_stage("post-processor", fields, {**POST_PROCESSORS, "Sequence": None})
    return POST_PROCESSORS[fields.kind](fields, groups)


def stage_names(fields: Fields) -> list[str]:
    if fields.kind == "Sequence":
        return [name for part in fields.objects("processors") for name in stage_names(part)]
    return [fields.kind]
