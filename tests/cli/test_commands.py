"""What holds for every subcommand, read from the one list."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tokenloupe import __main__ as program
from tokenloupe.cli import COMMANDS, build_parser, command, main


@pytest.mark.parametrize("name", COMMANDS)
def test_a_subcommand_has_the_four_names(name: str) -> None:
    module = command(name)
    assert name == module.NAME
    assert module.HELP
    assert callable(module.run)
    assert build_parser(name).prog == "tokenloupe"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_exit_0(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    assert "--json" in capsys.readouterr().out or name == "render"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    from tokenloupe import __version__

    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.strip() == f"tokenloupe {__version__}"


@pytest.mark.parametrize(("word", "hint"), [("enc", "did you mean `encode`?"), ("lineages", "did you mean `lineage`?"),
                                            ("x" * 5000, "--help"), ("no\nfile.txt", "--help")])
def test_a_word_that_is_no_command_and_no_file(word: str, hint: str, monkeypatch: pytest.MonkeyPatch,
                                               capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["tokenloupe", word, "hi"])
    monkeypatch.setattr(program, "window", lambda files: pytest.fail("the window"))
    assert program.main() == 2
    error = capsys.readouterr().err
    assert hint in error and "is no command and no file" in error and error.count("\n") == 1


def test_files_go_to_the_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("a")
    monkeypatch.setattr("sys.argv", ["tokenloupe", str(tmp_path / "a.txt"), str(tmp_path)])
    monkeypatch.setattr(program, "window", lambda files: 40 + len(files))
    assert program.main() == 42


@pytest.mark.parametrize("command", ["encode --file", "encode --jsonl", "decode --jsonl", "vocab -t", "tensors"])
def test_an_empty_name_is_not_the_current_folder(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), ""]) == 1
    assert capsys.readouterr().err.startswith("tokenloupe: no ")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such names")
def test_a_name_of_any_bytes_is_on_one_printable_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encode", "--file", "/no/\x1b[31m\n\udcff"]) == 1
    assert capsys.readouterr().err == ("tokenloupe: /no/\\x1b[31m\\n\\udcff: cannot be read (No such file or "
                                       "directory); check the path and its permissions\n")


@pytest.mark.parametrize("words", [("vocab", "--audit", "--text", "x"), ("vocab", "--against", "gpt2", "--id", "5"),
                                   ("doctor", "--picture", "x.png"), ("encode", "--case", "x", "-t", "gpt2")])
def test_an_option_that_would_do_nothing_is_a_wrong_command_line(words: tuple[str, ...],
                                                                 capsys: pytest.CaptureFixture[str]) -> None:
    assert main(list(words)) == 2
    assert capsys.readouterr().err.count("\n") == 1
