"""Writes src/tokenloupe/core/unicode_tables_data.py: what each regex engine takes every code point for.

    python packaging/make_unicode_tables.py            # writes the file
    python packaging/make_unicode_tables.py --check    # exits 1 when the file differs from what the engines say

Nothing is taken from a Unicode database: tiktoken (fancy-regex over Rust's regex-syntax) and tokenizers (Oniguruma)
are asked themselves, property by property over all code points, because each carries its own version of Unicode.
"""

from __future__ import annotations

import base64
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import tiktoken
import tokenizers
from tokenizers import Regex, pre_tokenizers

TARGET = Path(__file__).parent.parent / "src/tokenloupe/core/unicode_tables_data.py"
POINTS = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
# ruff: noqa: SIM905

EVERYTHING = "".join(map(chr, POINTS))

CATEGORIES = ("Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn").split()
SCRIPTS = (
    "Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki"
    " Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee"
    " Chorasmian Common"
    " Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs"
    " Elbasan Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi"
    " Gurung_Khema Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited"
    " Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi"
    " Khitan_Small_Script Khmer Khojki Khudawadi Kirat_Rai Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian"
    " Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui"
    " Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari"
    " New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian Old_Italic"
    " Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya"
    " Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada"
    " Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar Syloti_Nagri Syriac Tagalog"
    " Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Todhri"
    " Toto Tulu_Tigalari Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square"
).split()
PROPERTIES = ("Alphabetic Uppercase Lowercase White_Space Cased Ideographic Emoji Emoji_Presentation"
              " Extended_Pictographic Default_Ignorable_Code_Point Join_Control Hex_Digit").split()
POSIX = "alpha digit alnum upper lower punct space cntrl graph print xdigit word blank".split()

Ask = Callable[[str, str], set[int]]


def ask_tiktoken(pattern: str, text: str) -> set[int]:
    """The code points of text that the pattern matches: what find_iter does not match, tiktoken drops."""
    encoding = tiktoken.Encoding("bytes", pat_str=pattern, mergeable_ranks={bytes([i]): i for i in range(256)},
                                 special_tokens={})
    return set(map(ord, bytes(encoding.encode_ordinary(text)).decode("utf-8")))


def ask_tokenizers(pattern: str, text: str) -> set[int]:
    split = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    return {ord(char) for piece, _ in split.pre_tokenize_str(text) for char in piece}


def varints(numbers: Iterable[int]) -> bytes:
    out = bytearray()
    for number in numbers:
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
    return bytes(out)


def packed(numbers: Iterable[int]) -> str:
    return base64.b85encode(zlib.compress(varints(numbers), 9)).decode("ascii")


def code_table(sets: Sequence[set[int]]) -> str:
    """Runs of (number of code points, 1 + index of the set they are in; 0: in none)."""
    code = bytearray(0x110000)
    for index, members in enumerate(sets):
        for point in members:
            assert not code[point], f"{point:x} is in two of the sets"
            code[point] = index + 1
    runs: list[int] = []
    start = 0
    for point in range(1, 0x110001):
        if point == 0x110000 or code[point] != code[start]:
            runs += (point - start, code[start])
            start = point
    return packed(runs)


def set_table(members: set[int]) -> str:
    """Lengths of runs of code points alternately outside and inside of the set, starting outside."""
    runs, state, start = [], False, 0
    for point in range(0x110000):
        if (point in members) != state:
            runs.append(point - start)
            start, state = point, not state
    if state:
        runs.append(0x110000 - start)
    return packed(runs)


def known(ask: Ask, names: Iterable[str], form: str) -> dict[str, set[int]]:
    """name -> set for the names that the engine knows."""
    found: dict[str, set[int]] = {}
    for name in names:
        try:
            found[name] = ask(form % name, EVERYTHING)
        except BaseException as error:  # pyo3's panics derive from BaseException
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            print(f"  {form % name}: not known ({str(error)[:60]})", file=sys.stderr)
    return found


def folds(ask: Ask, categories: dict[str, set[int]]) -> str:
    """Orbits of case: code points that match each other under (?i), each orbit ascending, ended by 0."""
    cased = sorted(set().union(*(categories[c] for c in ("Lu", "Ll", "Lt", "Nl", "So", "Mn"))))
    text = "".join(map(chr, cased))
    # Only what (?i) takes for something else needs asking: one pass finds the characters that have a partner.
    orbits: set[tuple[int, ...]] = set()
    alone = set()
    for point in cased:
        char = chr(point)
        if point in alone or (point > 0x2FFF and categories["So"].__contains__(point)):
            continue
        orbit = tuple(sorted(ask(f"(?i:{re.escape(char)})", text)))
        if len(orbit) > 1:
            orbits.add(orbit)
            alone.update(orbit)
    return packed(n for orbit in sorted(orbits) for n in (*orbit, 0))


def lines() -> list[str]:
    out = [
        '"""What regex engines take each code point for; written by packaging/make_unicode_tables.py.',
        "", f"fancy-regex: of tiktoken {tiktoken.__version__}; oniguruma: of tokenizers {tokenizers.__version__}.",
        '"""',
        "", "# ruff: noqa: E501", "",
        f"CATEGORIES = {' '.join(CATEGORIES)!r}",
        "DATA: dict[str, dict[str, str]] = {",
    ]
    for engine, ask in (("fancy-regex", ask_tiktoken), ("oniguruma", ask_tokenizers)):
        print(engine, file=sys.stderr)
        tables: dict[str, str] = {}
        categories = known(ask, CATEGORIES, r"\p{%s}")
        tables["categories"] = code_table([categories[c] for c in CATEGORIES])
        scripts = known(ask, SCRIPTS, r"\p{%s}")
        tables["script names"] = " ".join(scripts)
        tables["scripts"] = code_table(list(scripts.values()))
        for name, members in known(ask, PROPERTIES, r"\p{%s}").items():
            tables[name] = set_table(members)
        for name in "swdh" if engine == "oniguruma" else "swd":
            tables["\\" + name] = set_table(ask("\\" + name, EVERYTHING))
        for name, members in known(ask, POSIX, "[[:%s:]]").items():
            tables[f"[:{name}:]"] = set_table(members)
        tables["folds"] = folds(ask, categories)
        out.append(f"    {engine!r}: {{")
        for name, value in tables.items():
            out.append(f"        {name!r}: (")
            out += [f"            {value[i : i + 110]!r}" for i in range(0, len(value), 110)]
            out.append("        ),")
        out.append("    },")
    return [*out, "}"]


if __name__ == "__main__":
    made = "\n".join(lines()) + "\n"
    if "--check" in sys.argv:
        sys.exit(0 if TARGET.read_text("utf-8") == made else 1)
    TARGET.write_text(made, "utf-8", newline="\n")
