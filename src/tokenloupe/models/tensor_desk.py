"""The open tensor file, the chosen tensor and block: what the tensor panels share, as they share a Session.

    desk = TensorDesk.of(session)        # one a session, made when the first panel asks
    desk.open(path); desk.choose(tensor); desk.show_block(68)

Until a file is opened the example of resources/demos is there, so that no panel is ever empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from ..core.errors import InputError
from ..resources import path as resource
from ..tensors.blocktypes import Bytes
from ..tensors.embedding import token_embedding
from ..tensors.files import TensorFile, TensorInfo, open_tensors
from ..tensors.statistics import Census
from .jobs import Latest
from .session import Session

DEMO = ("demos", "tensor-embedding.gguf")
#: Weights counted in one slice of a job: a few milliseconds.
SLICE = 1 << 18


class TensorDesk(QObject):
    """file_changed(): another file. tensor_changed(): another tensor of it. block_changed(): another block of that."""

    file_changed = Signal()
    tensor_changed = Signal()
    block_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.file: TensorFile | None = None
        self.tensor: TensorInfo | None = None
        self.block = 0
        self._census = Latest(session.jobs)

    @classmethod
    def of(cls, session: Session) -> TensorDesk:
        """The desk of a session; with the example on it at first."""
        found = session.findChild(cls)
        if found is None:
            found = cls(session)
            try:
                found._take(open_tensors(resource(*DEMO)))
            except InputError as error:
                session.failed.emit(str(error))
        return found

    def open(self, path: Path) -> bool:
        """Open a file; False (and one sentence through session.failed) when it cannot be read."""
        try:
            self._take(open_tensors(path))
        except InputError as error:
            self.session.failed.emit(f"{path.name}: {error}")
            return False
        return True

    def _take(self, file: TensorFile) -> None:
        self.file = file
        self.tensor = next((t for t in file.tensors if t.readable and t.block and t.block.weights > 1),
                           next((t for t in file.tensors if t.readable), None))
        self.block = 0
        self.file_changed.emit()
        self.tensor_changed.emit()
        self.block_changed.emit()

    def choose(self, tensor: TensorInfo) -> None:
        if tensor is not self.tensor:
            self.tensor, self.block = tensor, 0
            self.tensor_changed.emit()
            self.block_changed.emit()

    def show_block(self, index: int) -> None:
        """Make a block the current one; out of range is brought into it."""
        index = max(0, min(index, self.block_count - 1))
        if index != self.block:
            self.block = index
            self.block_changed.emit()

    def reads(self, path: Path) -> bool:
        """Whether a path leads to a file that is open here, which is never written."""
        return self.file is not None and self.file.reads(path)

    def write(self, name: str, data: bytes, refusal: str) -> None:
        """Write a file of this name; what is wrong goes to the window. refusal: said of a file that is open here."""
        path = Path(name)
        try:
            if self.reads(path):
                self.session.failed.emit(refusal)
            else:
                path.write_bytes(data)
        except OSError as error:
            self.session.failed.emit(f"{name} cannot be written ({error.strerror})")

    @property
    def is_example(self) -> bool:
        """Whether it is the example that is open: 48 rows of a model that has nothing to do with the tokenizer."""
        return self.file is not None and self.file.path == resource(*DEMO)

    @property
    def usable(self) -> bool:
        """Whether the chosen tensor's blocks can be read, as real numbers, and there are any."""
        t = self.tensor
        if t is None or t.block is None or not t.readable:
            return False
        return "c" not in t.block.native and self.block_count > 0

    @property
    def block_count(self) -> int:
        return self.file.block_count(self.tensor) if self.file is not None and self.tensor is not None else 0

    def blocks(self, first: int, count: int) -> Bytes | None:
        """Blocks of the chosen tensor, or None when they cannot be read."""
        if not self.usable or self.file is None or self.tensor is None or first >= self.block_count:
            return None
        try:
            return self.file.block_bytes(self.tensor, first, count)
        except InputError as error:
            self.session.failed.emit(str(error))
            return None

    def census(self, done: Any) -> None:
        """Count the whole tensor in slices; `done(Census)` when it is counted."""
        if self.usable:
            self._census.start("Counting blocks", self._count(), done=done)

    def _count(self) -> Iterator[Any]:
        file, tensor = self.file, self.tensor
        assert file is not None and tensor is not None and tensor.block is not None
        census = Census(tensor.block)
        total = file.block_count(tensor)
        step = max(1, SLICE // tensor.block.weights)
        for first in range(0, total, step):
            census.add(file.block_bytes(tensor, first, step))
            yield min(1.0, (first + step) / total)
        yield census

    def row_of_token(self, token_id: int) -> TensorInfo | None:
        """The embedding tensor of the file when it has a row for this token, else None."""
        t = token_embedding(self.file) if self.file is not None else None
        return t if t is not None and 0 <= token_id < t.shape[0] else None

    def show_token(self, token_id: int) -> bool:
        """Go to a token's embedding row; False when this file has none for it."""
        t = self.row_of_token(token_id)
        if t is None or t.block is None:
            return False
        self.choose(t)
        self.show_block(token_id * (t.row_length // t.block.weights))
        return True

    def token_of_block(self) -> int | None:
        """The row of the current block in a matrix: the token id when that is an embedding."""
        t = self.tensor
        if t is None or t.block is None or len(t.shape) != 2 or t.row_length < t.block.weights:
            return None
        return self.block // (t.row_length // t.block.weights)
