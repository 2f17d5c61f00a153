"""Make src/tokenloupe/core/llamacpp_tables.py from llama.cpp's unicode-data.cpp.

    python packaging/make_llamacpp_tables.py path/to/llama.cpp/src/unicode-data.cpp

The file is facts about code points, generated in llama.cpp by scripts/gen-unicode-data.py; llama.cpp is MIT.
"""

from __future__ import annotations

import base64
import re
import sys
import zlib
from pathlib import Path

import numpy as np

HEAD = '''"""llama.cpp's own facts about code points, as data: made by packaging/make_llamacpp_tables.py.

llama.cpp (MIT, Copyright (c) 2023-2026 The ggml authors; the version vendored in llama-cpp-python 0.3.36) carries its
own tables, and its token ids follow them and not the newest Unicode. Each string is base85 of zlib of little-endian
uint32: RANGES (first code point, category flags) in pairs; LOWER (code point, lower case) in pairs; NFD (first, last,
base character) in threes; SPACES the code points that are white space.
"""

from __future__ import annotations

'''


def table(text: str, name: str, width: int) -> np.ndarray:
    body = text[text.index(name):]
    body = body[body.index("{") : body.index("};")]
    rows = [[int(x, 16) for x in re.findall(r"0x[0-9A-Fa-f]+", line)] for line in body.splitlines()]
    return np.array([r for r in rows if len(r) == width], "<u4")


def main() -> None:
    text = Path(sys.argv[1]).read_text("utf-8")
    out = HEAD
    for name, source, width in (
        ("RANGES", "unicode_ranges_flags =", 2), ("LOWER", "unicode_map_lowercase =", 2),
        ("NFD", "unicode_ranges_nfd =", 3), ("SPACES", "unicode_set_whitespace =", 1),
    ):
        values = table(text, source, width)
        packed = base64.b85encode(zlib.compress(values.tobytes(), 9)).decode()
        lines = [packed[i : i + 110] for i in range(0, len(packed), 110)]
        out += f"{name} = (\n" + "".join(f"    {line!r}\n" for line in lines) + ")\n"
    target = Path(__file__).resolve().parents[1] / "src/tokenloupe/core/llamacpp_tables.py"
    target.write_text(out.replace("'", '"'), "utf-8")


if __name__ == "__main__":
    main()
