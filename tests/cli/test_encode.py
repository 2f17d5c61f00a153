"""`tokenloupe encode` as a program: its JSON, its exit statuses, its one line of complaint."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tokenloupe.cli import main
from tokenloupe.cli.segmentation import segmentation, token_text

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def run() -> Run:
    def call(*arguments: str | bytes, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "tokenloupe", *arguments],
            input=stdin,
            capture_output=True,
            env={**os.environ, **env},
            check=False,
        )

    return call


def test_json_has_the_contract_s_keys_and_the_reference_s_ids(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    # ids by tiktoken 0.14.0, o200k_base: "hi" 3686, " 😀" 88038
    assert main(["encode", "--json", "hi 😀"]) == 0
    answer = json.loads(capsysbinary.readouterr().out)
    assert answer["ids"] == [3686, 88038]
    assert answer["tokens"] == [
        {"id": 3686, "bytes": "6869", "text": "hi", "start": 0, "end": 2, "kind": "normal"},
        {"id": 88038, "bytes": "20f09f9880", "text": " 😀", "start": 2, "end": 7, "kind": "normal"},
    ]
    assert answer["counts"] == {"tokens": 2, "bytes": 7, "code_points": 4, "graphemes": 4}
    assert answer["roundtrip"] == {"exact": True, "lost": []}
    assert answer["tokenizer"]["name"] == "o200k_base"
    assert answer["tokenizer"]["format"] == "tiktoken"
    assert answer["tokenizer"]["sha256"] == "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
    assert answer["tokenizer"]["vocab_size"] == 199998 + 2  # ranks and two special tokens


@pytest.mark.parametrize(
    ("special", "ids"),
    [
        ("text", [27, 91, 419, 1440, 919, 91, 29]),  # tiktoken 0.14.0, encode_ordinary
        ("parse", [199999]),
        ("parse:<|endoftext|>", [199999]),
        ("parse:<|endofprompt|>", [27, 91, 419, 1440, 919, 91, 29]),
    ],
)
def test_special_tokens_as_asked(special: str, ids: list[int], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["encode", "--json", "--special", special, "<|endoftext|>"]) == 0
    assert json.loads(capsysbinary.readouterr().out)["ids"] == ids


def test_ids_alone(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["encode", "--ids", "-t", "gpt2", "hello world"]) == 0
    assert capsysbinary.readouterr().out == f"31373 995{os.linesep}".encode()


def test_text_from_stdin_file_hex_and_argument_is_the_same(run: Run, tmp_path: Path) -> None:
    data = b"a\r\n\xff\x00\xe2\x80\xa8b"
    file = tmp_path / "f"
    file.write_bytes(data)
    answers = [
        run("encode", "--json", "-", stdin=data),
        run("encode", "--json", stdin=data),
        run("encode", "--json", "--file", str(file)),
        run("encode", "--json", "--hex", data.hex(" ")),
    ]
    assert len({a.stdout for a in answers}) == 1
    tokens = json.loads(answers[0].stdout)["tokens"]
    assert b"".join(bytes.fromhex(t["bytes"]) for t in tokens) == data
    assert next((t["start"], t["end"]) for t in tokens)[0] == 0
    assert tokens[-1]["end"] == len(data)


@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows command lines are UTF-16: there are no invalid bytes to pass"
)
def test_invalid_bytes_in_an_argument_survive(run: Run) -> None:
    answer = json.loads(run("encode", "--json", b"a\xffb").stdout)
    assert b"".join(bytes.fromhex(t["bytes"]) for t in answer["tokens"]) == b"a\xffb"


def test_jsonl_in_order_with_text_and_hex(run: Run) -> None:
    lines = (
        b'{"text": "hello world"}\n\n{"hex": "ff fe", "more": 1}\n'
        b'{"text": "\\ud83d\\ude00"}\n{"text": "a\\u2028b\xc2\x85"}\n'
    )
    done = run("encode", "--jsonl", "-", "-t", "o200k_base", stdin=lines)
    rows = [json.loads(line) for line in done.stdout.split(b"\n") if line]
    assert done.returncode == 0
    assert rows[0] == {"ids": [24912, 2375]}
    assert rows[1] == {"ids": [187, 186]}  # the two byte tokens of o200k_base
    assert len(rows) == 4


def test_jsonl_keeps_a_lone_surrogate_as_its_bytes(run: Run) -> None:
    surrogate = run("encode", "--jsonl", "-", stdin=b'{"text": "a\\ud800"}\n').stdout
    as_bytes = run("encode", "--jsonl", "-", stdin=b'{"hex": "61eda080"}\n').stdout
    assert json.loads(surrogate)["ids"] == json.loads(as_bytes)["ids"] != []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--jsonl", "-"], b"tokenloupe: standard input: the line is not JSON"),
        (["--hex", "zz"], b"'z' at digit 1 is no hex digit"),
        (["--hex", "abc"], b"an odd number of digits (3) is not whole bytes"),
        (["--file", "no such file"], b"tokenloupe: no such file: cannot be read"),
        (["-t", "no/such/tokenizer.json", "x"], b"tokenloupe: no/such/tokenizer.json: cannot be read"),
        (["--special", "parse:<none>", "x"], b"has no special token '<none>'"),
    ],
)
def test_bad_input_is_one_line_and_exit_1(run: Run, arguments: list[str], says: bytes) -> None:
    done = run("encode", *arguments, stdin=b"{not json\n")
    assert done.returncode == 1
    assert done.stdout == b""
    assert says in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--nonsense"],
        ["--special", "some", "x"],
        ["a", "--hex", "61"],
        ["--json", "--ids", "x"],
        ["--jsonl", "-", "x"],
    ],
)
def test_a_wrong_command_line_is_exit_2(run: Run, arguments: list[str]) -> None:
    done = run("encode", *arguments)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_for_people_plain_without_a_terminal(run: Run) -> None:
    text = run("encode", "-t", "gpt2", "a漢", PYTHONIOENCODING="utf-8").stdout.decode()
    assert "\x1b" not in text
    assert text.startswith("a|<e6>|<bc>|<a2>")  # gpt2 (tiktoken 0.14.0) gives U+6F22 as 162 120 95: a token a byte
    assert "round trip: exact" in text


def test_an_ascii_terminal_is_no_exception(run: Run) -> None:
    done = run("encode", "漢 😀", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"\\u6f22" in done.stdout


def test_no_qt_is_imported(run: Run) -> None:
    program = (
        "import sys; from tokenloupe.cli import main; main(['encode', '--ids', 'x'])\n"
        "sys.exit(any(m.startswith('PySide6') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        (b"ok", "ok"),
        (b"\xf0\x9f", "<f0 9f>"),
        (b"a\xf0\x9fb", "a<f0 9f>b"),
        (b"\xff\xfe", "<ff><fe>"),
        (b"\n", "\\n"),
        ("\u200d".encode(), "\\u200d"),
        (b"\x80\x80", "<80 80>"),
    ],
)
def test_token_text_never_shows_a_bare_replacement_character(piece: bytes, shown: str) -> None:
    assert token_text(piece) == shown


def test_segmentation_colours_only_when_asked() -> None:
    import tokenloupe

    encoding = tokenloupe.load("gpt2").encode("hello world\nx")
    assert segmentation(encoding, colour=False) == "hello| world|\\n\nx"
    assert segmentation(encoding, colour=True).count("\x1b[0m") == 4


@pytest.mark.parametrize(("second", "said"), [
    (b'{"text":"\xff"}', "the line is not UTF-8, line 2, byte 10"),
    (b'{"text":"a"', "the line is not JSON (Expecting ',' delimiter), line 2, column 12"),
    (b"[" * 100_000, "the line is nested too deeply, line 2"),
    (b'{"txt":"a"}', 'the line has neither "text" nor "hex", line 2; write {"text": ..} or {"hex": ..}'),
])
def test_a_line_that_cannot_be_used_is_named(second: bytes, said: str, tmp_path: Path,
                                             capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "x").write_bytes(b'{"text":"a"}\n' + second)
    assert main(["encode", "--jsonl", str(tmp_path / "x")]) == 1
    out, error = capsysbinary.readouterr()
    assert out == b'{"ids":[64]}\n' and said in error.decode() and error.count(b"\n") == 1


def test_a_pattern_for_a_file_that_has_one_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tokenizer.json").write_text('{"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}}')
    assert main(["encode", "-t", str(tmp_path / "tokenizer.json"), "--pattern", "gpt2", "a"]) == 1
    assert "a tokenizer.json file says how it splits; leave --pattern out" in capsys.readouterr().err


def test_every_line_of_ids_has_one_form(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """Whatever the array of ids is a view of (WordPiece gives every second number of one)."""
    (tmp_path / "t.json").write_text('{"pre_tokenizer": {"type": "Whitespace"}, "model": {"type": "WordPiece", '
                                     '"vocab": {"a": 0, "b": 1, "u": 2}, "unk_token": "u", '
                                     '"continuing_subword_prefix": "##", "max_input_chars_per_word": 9}}')
    (tmp_path / "x").write_text('{"text": "a b c"}\n{"text": ""}\n')
    assert main(["encode", "-t", str(tmp_path / "t.json"), "--jsonl", str(tmp_path / "x")]) == 0
    assert capsysbinary.readouterr().out == b'{"ids":[0,1,2]}\n{"ids":[]}\n'
