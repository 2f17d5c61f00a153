"""A real merge_rules.gob of the seed: read, and written again byte for byte."""

from __future__ import annotations

from pathlib import Path

from tokenloupe.formats import open_tokenizer
from tokenloupe.formats.gob_codec import read_gob, write_merge_rules


def test_real_file(shared: Path) -> None:
    path = shared / "real" / "itsubaki-merge_rules.gob"
    value = read_gob(path.read_bytes())
    assert [value["Dict"][pair] for pair in value["Order"]] == list(range(256, 999))
    assert write_merge_rules(value["Order"], value["Dict"]) == path.read_bytes()
    tokenizer = open_tokenizer(path)
    assert tokenizer.vocabulary.size == 256 + 743 + 1
    assert tokenizer.special_tokens == {"<|endoftext|>": 999}
    found = tokenizer.encode("Hello<|endoftext|> 世界")
    assert 999 in found.ids.tolist() and found.exact
