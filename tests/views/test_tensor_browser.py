"""The browser of a tensor file: what it lists, what it says is wrong, what a choice does."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.tensors.build import array, gguf, put, safetensors, text
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.tensor_browser import TensorBrowser
from tokenloupe.views.vocabulary_browser import VocabularyBrowser


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


def llama_file(rows: int = 6) -> bytes:
    """Six tokens ("a", "b" and the merged "ab" among them) and an embedding of 64 numbers for each."""
    tokens = ["<unk>", "<s>", "</s>", "a", "b", "ab"]
    pairs = [
        ("general.architecture", 8, text("llama")),
        ("tokenizer.ggml.model", 8, text("llama")),
        ("tokenizer.ggml.tokens", 9, array(8, len(tokens), b"".join(map(text, tokens)))),
        ("tokenizer.ggml.scores", 9, array(6, len(tokens), struct.pack("<6f", 0, 0, 0, -2, -2, -1))),
        ("tokenizer.ggml.token_type", 9, array(5, len(tokens), struct.pack("<6i", 2, 3, 3, 1, 1, 1))),
        ("tokenizer.ggml.add_space_prefix", 7, b"\0"),
    ]
    return gguf(pairs, [("token_embd.weight", [64, rows], 2, 0)], bytes(rows * 36))


def test_the_tokenizer_inside_opens_and_its_ids_lead_to_rows_and_back(
        browser: TensorBrowser, tmp_path: Path, qtbot: QtBot) -> None:
    said: list[str] = []
    browser.session.failed.connect(said.append)
    browser.session.message.connect(said.append)
    assert browser.desk.open(put(tmp_path, "m.gguf", llama_file(rows=7)))
    assert browser.vocabulary.isEnabled()
    browser.vocabulary.click()
    assert browser.session.tokenizer.encode("ab").ids.tolist() == [5]
    vocabulary = VocabularyBrowser(browser.session)
    qtbot.addWidget(vocabulary)
    vocabulary.desk.choose(5)
    vocabulary.to_embedding.click()
    assert browser.desk.tensor is not None and browser.desk.tensor.name == "token_embd.weight"
    assert browser.desk.block == 10  # 64 weights are two blocks: row 5 begins at block 10
    browser.desk.show_block(9)
    browser.to_token.click()
    assert vocabulary.desk.current == 4
    assert said[-1] == "block 9 is part of row 4: token 4 'b'"
    browser.desk.show_block(13)
    browser.to_token.click()
    assert vocabulary.desk.current == 4
    assert said[-1] == "block 13 is part of row 6; m.gguf has no token 6"


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
