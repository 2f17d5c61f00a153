"""A GGUF vocabulary on the byte-level engine (gpt2's model, the slowest to read) <-> what the cache keeps of it.

    kept = freeze(tokenizer)                # None: of another model, which is not kept
    tokenizer = thaw(kept, "model.gguf")
"""

from __future__ import annotations

from ..core.llamacpp import LlamaEnds
from ..core.llamacpp_bpe import LlamaByteLevel
from ..core.llamacpp_marks import Mark, Marks
from ..core.llamacpp_split import LlamaSplitter, splitter
from ..core.tokenizer import Tokenizer
from .cache_file import Stored
from .stored import get_vocabulary, give_slots, put_slots, put_vocabulary


def freeze(tokenizer: Tokenizer) -> Stored | None:
    if type(tokenizer) is not LlamaByteLevel or not isinstance(tokenizer.splitter, LlamaSplitter):
        return None
    found = getattr(tokenizer.matcher, "marks", None)  # of one matcher its Marks, of Marks themselves the list
    marks = found.marks if isinstance(found, Marks) else found
    if marks is None or tokenizer.merges is not tokenizer.vocabulary.merges:
        return None
    each = [m if isinstance(m, Mark) else Mark(*m) for m in marks]
    meta = {
        "sha256": tokenizer.sha256, "group": tokenizer.splitter.group, "ignore_merges": tokenizer.ignore_merges,
        "clean_spaces": tokenizer.clean_spaces,
        "marks": [(m.text.decode("latin-1"), m.id, m.only_parsed, m.lstrip, m.rstrip) for m in each],
        "before": tokenizer.ends.before, "after": tokenizer.ends.after, "warnings": list(tokenizer.warnings),
        "extra": tokenizer.extra,
    }
    return Stored(meta, put_vocabulary(tokenizer.vocabulary) | put_slots(tokenizer))


def thaw(kept: Stored, name: str) -> LlamaByteLevel:
    meta = kept.meta
    vocabulary = get_vocabulary(kept.arrays)
    if vocabulary.merges is None:
        raise ValueError("merges")
    marks = Marks([Mark(text.encode("latin-1"), *rest) for text, *rest in meta["marks"]])
    made = LlamaByteLevel(
        name, meta["sha256"], vocabulary, splitter(meta["group"]), vocabulary.merges, marks,
        LlamaEnds(tuple(meta["before"]), tuple(meta["after"])), ignore_merges=meta["ignore_merges"],
        clean_spaces=meta["clean_spaces"],
        warnings=meta["warnings"], extra=meta["extra"],
    )
    give_slots(made, kept.arrays)
    return made
