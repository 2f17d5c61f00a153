"""The forms that a segmentation or its ids can leave the window in. FORMS is the one list; the menu is made from it.

    FORMS["png"].title          # "Picture (PNG)"; export_make.py makes its bytes
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QMimeData
from PySide6.QtGui import QImage


@dataclass(frozen=True, slots=True)
class Form:
    """title: in menus and messages. filter: of file dialogs. key: the letter of its shortcut.

    copied: what it is in the clipboard ("image", "html", "text"), "" when it is not copied.
    """

    id: str
    title: str
    filter: str
    suffix: str
    key: str
    copied: str = ""

    def mime(self, data: bytes) -> QMimeData:
        """The bytes of export_make.copy_steps() for the clipboard."""
        mime = QMimeData()
        if self.copied == "image":
            mime.setImageData(QImage.fromData(QByteArray(data), "PNG"))
            return mime
        text = data.decode("utf-8")
        if self.copied == "html":
            mime.setHtml(text)
        if self.suffix == ".svg":
            mime.setData("image/svg+xml", QByteArray(data))
        mime.setText(text)
        return mime


FORMS: dict[str, Form] = {form.id: form for form in (
    Form("png", "Picture (PNG)", "PNG picture (*.png)", ".png", "P", "image"),
    Form("svg", "Drawing (SVG)", "SVG drawing (*.svg)", ".svg", "S", "text"),
    Form("pdf", "Document (PDF)", "PDF document (*.pdf)", ".pdf", "D"),
    Form("html", "Web Page (HTML)", "Web page (*.html)", ".html", "H", "html"),
    Form("markdown", "Table (Markdown)", "Markdown table (*.md)", ".md", "M", "text"),
    Form("ids_list", "Ids as a List", "Text (*.txt)", ".txt", "I", "text"),
    Form("ids_json", "Ids as JSON", "JSON (*.json)", ".json", "J", "text"),
    Form("ids_python", "Ids as Python", "Python source (*.py)", ".py", "Y", "text"),
    Form("ids_npy", "Ids for NumPy", "NumPy array (*.npy)", ".npy", "N", "text"),
)}
