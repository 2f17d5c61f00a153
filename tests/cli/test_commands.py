"""What holds for every subcommand, read from the one list."""

from __future__ import annotations

import pytest

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
