"""Settings survive damage, another window, and values of the wrong type."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokenloupe.app.settings import RECENT, Settings, config_folder, state_folder


def test_values_are_there_in_the_next_start(tmp_path: Path) -> None:
    Settings(tmp_path / "a" / "s.json").set("theme", "dark")
    assert Settings(tmp_path / "a" / "s.json").get("theme", "system") == "dark"


def test_two_windows_do_not_overwrite_each_other(tmp_path: Path) -> None:
    one, two = Settings(tmp_path / "s.json"), Settings(tmp_path / "s.json")
    one.set("theme", "dark")
    two.set("zoom", 1.5)
    again = Settings(tmp_path / "s.json")
    assert (again.get("theme", ""), again.get("zoom", 1.0)) == ("dark", 1.5)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "\x00\xff", "[" * 100_000, "null"])
def test_a_damaged_file_means_the_defaults_and_can_be_written_again(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.json").write_text(text, "utf-8")
    settings = Settings(tmp_path / "s.json")
    assert settings.get("theme", "system") == "system"
    settings.set("theme", "light")
    assert Settings(tmp_path / "s.json").get("theme", "system") == "light"


def test_a_value_of_another_type_is_the_default(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"zoom": "big", "theme": 5, "recent_texts": [1, "a"], "wrap": "no"}')
    settings = Settings(tmp_path / "s.json")
    assert settings.get("zoom", 1.0) == 1.0 and settings.get("theme", "system") == "system"
    assert settings.recent("recent_texts") == ["a"] and settings.get("wrap", True) is True


def test_recent_files_are_newest_first_without_doubles(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "s.json")
    for i in range(15):
        settings.remember("recent_texts", f"/f{i}")
    settings.remember("recent_texts", "/f10")
    recent = settings.recent("recent_texts")
    assert recent[:3] == ["/f10", "/f14", "/f13"] and len(recent) == RECENT
    settings.forget("recent_texts", "/f14")
    assert settings.recent("recent_texts")[1] == "/f13"


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    settings = Settings(tmp_path / "file" / "s.json")
    settings.set("theme", "dark")
    assert settings.get("theme", "") == "dark"


def test_a_file_name_that_is_no_unicode_is_no_error(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "s.json")
    settings.remember("recent_texts", "/caf\udce9")
    assert len(Settings(tmp_path / "s.json").recent("recent_texts")) == 1


def test_folders_are_the_users_own() -> None:
    assert config_folder().name == "tokenloupe" and state_folder().name == "tokenloupe"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-1e999", "1" + "0" * 400])
def test_a_number_that_is_none_is_the_default(tmp_path: Path, number: str) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"zoom": ' + number + "}")
    assert Settings(file).get("zoom", 1.0) == 1.0
