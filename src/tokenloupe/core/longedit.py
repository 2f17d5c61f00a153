"""An edit inside one very long pre-token (a megabyte of Chinese, of a letter): only the tokens near it are merged anew.

The fact used: BPE merges the pair of lowest rank, the leftmost of equal ones, so what happens on either side of a place
that no merge crosses does not depend on the other side. A sequence of tokens is therefore the BPE of its bytes exactly
when every two neighbours are the BPE of theirs. Tokens before and after the edit are kept, those of a stretch around it
made anew, and the stretch widened until both seams hold.
"""

from __future__ import annotations

import numpy as np

from .bytelevel import ByteLevelTokenizer
from .document_pieces import Run
from .store import TextStore
from .vocabulary import Int64s

#: Pre-tokens of fewer bytes are encoded as a whole.
LONG = 1024
#: Tokens on either side of the edit that are made anew at first.
AROUND = 8


def spliced(tokenizer: ByteLevelTokenizer, store: TextStore, old: Run, start: int, sizes: Int64s, ids: Int64s,
            byte_pos: int, removed: int, inserted: int) -> Run | None:
    """The tokens after an edit where one long pre-token stays one, or None when that is not so.

    old: the pre-tokens before the edit; start: their first byte; sizes, ids: the pre-tokens there are now.
    """
    if len(sizes) != 1 or len(old.sizes) != 1 or int(ids[0]) >= 0:
        return None
    size = int(sizes[0])
    least = max(LONG, 2 * tokenizer.reach)
    if min(size, old.size) < least or byte_pos < start or byte_pos + removed > start + old.size:
        return None
    if size - old.size != inserted - removed:
        return None
    starts = old.token_starts
    place, shift = byte_pos - start, inserted - removed
    left = right = AROUND
    first = int(np.searchsorted(starts, place, "right")) - 1
    last = int(np.searchsorted(starts, place + removed, "left"))
    count = len(old.ids)
    while True:
        low, high = max(first - left, 0), min(last + right, count)
        begin, end = int(starts[low]), int(starts[high]) + shift
        made = tokenizer.encode_part(store.bytes(start + begin, start + end))
        if not len(made):
            return None
        left_holds = low == 0 or _pair(tokenizer, int(old.ids[low - 1]), int(made[0]))
        right_holds = high == count or _pair(tokenizer, int(made[-1]), int(old.ids[high]))
        if left_holds and right_holds:
            break
        left, right = left * (1 if left_holds else 4), right * (1 if right_holds else 4)
    vocabulary = tokenizer.vocabulary
    rows = np.array([vocabulary.row_of(int(i)) or 0 for i in made], np.int64)
    lengths = (vocabulary.offsets[rows + 1] - vocabulary.offsets[rows]).astype(np.int32)
    new_ids = np.concatenate((old.ids[:low], made, old.ids[high:]))
    new_lengths = np.concatenate((old.lengths[:low], lengths, old.lengths[high:]))
    return Run(np.array([size], np.int32), np.array([len(new_ids)], np.int32), new_ids, new_lengths)


def _pair(tokenizer: ByteLevelTokenizer, left: int, right: int) -> bool:
    """Are two tokens the BPE of their bytes?"""
    a, b = tokenizer.vocabulary.bytes_of(left) or b"", tokenizer.vocabulary.bytes_of(right) or b""
    return [int(i) for i in tokenizer.encode_part(a + b)] == [left, right]
