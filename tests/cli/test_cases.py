"""`encode --case` and `--save-case`: a case made in a terminal holds, and says what differs when it does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokenloupe.cli import main
from tokenloupe.core.case_file import loads


@pytest.fixture
def case(tmp_path: Path, capsys) -> Path:
    (tmp_path / "in.bin").write_bytes(b"hello world\xff")
    arguments = ["encode", "-t", "gpt2", "--file", str(tmp_path / "in.bin"), "--save-case", str(tmp_path / "a.loupe")]
    assert main([*arguments, "--ids"]) == 0
    assert capsys.readouterr().out.startswith("31373 995 ")
    return tmp_path / "a.loupe"


def test_a_case_holds(case: Path, capsys) -> None:
    made = loads(case.read_bytes())
    assert made.data == b"hello world\xff" and made.name == "in.bin" and made.ids.tolist()[:2] == [31373, 995]
    assert main(["encode", "--case", str(case), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["case"] == {"same": True, "problems": []} and said["ids"] == made.ids.tolist()
    assert said["tokenizer"]["name"] == "gpt2"


def test_what_differs_is_told_and_the_status_is_1(case: Path, capsys) -> None:
    values = json.loads(case.read_bytes())
    values["ids"][1] = 7
    case.write_text(json.dumps(values))
    assert main(["encode", "--case", str(case), "--json"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["case"]["same"] is False
    assert said.err == f"tokenloupe: {case}: token 1 is 995, in the case 7\n"


@pytest.mark.parametrize(("key", "value", "says"), [
    ("ids", "x", 'is not a list, key "ids"'),
    ("tokenizer", {"name": "n", "format": "f", "sha256": "ab" * 32, "source": "gone", "options": {}}, "is not here"),
])
def test_a_case_that_cannot_be_used_is_one_line(case: Path, capsys, key: str, value: object, says: str) -> None:
    values = json.loads(case.read_bytes())
    values[key] = value
    case.write_text(json.dumps(values))
    assert main(["encode", "--case", str(case)]) == 1
    said = capsys.readouterr()
    assert says in said.err and said.err.count("\n") == 1 and said.out == ""


@pytest.mark.parametrize("beside", [["text"], ["--hex", "00"], ["--special", "parse"], ["--bos-eos"],
                                    ["--save-case", "b"]])
def test_nothing_beside_a_case(case: Path, beside: list[str], capsys) -> None:
    assert main(["encode", "--case", str(case), *beside]) == 2
    assert "give none beside it" in capsys.readouterr().err


def test_a_place_that_cannot_be_written(tmp_path: Path, capsys) -> None:
    assert main(["encode", "hi", "--save-case", str(tmp_path / "no" / "a.loupe")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_people_are_told_that_a_case_holds(case: Path, capsys) -> None:
    assert main(["encode", "--case", str(case)]) == 0
    assert capsys.readouterr().out.endswith("the case holds: the very tokenizer, and the same ids\n")


def test_a_case_takes_no_folders_and_no_devices_place(tmp_path: Path, capsys) -> None:
    for place in (tmp_path, Path("/dev/null")):
        if place.exists():
            assert main(["encode", "--ids", "hi", "--save-case", str(place)]) == 1
            assert f"{place.name} is no file" in capsys.readouterr().err
            assert not place.is_file()


def test_a_link_to_a_case_stays_a_link(case: Path, capsys) -> None:
    link = case.with_name("link.loupe")
    try:
        link.symlink_to(case)
    except OSError:
        pytest.skip("no links here")
    assert main(["encode", "--ids", "other", "--save-case", str(link)]) == 0
    assert link.is_symlink() and loads(case.read_bytes()).data == b"other"
