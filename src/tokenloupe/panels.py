"""The one list of panels. A panel is one file in views/ and one line here; menus, shortcuts, `make pictures` and
`doctor --smoke` read the list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from .models.session import Session


@dataclass(frozen=True, slots=True)
class Panel:
    """id: stable, for settings. where: "right", "bottom" (docks), or "tab" (a page beside the editor).

    factory: "module:Class" below tokenloupe.views, called with the session; imported when the panel is first shown.
    demo: a file in resources/demos that shows the panel at its best, for `make pictures` ("" = the default demo).
    tokenizer: likewise a bundled one ("" = the default). A panel that shows nothing until somebody asks has a method
    for_picture() that asks.
    """

    id: str
    title: str
    icon: str
    shortcut: str
    where: str
    factory: str
    demo: str = ""
    tokenizer: str = ""

    def create(self, session: Session) -> QWidget:
        module, _, name = self.factory.partition(":")
        made: Callable[[Session], QWidget] = getattr(import_module(f"tokenloupe.views.{module}"), name)
        return made(session)


PANELS = (
    Panel("tokens", "Tokens", "table", "Ctrl+1", "right", "token_table:TokenTable"),
    Panel("inspector", "Inspector", "explain", "Ctrl+2", "right", "inspector:Inspector"),
    Panel("roundtrip", "Round trip", "roundtrip", "Ctrl+5", "right", "inspector_roundtrip:RoundTrip"),
    Panel("bytelane", "Byte lane", "lane", "Ctrl+3", "bottom", "bytelane:ByteLane",
          demo="6-characters-in-bytes"),
    Panel("hex", "Hex", "hex", "Ctrl+4", "bottom", "hex_view:HexView"),
    Panel("stream", "Token stream", "stream", "Ctrl+6", "tab", "stream_theatre:StreamTheatre"),
    Panel("census", "Census", "census", "Ctrl+Alt+7", "tab", "census:CensusPanel"),
    Panel("audit", "Audit", "audit", "Ctrl+Alt+8", "tab", "audit:AuditPanel", tokenizer="gpt2"),
    Panel("vocabulary", "Vocabulary", "vocabulary", "Ctrl+7", "tab", "vocabulary_browser:VocabularyBrowser"),
    Panel("merges", "Merges", "merges", "Ctrl+8", "tab", "merge_browser:MergeBrowser"),
    Panel("lineage", "Lineage", "lineage", "Ctrl+9", "tab", "lineage_panel:LineagePanel"),
    Panel("compare_vocabularies", "Two vocabularies", "side-by-side", "Ctrl+Alt+9", "tab",
          "compare_vocab:CompareVocabularies"),
    Panel("tensors", "Tensor file", "tensor", "Ctrl+Alt+1", "tab", "tensor_browser:TensorBrowser"),
    Panel("blocks", "Block anatomy", "bytes", "Ctrl+Alt+2", "tab", "block_viewer:BlockViewer"),
    Panel("matrix", "Block matrix", "table", "Ctrl+Alt+3", "tab", "block_matrix:BlockMatrix"),
    Panel("quantize", "Quantise", "compare", "Ctrl+Alt+4", "tab", "quantize_panel:QuantizePanel"),
    Panel("strides", "Strides", "hex", "Ctrl+Alt+5", "tab", "strides_panel:StridesPanel"),
    Panel("memory", "Memory estimate", "float", "Ctrl+Alt+6", "tab", "memory_panel:MemoryPanel"),
)
