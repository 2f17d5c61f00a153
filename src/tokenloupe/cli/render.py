"""`tokenloupe render`: the segmentation as a picture. The one subcommand that paints, and so imports Qt (offscreen)."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tokenloupe.core.errors import InputError

from . import common

NAME = "render"
HELP = "the segmentation as a picture: PNG, SVG, PDF or HTML"
#: A text longer than this makes a picture that nobody can look at; the window shows it.
LONGEST = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_tokenizer_arguments(parser)
    common.add_text_arguments(parser)
    parser.add_argument(
        "--special",
        default="text",
        metavar="text|parse|parse:A,B",
        help="special tokens in the input: ordinary text (default), all matched, or only these",
    )
    parser.add_argument("--out", required=True, metavar="F", help="the file: .png, .svg, .pdf or .html")
    parser.add_argument("--dark", action="store_true", help="on a dark ground")
    parser.add_argument(
        "--width", type=int, default=900, metavar="N", help="width of the text in points (default: %(default)s)"
    )
    parser.add_argument("--zoom", type=float, default=1.0, metavar="X", help="size of the text (default: %(default)s)")
    parser.add_argument("--title", default="", help="a title for the caption")
    parser.add_argument("--json", action="store_true", help="say what was written as one JSON document")


def run(args: argparse.Namespace) -> int:
    if not 200 <= args.width <= 10_000:
        return common.usage("argument --width: give 200 to 10000 points")
    if not 0.25 <= args.zoom <= 8:
        return common.usage("argument --zoom: give 0.25 to 8")
    special = common.special_mode(args)
    data = common.read_input(args)
    if len(data) > LONGEST:
        raise InputError(f"{len(data):,} bytes are too many for a picture", todo=f"give at most {LONGEST:,}")
    tokenizer = common.load_tokenizer(args)
    special = tokenizer.special_mode(special)
    if "PySide6.QtWidgets" not in sys.modules:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        # Qt notes each font of the fallback list that has no glyphs for a script: that is what fallbacks are for.
        # (Not app/messages.py: the command line imports nothing of the window.)
        rules = os.environ.get("QT_LOGGING_RULES", "")
        os.environ["QT_LOGGING_RULES"] = f"{rules};qt.text.font.db=false".lstrip(";")
    from PySide6.QtWidgets import QApplication

    from tokenloupe.views.segmentation_picture import SegmentationPicture

    application = QApplication.instance() or QApplication(["tokenloupe"])
    try:
        picture = SegmentationPicture(
            tokenizer, data, special=special, width=args.width, zoom=args.zoom, dark=args.dark, title=args.title
        )
        try:
            picture.save(Path(args.out))
        finally:
            picture.close()
    except InputError as error:
        raise common.FileError(args.out, error) from error
    finally:
        application.processEvents()
    if args.json:
        common.print_json({"out": args.out, "tokens": picture.session.document.token_count})
    return 0
