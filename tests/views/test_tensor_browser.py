"""The browser of a tensor file: what it lists, what it says is wrong, what a choice does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.tensors.build import gguf, put, safetensors, text
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.tensor_browser import TensorBrowser


@pytest.fixture
def browser(qtbot: QtBot) -> TensorBrowser:
    panel = TensorBrowser(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.resize(480, 480)
    panel.show()
    return panel


def test_a_file_with_faults(browser: TensorBrowser, tmp_path: Path) -> None:
    pairs = [("general.architecture", 8, text("llama"))]
    data = gguf(
        pairs, [("a", [16], 0, 0), ("token_embd.weight", [32, 4], 2, 64), ("c", [9], 0, 1 << 20)], bytes(64 + 72 + 24)
    )
    assert browser.desk.open(put(tmp_path, "m.gguf", data))
    assert browser.title.text().startswith("m.gguf: GGUF v3")
    assert "c: data past end of file" in browser.problems.text()
    assert not browser.vocabulary.isEnabled()
    assert browser.table.currentIndex().row() == 1
    browser.map.picked.emit(0)
    assert browser.desk.tensor is not None
    assert browser.desk.tensor.name == "a"
    browser.table.selectRow(2)
    assert not browser.to_blocks.isEnabled()
    spans = browser.map._spans()
    assert [row for _, _, row in spans] == [-1, 0, 1]
    assert all(0 <= a <= b <= 1 for a, b, _ in spans)
    assert not browser.grab().isNull()


def test_a_token_id_leads_to_its_row_and_back(browser: TensorBrowser, tmp_path: Path) -> None:
    said: list[str] = []
    browser.session.failed.connect(said.append)
    browser.session.message.connect(said.append)
    browser.desk.open(put(tmp_path, "m.gguf", gguf([], [("token_embd.weight", [64, 4], 2, 0)], bytes(144))))
    browser.token.setText("2")
    browser.to_row.click()
    assert browser.desk.block == 4
    browser.desk.show_block(7)
    browser.to_token.click()
    assert browser.token.text() == "3"
    assert "row 3" in said[-1]
    browser.token.setText("99")
    browser.to_row.click()
    assert said[-1] == "this file has no embedding row for token 99"


def test_the_tokenizer_inside_opens(browser: TensorBrowser, tmp_path: Path) -> None:
    import os

    real = Path(os.environ.get("TOKENLOUPE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    path = real / "real" / "ggml-vocab-gpt-2.gguf"
    if not path.is_file():
        pytest.skip("a real vocabulary is not on this machine")
    assert browser.desk.open(path)
    assert browser.vocabulary.isEnabled()
    browser.open_tokenizer()
    assert browser.session.ready
    assert browser.session.tokenizer.encode(" hello").ids.tolist() == [23748]


def test_every_panel_takes_tensors_of_any_type(qtbot: QtBot, tmp_path: Path) -> None:
    """safetensors types that GGML has not, NaN and infinities, complex numbers, cut and empty tensors."""
    from tokenloupe.tensors.safetensors import BITS
    from tokenloupe.views.block_matrix import BlockMatrix
    from tokenloupe.views.block_viewer import BlockViewer
    from tokenloupe.views.quantize_panel import QuantizePanel

    rng = np.random.default_rng(0)
    header, data = {}, b""
    for dtype, width in BITS.items():
        size = 64 * width // 8
        header[dtype] = {"dtype": dtype, "shape": [2, 32], "data_offsets": [len(data), len(data) + size]}
        data += rng.integers(0, 256, size, dtype=np.uint8).tobytes()
    special = np.array([np.nan, np.inf, -np.inf, 3.4e38] * 16, "<f4").tobytes()
    header["special"] = {"dtype": "F32", "shape": [2, 32], "data_offsets": [len(data), len(data) + 256]}
    data += special
    header["empty"] = {"dtype": "F32", "shape": [0, 32], "data_offsets": [len(data), len(data)]}
    header["cut"] = {"dtype": "F32", "shape": [9, 32], "data_offsets": [len(data), len(data) + 9 * 128]}
    path = put(tmp_path, "a.safetensors", safetensors(header, data))
    session = Session(jobs=Jobs(synchronous=True))
    panels = [TensorBrowser(session), BlockViewer(session), BlockMatrix(session), QuantizePanel(session)]
    for panel in panels:
        qtbot.addWidget(panel)
        panel.resize(700, 500)
        panel.show()
    desk = panels[0].desk
    assert desk.open(path)
    assert desk.file is not None
    for t in desk.file.tensors:
        desk.choose(t)
        desk.show_block(1)
        for panel in panels:
            assert not panel.grab().isNull()
    chosen = panels[3].source
    for row in range(chosen.count()):
        chosen.setCurrentIndex(row)
        assert not panels[3].grab().isNull()
