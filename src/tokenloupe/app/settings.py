"""What the program remembers of the user: one JSON file in the user's configuration folder, written atomically.

    settings = Settings()
    settings.get("theme", "system")
    settings.set("theme", "dark")            # written at once, merged with what another window has written

A file that cannot be read is set aside and the defaults are used: settings never keep the window from opening.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from pathlib import Path
from typing import Any, TypeVar

Value = TypeVar("Value")

#: Files remembered in each "recent" list.
RECENT = 10


def config_folder() -> Path:
    from platformdirs import user_config_path

    return user_config_path("tokenloupe", appauthor=False)


def state_folder() -> Path:
    """Where journals are kept: the user's state, which is neither settings nor a cache."""
    from platformdirs import user_state_path

    return user_state_path("tokenloupe", appauthor=False)


class Settings:
    """file: another place, for tests. Writing is best effort: a full disk is no reason to stop working."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file if file is not None else config_folder() / "settings.json"
        self._values = self._read()

    def get(self, key: str, default: Value) -> Value:
        """The value, or the default when there is none or it is of another type (a hand-edited file)."""
        value = self._values.get(key, default)
        if isinstance(default, float):
            if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 53:
                value = float(value)
            if isinstance(value, float) and not math.isfinite(value):
                return default
        return value if isinstance(value, type(default)) else default

    def set(self, key: str, value: Any) -> None:
        if self._values.get(key) != value:
            self._write({**self._read(), key: value})

    def remember(self, key: str, item: str) -> None:
        """Put a path at the head of a "recent" list."""
        self._values = self._read()
        self.set(key, [item, *(i for i in self.get(key, list[str]()) if i != item)][:RECENT])

    def forget(self, key: str, item: str) -> None:
        self.set(key, [i for i in self.get(key, list[str]()) if i != item])

    def recent(self, key: str) -> list[str]:
        return [item for item in self.get(key, list[str]()) if isinstance(item, str)][:RECENT]

    def _read(self) -> dict[str, Any]:
        try:
            values = json.loads(self.file.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError):
            self._set_aside()
            return {}
        return values if isinstance(values, dict) else {}

    def _set_aside(self) -> None:
        with contextlib.suppress(OSError):
            self.file.replace(self.file.with_suffix(".damaged.json"))

    def _write(self, values: dict[str, Any]) -> None:
        self._values = values
        new = self.file.with_suffix(f".{os.getpid()}.tmp")
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(json.dumps(values, indent=1, sort_keys=True, ensure_ascii=False), "utf-8", errors="replace")
            new.replace(self.file)
        except OSError:
            with contextlib.suppress(OSError):
                new.unlink(missing_ok=True)
