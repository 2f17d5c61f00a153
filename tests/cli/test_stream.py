"""`tokenloupe stream`: the answers are those of the command line's description, and errors are one line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tokenloupe.cli import common, main
from tokenloupe.core.tokenizer import Encoding, SpecialMode, Tokenizer
from tokenloupe.core.vocabulary import TokenKind, Vocabulary

SIX = ["naive-go", "naive-unicode", "buffered", "valid-prefix", "hf-decode-stream", "grapheme"]
BOOK = "476fe2,82ace286,92f09f,9982"


class ByteTokens(Tokenizer):
    """One token a byte, and <end>, 256."""

    name, format, sha256 = "bytes", "test", ""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary.build([*((b, bytes([b])) for b in range(256)), (256, b"<end>")],
                                           kinds={256: TokenKind.SPECIAL})
        self.special_tokens, self.added_tokens = {"<end>": 256}, {}

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        import numpy as np

        ids = np.frombuffer(data, np.uint8).astype(np.int64)
        return Encoding(data, ids, np.arange(len(ids)), np.arange(1, len(ids) + 1), np.zeros(len(ids), np.uint8),
                        self.vocabulary)


def answer(capfdbinary: pytest.CaptureFixture[bytes], *arguments: str) -> Any:
    assert main(["stream", *arguments, "--json"]) == 0
    return json.loads(capfdbinary.readouterr().out)


def complaint(capfdbinary: pytest.CaptureFixture[bytes], *arguments: str) -> str:
    assert main(["stream", *arguments]) == 1
    captured = capfdbinary.readouterr()
    assert captured.out == b"" and captured.err.count(b"\n") == 1 and captured.err.startswith(b"tokenloupe: ")
    return captured.err.decode()


def test_the_book_table(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    found = answer(capfdbinary, "--chunks", BOOK)
    assert [list(step["out"]) for step in found["steps"]] == [SIX] * 4
    assert [s["out"]["naive-go"] for s in found["steps"]] == ["Go\ufffd", "\ufffd" * 4, "\ufffd" * 3, "\ufffd" * 2]
    assert [s["out"]["buffered"] for s in found["steps"]] == ["Go", "€", "→", "🙂"]
    assert [s["bytes"] for s in found["steps"]] == BOOK.split(",")
    assert [s["held"] for s in found["steps"]] == ["e2", "e286", "f09f", ""]
    assert found["joined"]["buffered"] == "Go€→🙂" and found["flush"] == {**dict.fromkeys(SIX, ""), "grapheme": "🙂"}
    assert found["stop"]["matched"] is None and found["stop"]["text"] == "Go€→🙂"
    assert found["replacements"]["naive-go"][0] == {
        "index": 2, "start": 2, "end": 3, "step": 0, "kind": "cut",
        "cause": "“€” (E2 82 AC) was decoded before its 3 bytes were together: here E2"}


def test_chosen_policies_and_the_flush(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    found = answer(capfdbinary, "--chunks", "61,f09f", "--policy", "hf-decode-stream", "--policy", "naive-unicode")
    assert found["policies"] == ["hf-decode-stream", "naive-unicode"]
    assert set(found["flush"]) == set(found["joined"]) == {"hf-decode-stream", "naive-unicode"}
    assert found["lost"]["hf-decode-stream"] == "f09f" and [s["held"] for s in found["steps"]] == ["", "f09f"]
    assert answer(capfdbinary, "--chunks", "61,f09f", "--policy", "buffered")["flush"] == {"buffered": "\ufffd"}


def test_stop_strings_act_after_the_decoder(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    found = answer(capfdbinary, "--chunks", "78c3,a979", "--stop", "é", "--stop", "zz")
    assert found["stop"]["matched"] == "é" and found["stop"]["text"] == "x"
    assert found["stop"]["by_policy"]["naive-go"] == {"matched": None, "text": "x\ufffd\ufffdy"}
    assert found["joined"]["buffered"] == "xéy"  # the decoder itself knows nothing of stops
    none = answer(capfdbinary, "--chunks", "6162", "--stop", "bc")
    assert none["stop"]["matched"] is None and none["stop"]["text"] == "ab"


def test_tokens(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "load_tokenizer", lambda args: ByteTokens())
    found = answer(capfdbinary, "--text", "é!", "--policy", "buffered")
    assert [s["out"]["buffered"] for s in found["steps"]] == ["", "é", "!"]
    assert [s["id"] for s in found["steps"]] == [0xC3, 0xA9, 0x21]
    found = answer(capfdbinary, "--ids", "72 105,256", "--policy", "buffered", "--skip-special")
    assert found["joined"] == {"buffered": "Hi"}
    found = answer(capfdbinary, "--ids", "72,9999", "--policy", "buffered")
    assert found["joined"] == {"buffered": "H"} and "9999" in found["notes"][0]
    assert "'x' is no token id" in complaint(capfdbinary, "--ids", "1,x")


def test_a_prompt_told_and_untold(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    untold = answer(capfdbinary, "--chunks", "61f09f,9982,62", "--prompt", "1", "--policy", "buffered")
    assert untold["joined"]["buffered"] == "\ufffd\ufffdb" and len(untold["steps"]) == 2
    told = answer(capfdbinary, "--chunks", "61f09f,9982,62", "--prompt", "1", "--tell-prompt", "--policy", "buffered")
    assert told["joined"]["buffered"] == "🙂b"
    assert "does not fit" in complaint(capfdbinary, "--chunks", "61", "--prompt", "2")


def test_recordings(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = b'data: {"choices":[{"delta":{"content":"H\xc3\xa9"}}]}\n\ndata: [DONE]\n\n'
    file = tmp_path / "stream.sse"
    file.write_bytes(line)
    assert answer(capfdbinary, "--recording", str(file))["joined"]["buffered"] == "Hé"
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(line)))
    assert answer(capfdbinary, "--recording", "-")["joined"]["buffered"] == "Hé"
    file.write_bytes(b"nothing")
    assert f"tokenloupe: {file}: no text is found" in complaint(capfdbinary, "--recording", str(file))
    assert "cannot be read" in complaint(capfdbinary, "--recording", str(tmp_path / "none"))


def test_for_people(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["stream", "--scenario", "stop-in-two-tokens"]) == 0
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert lines[0].split() == ["step", "bytes", "naive-go", "naive-unicode", "buffered", "shared-utf8", "shared-stop"]
    assert any(line.startswith("shared-utf8") and "is missed" in line for line in lines)


@pytest.mark.parametrize("suffix", [".md", ".csv", ".html"])
def test_out(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"steps{suffix}"
    assert main(["stream", "--chunks", BOOK, "--policy", "naive-go", "--out", str(file)]) == 0
    assert "Go\ufffd" in file.read_text("utf-8") and "buffered" not in file.read_text("utf-8")
    assert capfdbinary.readouterr().out == b""


@pytest.mark.parametrize(("arguments", "says"), [
    (("--chunks", "0"), "chunk 1"),
    (("--chunks", "61", "--stop", ""), "a stop string is empty"),
    (("--scenario", "nonsense"), "choose from euro-arrow-smile"),
    (("--chunks", "61", "--out", "steps.txt"), "name the file .md, .csv or .html"),
    (("--chunks", "61", "--out", "no-such-folder/steps.md"), "cannot be written"),
])
def test_complaints(capfdbinary: pytest.CaptureFixture[bytes], arguments: tuple[str, ...], says: str) -> None:
    assert says in complaint(capfdbinary, *arguments)


@pytest.mark.parametrize("arguments", [(), ("--chunks", "61", "--ids", "1"), ("--chunks", "61", "--policy", "best")])
def test_a_wrong_command_line(arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["stream", *arguments])
    assert caught.value.code == 2


def test_a_scenario_with_a_prompt_of_ones_own(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    found = answer(capfdbinary, "--scenario", "metaspace", "--prompt", "2")
    assert found["joined"]["buffered"] == " sat on the mat."
