"""`tokenloupe vocab` and `tokenloupe lineage`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tokenloupe.cli import main

Capture = pytest.CaptureFixture[bytes]


def answer(capsysbinary: Capture, *arguments: str) -> Any:
    assert main([*arguments, "--json", "-t", "gpt2"]) == 0
    return json.loads(capsysbinary.readouterr().out)


def test_text_exact_matches_first(capsysbinary: Capture) -> None:
    got = answer(capsysbinary, "vocab", "--text", " world")
    assert (got["total"], got["rows"][0]["id"], got["rows"][0]["bytes"]) == (50257, 995, b" world".hex())
    assert got["matches"] == len(got["rows"]) == 5
    assert got["rows"][0].keys() >= {"id", "bytes", "text", "kind", "score", "rank", "left", "right"}
    assert (got["rows"][0]["left"], got["rows"][0]["right"], got["parts"]) == (476, 335, "derived")


def test_everything_asked_for_must_hold(capsysbinary: Capture) -> None:
    got = answer(capsysbinary, "vocab", "--text", "hello", "-i", "--length", ":5", "--sort", "length")
    assert [r["text"] for r in got["rows"]] == ["hello", "Hello"] or {r["text"] for r in got["rows"]} == {
        "hello", "Hello"}
    assert [r["id"] for r in answer(capsysbinary, "vocab", "--id", "0,2-3")["rows"]] == [0, 2, 3]
    got = answer(capsysbinary, "vocab", "--bytes", "e6 88", "--limit", "1")
    assert got["matches"] > 1 and len(got["rows"]) == 1
    assert {r["kind"] for r in answer(capsysbinary, "vocab", "--kind", "special")["rows"]} == {"special"}


def test_sorting(capsysbinary: Capture) -> None:
    rows = answer(capsysbinary, "vocab", "--regex", "^[a-d]+$", "--sort", "length", "--reverse", "--limit", "0")["rows"]
    lengths = [len(r["bytes"]) for r in rows]
    assert lengths == sorted(lengths, reverse=True) and len(lengths) > 20


def test_for_people(capsysbinary: Capture) -> None:
    assert main(["vocab", "-t", "gpt2", "--text", " world", "--limit", "2"]) == 0
    out = capsysbinary.readouterr().out.decode()
    assert "5 of 50257 entries, 3 not shown" in out and "derived" in out
    assert main(["lineage", "-t", "gpt2", "995"]) == 0
    assert "feeds" in capsysbinary.readouterr().out.decode()


def test_lineage(capsysbinary: Capture) -> None:
    got = answer(capsysbinary, "lineage", "995")
    assert (got["id"], got["bytes"], got["built"]["rank"], got["derived"]) == (995, b" world".hex(), 995, True)
    assert [c["id"] for c in got["built"]["children"]] == [476, 335]
    assert got["feeds"] == [8688, 11621, 29081, 43249]  # " worldwide", ..


@pytest.mark.parametrize("arguments", [
    ["vocab", "--bytes", "0g"], ["vocab", "--regex", "("], ["vocab", "--id", "x"], ["vocab", "--script", "Klingon"],
    ["lineage", "50257"], ["lineage", "99999999999999999999"]])
def test_what_cannot_be_answered_is_one_line(arguments: list[str], capsysbinary: Capture) -> None:
    assert main([*arguments, "-t", "gpt2"]) == 1
    captured = capsysbinary.readouterr()
    assert captured.out == b"" and captured.err.count(b"\n") == 1 and captured.err.startswith(b"tokenloupe: ")


def test_wrong_command_lines(capsysbinary: Capture) -> None:
    assert main(["lineage", "x"]) == 2
    assert main(["vocab", "--limit", "-1"]) == 2
    with pytest.raises(SystemExit):
        main(["vocab", "--length", "a:b"])


def test_audit(capsysbinary: Capture) -> None:
    got = answer(capsysbinary, "vocab", "--audit")
    assert got["census"].keys() >= {"whole", "starts_mid", "ends_mid", "interior", "invalid", "byte", "special"}
    assert (got["census"]["whole"], got["census"]["byte"], got["census"]["special"]) == (49913, 256, 1)
    suspects = {x["id"]: x for x in got["unreachable"]}
    assert (suspects[124]["witness"], suspects[124]["status"]) == (None, "unreachable")  # C0
    assert suspects[94]["status"] == "context" and suspects[94]["witness"]
    assert got["totals"]["unreachable"] == sum(x["status"] == "unreachable" for x in got["unreachable"])


def test_audit_for_people_is_markdown(capsysbinary: Capture) -> None:
    assert main(["vocab", "--audit", "-t", "gpt2"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"# Audit of gpt2")


def test_against(capsysbinary: Capture) -> None:
    got = answer(capsysbinary, "vocab", "--against", "p50k_base")
    assert (got["shared"], got["only_left"], got["only_right"], got["moved"]) == (50257, 0, 24, 0)
    assert main(["vocab", "-t", "gpt2", "--against", "p50k_base"]) == 0
    assert b"24 in p50k_base alone" in capsysbinary.readouterr().out
    assert main(["vocab", "--audit", "--against", "gpt2"]) == 2
