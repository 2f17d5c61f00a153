"""The tensor table and the metadata tree of a file, fetched lazily: nothing is made before it is seen."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ..tensors.files import Meta, TensorFile, TensorInfo

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("Name", "Type", "Shape", "Strides", "Offset", "Bytes", "Share", "Problem")
NAME, TYPE, SHAPE, STRIDES, OFFSET, BYTES, SHARE, PROBLEM = range(8)

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def cell(file: TensorFile, t: TensorInfo, column: int) -> str:
    """The text of one cell."""
    if column == NAME:
        return t.name
    if column == TYPE:
        return t.type
    if column == SHAPE:
        return " × ".join(map(str, t.shape)) or "scalar"
    if column == STRIDES:
        return ", ".join(map(str, t.strides))
    if column == OFFSET:
        return f"{t.offset:,}"
    if column == BYTES:
        return f"{t.nbytes:,}"
    if column == SHARE:
        return f"{t.nbytes / file.size:.1%}" if file.size and t.nbytes < 2**63 else ""
    return t.problem or "; ".join(t.notes)


class TensorRows(QAbstractTableModel):
    """One row a tensor."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.file: TensorFile | None = None

    def set_file(self, file: TensorFile | None) -> None:
        self.beginResetModel()
        self.file = file
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.file is None else len(self.file.tensors)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if self.file is None or not index.isValid():
            return None
        if role == _DISPLAY:
            return cell(self.file, self.file.tensors[index.row()], index.column())
        if role == _ALIGNMENT:
            return _RIGHT if index.column() in (OFFSET, BYTES, SHARE) else _LEFT
        if role == _TOOL_TIP:
            return cell(self.file, self.file.tensors[index.row()], PROBLEM) or None
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if role == _DISPLAY and orientation == Qt.Orientation.Horizontal:
            return COLUMNS[section]
        return None


class MetaTree(QAbstractItemModel):
    """Keys, and below an array's key its elements, PAGE more each time they are scrolled to.

    An element's internal id is its key's row + 1; a key's is 0.
    """

    PAGE = 200

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: tuple[Meta, ...] = ()
        self._shown: dict[int, list[Any]] = {}

    def set_entries(self, entries: tuple[Meta, ...]) -> None:
        self.beginResetModel()
        self.entries, self._shown = entries, {}
        self.endResetModel()

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        key = index.internalId() if index.isValid() else 0
        return self.createIndex(key - 1, 0, 0) if key else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return len(self.entries)
        return len(self._shown.get(parent.row(), ())) if parent.internalId() == 0 and parent.column() == 0 else 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 2

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        if not parent.isValid():
            return bool(self.entries)
        return parent.internalId() == 0 and parent.column() == 0 and bool(self.entries[parent.row()].count)

    def canFetchMore(self, parent: Index) -> bool:
        if not parent.isValid() or parent.internalId() or parent.column():
            return False
        return len(self._shown.get(parent.row(), ())) < (self.entries[parent.row()].count or 0)

    def fetchMore(self, parent: Index) -> None:
        if not self.canFetchMore(parent):
            return
        have = self._shown.setdefault(parent.row(), [])
        more = self.entries[parent.row()].items(len(have), len(have) + self.PAGE)
        self.beginInsertRows(self.index(parent.row(), 0), len(have), len(have) + len(more) - 1)
        have += more
        self.endInsertRows()

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if not index.isValid() or role not in (_DISPLAY, _TOOL_TIP):
            return None
        key = index.internalId()
        if key:
            value = self._shown[key - 1][index.row()]
            return str(index.row()) if index.column() == 0 else plain(value)
        entry = self.entries[index.row()]
        if role == _TOOL_TIP:
            return entry.problem
        if index.column() == 0:
            return entry.key if entry.problem is None else f"⚠ {entry.key}"
        return entry.type if entry.count is not None else plain(entry.value)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if role == _DISPLAY and orientation == Qt.Orientation.Horizontal:
            return ("Key", "Value")[section]
        return None


def plain(value: Any) -> str:
    """A value on one line of bounded length."""
    text = f"{value:.9g}" if isinstance(value, float) else str(value)
    text = text if len(text) <= 400 else text[:399] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
