"""GPT-2's byte map: arithmetic, and the alphabet of the reference library."""

from __future__ import annotations

from tokenizers.pre_tokenizers import ByteLevel

from tokenloupe.core.bytemap import BYTE_OF, CHARACTERS, PRINTABLE, to_bytes, to_text


def test_is_a_bijection_of_256_bytes() -> None:
    assert len(CHARACTERS) == len(set(CHARACTERS)) == len(BYTE_OF) == 256
    assert len(PRINTABLE) == 188
    assert all(CHARACTERS[b] == chr(b) for b in PRINTABLE)
    moved = [CHARACTERS[b] for b in range(256) if b not in PRINTABLE]
    assert moved == [chr(0x100 + i) for i in range(68)]


def test_has_the_alphabet_of_tokenizers() -> None:
    assert set(CHARACTERS) == set(ByteLevel.alphabet())


def test_well_known_spellings() -> None:
    assert (to_text(b" "), to_text(b"\n")) == ("Ġ", "Ċ")
    assert to_text("日".encode()) == "æĹ¥"
    assert to_bytes("Ġhello") == b" hello"


def test_every_byte_string_survives_and_other_texts_are_no_spelling() -> None:
    everything = bytes(range(256)) * 2
    assert to_bytes(to_text(everything)) == everything
    for text in (" ", "\xad", "日", "Ġ ", "\n"):
        assert to_bytes(text) is None
