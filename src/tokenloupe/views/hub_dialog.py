"""Open from Hugging Face hub: a name, a progress bar, one sentence when it fails. Nothing is fetched before Fetch is
pressed.

    HubDialog(window, session.jobs, opened=lambda path: files.open_tokenizer(str(path))).open()
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QProgressBar, QVBoxLayout, QWidget

from ..core.errors import InputError
from ..formats.hub import INSTALL, HubName, available
from ..models.hub_fetch import fetch_steps
from ..models.jobs import Job, Jobs
from .status import label


class HubDialog(QDialog):
    """opened: called with the folder or file that was fetched, when the dialog has closed."""

    def __init__(self, parent: QWidget | None, jobs: Jobs, opened: Callable[[Path], object]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Open from Hugging Face hub")
        self._jobs, self._opened = jobs, opened
        self._job: Job | None = None
        about, self.field, self.problem = label(), QLineEdit(), label("bad")
        about.setText("Only the tokenizer's files are fetched. They are kept for the next time.")
        about.setWordWrap(True)
        self.problem.setWordWrap(True)
        self.field.setPlaceholderText("owner/name or owner/name@revision")
        self.field.setAccessibleName("Repository on the hub")
        self.field.textEdited.connect(lambda: self.problem.setText(""))
        self.field.textChanged.connect(self._renew)
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Progress")
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        policy = self.bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # nothing moves when it appears
        self.bar.setSizePolicy(policy)
        self.bar.hide()
        which = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(which.Cancel)
        self.go = buttons.addButton("Fetch", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.fetch)
        buttons.rejected.connect(self.reject)
        buttons.button(which.Cancel).setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        for part in (about, self.field, self.problem, self.bar, buttons):
            column.addWidget(part)
        self.resize(420, 0)
        self._installed = available()
        if not self._installed:
            self.problem.setText(f"This needs the package huggingface_hub: {INSTALL}")
        self._renew()
        self.go.setDefault(True)
        self.field.setFocus()

    def fetch(self) -> None:
        """Start; the dialog closes when the files are there."""
        if self._job is not None or not self._installed:
            return
        try:
            name = HubName.parse(self.field.text())
        except InputError as error:
            self._failed(str(error))
            return
        self.problem.setText("")
        self.bar.setRange(0, 0)  # busy, until the first bytes come
        self.bar.show()
        self.field.setEnabled(False)
        self.go.setEnabled(False)
        job = self._jobs.start(f"Fetching {name}", fetch_steps(name), done=self._done, progress=self._progress,
                               failed=self._failed, cancelled=self._ready)
        self._job = job if job.running else None

    def reject(self) -> None:
        """Cancel: first what is being fetched, then the dialog."""
        if self._job is not None:
            self._job.cancel()
        else:
            super().reject()

    def done(self, result: int) -> None:
        """However it closes, nothing goes on behind it."""
        job, self._job = self._job, None
        if job is not None:
            job.cancel()
        super().done(result)

    def _progress(self, fraction: float) -> None:
        if fraction > 0:
            self.bar.setRange(0, 1000)
            self.bar.setValue(round(1000 * fraction))

    def _done(self, path: Path) -> None:
        self._job = None
        self.accept()
        self._opened(path)

    def _failed(self, sentence: str) -> None:
        self._ready()
        self.problem.setText(sentence[:1].upper() + sentence[1:] + ".")
        self.field.selectAll()

    def _ready(self) -> None:
        self._job = None
        self.bar.hide()
        self.field.setEnabled(True)
        self._renew()
        self.field.setFocus()

    def _renew(self) -> None:
        self.go.setEnabled(self._installed and self._job is None and bool(self.field.text().strip()))
