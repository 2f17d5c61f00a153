"""What the tensor panels share, their table and tree, and the comparison of types."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gguf import GGMLQuantizationType, quants
from PySide6.QtCore import QModelIndex, Qt

from tests.tensors.build import array, gguf, put, text, u32
from tokenloupe.core.errors import InputError
from tokenloupe.models import tensor_quantize, tensor_rows
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.models.tensor_desk import TensorDesk
from tokenloupe.tensors import blocks


@pytest.fixture
def session(qapp: object) -> Session:
    return Session(jobs=Jobs(synchronous=True))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    tokens = array(8, 450, b"".join(text(f"t{i}") for i in range(450)))
    pairs = [("name", 8, text("x")), ("tokens", 9, tokens), ("name", 4, u32(3))]
    data = np.random.default_rng(1).integers(0, 60, 6 * 18, dtype=np.uint8).tobytes().ljust(128, b"\0")
    tensors = [("norm", [4], 0, 128), ("token_embd.weight", [64, 3], 2, 0), ("cut", [64], 0, 160)]
    return put(tmp_path, "m.gguf", gguf(pairs, tensors, data + bytes(32)))


def test_the_desk_is_one_a_session_and_has_the_example_at_first(session: Session) -> None:
    desk = TensorDesk.of(session)
    assert TensorDesk.of(session) is desk
    assert desk.file is not None
    assert desk.tensor is not None
    assert desk.tensor.type == "Q4_0"
    assert desk.usable
    assert desk.block_count == 576


def test_opening_choosing_and_what_cannot_be_read(session: Session, model: Path, tmp_path: Path) -> None:
    desk, said = TensorDesk.of(session), []
    session.failed.connect(said.append)
    assert desk.open(model)
    assert desk.tensor is not None
    assert desk.tensor.name == "token_embd.weight"
    desk.show_block(99)
    assert desk.block == 5
    assert desk.token_of_block() == 2
    assert desk.show_token(1)
    assert desk.block == 2
    assert not desk.show_token(3)
    assert desk.file is not None
    desk.choose(desk.file.tensors[2])
    assert (desk.usable, desk.blocks(0, 1), desk.block) == (False, None, 0)
    assert not desk.open(put(tmp_path, "y.gguf", b"GGUF"))
    assert said == ["y.gguf: the file ends inside the version, byte 4; the download is not complete: fetch it again"]
    assert desk.file.path == model


def test_the_census_counts_every_block(session: Session) -> None:
    counted: list[object] = []
    TensorDesk.of(session).census(counted.append)
    assert counted[0].count == 576  # type: ignore[attr-defined]


def test_the_table(session: Session, model: Path) -> None:
    desk = TensorDesk.of(session)
    desk.open(model)
    rows = tensor_rows.TensorRows()
    rows.set_file(desk.file)
    shown = [rows.index(1, c).data() for c in range(rows.columnCount())]
    assert shown[:4] == ["token_embd.weight", "Q4_0", "3 × 64", "36, 18"]
    assert rows.index(2, tensor_rows.PROBLEM).data().startswith("data past end of file")
    assert rows.headerData(0, Qt.Orientation.Horizontal) == "Name"


def test_an_array_is_fetched_a_page_at_a_time(session: Session, model: Path) -> None:
    desk = TensorDesk.of(session)
    desk.open(model)
    assert desk.file is not None
    tree = tensor_rows.MetaTree()
    tree.set_entries(desk.file.metadata)
    assert tree.rowCount() == 3
    assert tree.index(0, 0).data() == "⚠ name"
    tokens = tree.index(1, 0)
    assert tree.index(1, 1).data() == "string[450]"
    assert (tree.hasChildren(tokens), tree.rowCount(tokens)) == (True, 0)
    tree.fetchMore(tokens)
    assert tree.rowCount(tokens) == 200
    tree.fetchMore(tokens)
    tree.fetchMore(tokens)
    assert (tree.rowCount(tokens), tree.canFetchMore(tokens)) == (450, False)
    child = tree.index(449, 1, tokens)
    assert (child.data(), tree.parent(child)) == ("t449", tokens)
    assert not tree.hasChildren(child)
    assert tree.parent(tokens) == QModelIndex()


def test_types_are_compared_as_the_reference_quantises(qapp: object) -> None:
    values = np.random.default_rng(3).standard_normal(32 * 5000).astype(np.float32)
    results = list(tensor_quantize.comparison_steps(values))[-1]
    assert [r.type for r in results] == list(tensor_quantize.TYPES)
    for r in results[:5]:
        kind = GGMLQuantizationType[r.type]
        error = (
            quants.dequantize(quants.quantize(values.reshape(-1, 32), kind), kind).reshape(-1).astype(float) - values
        )
        assert r.rms_error == pytest.approx(np.sqrt((error**2).mean()), rel=1e-9)
        assert tensor_quantize.worst_block(r) == np.abs(error).argmax() // 32


def test_typed_numbers() -> None:
    assert tensor_quantize.typed("1, 2; −3 4e-1").tolist()[:5] == [1.0, 2.0, -3.0, np.float32(0.4), 0.0]
    assert len(tensor_quantize.typed(" ".join("1" * 33))) == 64
    with pytest.raises(InputError, match="'x' is no number, number 2"):
        tensor_quantize.typed("1 x")
    with pytest.raises(InputError, match="no numbers are typed in"):
        tensor_quantize.typed(" ")


def test_one_block_side_by_side() -> None:
    values = np.random.default_rng(4).standard_normal(64).astype(np.float32)
    side = tensor_quantize.side("Q4_0", values, 1)
    assert side.data == blocks.quantize("Q4_0", values[32:]).tobytes()
    assert np.array_equal(side.error, side.restored - side.original)
    assert len(tensor_quantize.side("F16", values, 0).data) == 64
