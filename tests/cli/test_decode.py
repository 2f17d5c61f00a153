"""`tokenloupe decode`: bytes out, unknown ids named."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tokenloupe.cli import main


def test_ids_to_bytes(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["decode", "--json", "24912", "2375"]) == 0
    answer = json.loads(capsysbinary.readouterr().out)
    assert (answer["bytes"], answer["text"], answer["unknown"]) == (b"hello world".hex(), "hello world", [])
    assert [t["id"] for t in answer["tokens"]] == [24912, 2375]


@pytest.mark.parametrize("unknown", ["-1", "2147483648", "200019", "99999999999999999999999"])
def test_an_id_that_no_token_has_is_named_and_the_rest_decoded(
    unknown: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["decode", "--json", "24912", unknown, "2375"]) == 0
    answer = json.loads(capsysbinary.readouterr().out)
    assert answer["text"] == "hello world"
    assert answer["unknown"] == [int(unknown)]
    assert answer["tokens"][1] == {"id": int(unknown), "bytes": None, "text": None}


def test_ids_that_are_not_the_tokenizers_own_for_their_text(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """o200k_base has "hello" as 24912; "he" and "llo" decode to the same text."""
    from tokenloupe.formats.bundled import load_bundled

    vocabulary = load_bundled("o200k_base").vocabulary
    he, llo = vocabulary.id_of(b"he"), vocabulary.id_of(b"llo")
    assert main(["decode", "--json", "24912", "2375"]) == 0
    assert json.loads(capsysbinary.readouterr().out)["canonical"] == {"same": True, "first": None}
    assert main(["decode", "--json", str(he), str(llo), "2375"]) == 0
    assert json.loads(capsysbinary.readouterr().out)["canonical"] == {
        "same": False, "first": 0, "given": he, "own": 24912, "ids": [24912, 2375]}
    assert main(["decode", str(he), str(llo)]) == 0
    assert b"not canonical: encoding this text gives 24912 at index 0" in capsysbinary.readouterr().out
    assert main(["decode", "--json", "199999"]) == 0  # <|endoftext|> is matched when it is among the ids
    assert json.loads(capsysbinary.readouterr().out)["canonical"]["same"]


def test_partial_characters_keep_their_bytes(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["decode", "--json", "187", "186"]) == 0
    assert json.loads(capsysbinary.readouterr().out)["bytes"] == "fffe"


def test_ids_may_be_a_list_with_commas(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("[24912, 2375]\n"))
    assert main(["decode", "--json"]) == 0
    assert json.loads(capsysbinary.readouterr().out)["text"] == "hello world"


def test_jsonl(capsysbinary: pytest.CaptureFixture[bytes], tmp_path: object) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "ids.jsonl"
    file.write_text('{"ids": [24912, 2375]}\n{"ids": []}\n', "utf-8")
    assert main(["decode", "--jsonl", str(file)]) == 0
    rows = [json.loads(x) for x in capsysbinary.readouterr().out.splitlines()]
    assert rows == [{"bytes": b"hello world".hex(), "text": "hello world"}, {"bytes": "", "text": ""}]


@pytest.mark.parametrize("word", ["x", "1.5", "0x10"])
def test_a_word_that_is_no_id_is_named(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decode", word]) == 1
    error = capsys.readouterr().err
    assert repr(word) in error
    assert error.count("\n") == 1


def test_an_unknown_id_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decode", "24912", "99999999"]) == 0
    said = capsys.readouterr()
    assert said.err == "tokenloupe: note: no such token in o200k_base: 99999999\n" and "canonical" not in said.out


def test_a_line_of_ids_that_is_a_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text("[1, 2]")
    assert main(["decode", "--jsonl", str(tmp_path / "x")]) == 1
    assert capsys.readouterr().err.endswith('the line is not a JSON object, line 1; write {"ids": [1, 2]}\n')
