"""CSV that Python's reader gives back, whatever the texts are, and in which no cell is a formula."""

from __future__ import annotations

import csv
import io

from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.csv_text import csv_rows

#: What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection).
FORMULA = "=+-@\t\r\n"
texts = st.text(st.sampled_from("a,\"'=+-@\t\r\n ;é🙂\ufeff\u2028\x00"), max_size=6) | st.text(max_size=12)


@settings(max_examples=300)
@given(st.lists(st.lists(texts, min_size=2, max_size=4), max_size=4))
def test_rows_are_read_back(rows: list[list[str]]) -> None:
    found = list(csv.reader(io.StringIO(csv_rows(rows), newline="")))
    assert [[cell.removeprefix("'") for cell in row] for row in found] == rows
    for row in found:
        assert not any(cell.startswith(tuple(FORMULA)) for cell in row)


def test_numbers_and_nothing() -> None:
    assert csv_rows([[1, -2.5, None, True, ""]]) == "1,-2.5,,True,\n"
