"""Does the window work on this machine? Opens it with every panel, encodes a known text, writes a picture.

    tokenloupe doctor --smoke --picture window.png      # one line, exit status 0
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from ..core.errors import InputError

#: A text and its ids by tiktoken 0.14.0 (o200k_base).
TEXT, IDS = b"hello world", [24912, 2375]


def smoke(picture: str | None = None) -> int:
    """Exit status: 0 when all is well, 1 with one line on stderr otherwise."""
    from ..models import jobs
    from ..panels import PANELS
    from .main import Program, application

    app = application([])
    jobs.synchronous(True)
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            program = Program(app, Path(home))
            window = program.open_window([])
            window.session.set_data(TEXT, "hello.txt")
            window.show()
            ids = window.session.document.encoding().ids.tolist()
            if ids != IDS:
                raise InputError(f"{TEXT.decode()!r} gives the ids {ids}, not {IDS}", todo="install Tokenloupe again")
            for panel in PANELS:
                if window.docks.show(panel.id) is None:
                    raise InputError(f"the panel {panel.title} cannot be opened", todo=window.notice.text)
                app.processEvents()
            window.focus_text()
            app.processEvents()
            shot = window.grab()
            if shot.isNull() or (picture and not shot.save(picture)):
                raise InputError("the picture cannot be written", where=picture or "",
                                 todo="check the folder and its permissions")
            print(f"window ok: {len(PANELS)} panels, {shot.width()} x {shot.height()} pixels, "
                  f"platform {app.platformName()}")
            window.close()
            app.processEvents()
    except InputError as error:
        print(f"tokenloupe: {error}", file=sys.stderr)
        return 1
    finally:
        jobs.synchronous(False)
    return 0


def qt_report() -> dict[str, Any]:
    """What Qt says of itself: {"version", "platform", "scale", "fonts": {role: family}}."""
    from PySide6.QtCore import qVersion
    from PySide6.QtGui import QFontInfo

    from ..views import palette
    from .main import application

    app = application([])
    screen = app.primaryScreen()
    families = palette.mono_families()
    fonts = {"interface": QFontInfo(app.font()).family(), "monospaced": families[0]}
    fonts |= {f"fallback {i}": family for i, family in enumerate(families[1:], 1)}
    return {
        "version": qVersion(), "platform": app.platformName(),
        "scale": screen.devicePixelRatio() if screen is not None else 1.0, "fonts": fonts,
    }
