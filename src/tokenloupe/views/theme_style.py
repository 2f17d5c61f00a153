"""The look of Qt's own widgets: Fusion, the palette as a QPalette, and this style sheet. It names no colour itself.

    app.setStyleSheet(style_sheet(palette.current()))

Spacing is in steps of 4 pixels; the one accent colour marks focus, what is chosen and what is under way.
"""

from __future__ import annotations

from ..resources import path
from .palette import Palette


def style_sheet(c: Palette) -> str:
    """Style sheet of the application for one palette."""
    names = {
        "base": c.base, "window": c.window, "raised": c.raised, "border": c.border, "grid": c.grid, "text": c.text,
        "muted": c.muted, "faint": c.faint, "accent": c.accent, "accent_text": c.accent_text, "focus": c.focus,
        "hover": c.hover, "selection": c.selection, "selection_text": c.selection_text, "warning": c.warning,
        "warning_fill": c.warning_fill, "error": c.error, "error_fill": c.error_fill, "good": c.good,
    }
    sheet = _SHEET.replace("@icons", path("icons").as_posix()).replace("@theme", c.name)
    # Longest names first: "base" is no part of another, but "text" is of "accent_text".
    for name in sorted(names, key=len, reverse=True):
        sheet = sheet.replace(f"@{name}", names[name].name())
    return sheet


_SHEET = """
QMainWindow::separator { background: @window; width: 5px; height: 5px; }
QMainWindow::separator:hover { background: @accent; }
QMenuBar { background: @window; border-bottom: 1px solid @border; padding: 2px 4px; }
QMenuBar::item { padding: 4px 8px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @raised; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 8px; border-radius: 4px; }
QMenu::item:selected { background: @hover; color: @text; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @grid; margin: 4px 8px; }
QMenu::icon { padding-left: 6px; }

QToolTip { background: @raised; color: @text; border: 1px solid @border; padding: 4px 6px; }

QPushButton, QToolButton#chooser {
    background: @raised; border: 1px solid @border; border-radius: 5px; padding: 4px 12px; color: @text;
}
QToolButton#chooser { padding: 4px 26px 4px 10px; text-align: left; }
QToolButton#chooser::menu-indicator { subcontrol-position: right center; right: 8px; }
QPushButton:hover, QToolButton#chooser:hover { background: @hover; }
QPushButton:focus, QToolButton#chooser:focus { border: 2px solid @focus; padding: 3px 11px; }
QToolButton#chooser:focus { padding: 3px 25px 3px 9px; }
QPushButton:default { background: @accent; color: @accent_text; border-color: @accent; }
QPushButton:disabled { color: @faint; }
QToolButton#plain { border: 2px solid transparent; border-radius: 5px; padding: 3px; background: transparent; }
QToolButton#plain:hover { background: @hover; }
QToolButton#plain:focus { border-color: @focus; }
QToolButton#plain:checked { background: @selection; color: @selection_text; }

QLineEdit, QPlainTextEdit#field {
    background: @base; border: 1px solid @border; border-radius: 5px; padding: 4px 8px;
    selection-background-color: @selection; selection-color: @selection_text;
}
QLineEdit:focus, QPlainTextEdit#field:focus { border: 2px solid @focus; padding: 3px 7px; }

QDockWidget { color: @muted; }
QDockWidget::title { background: @window; padding: 6px 10px; text-align: left; }
QDockWidget > QWidget { border-top: 1px solid @border; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab {
    background: transparent; color: @muted; padding: 6px 12px; border: none; border-bottom: 2px solid transparent;
}
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:hover:!selected { color: @text; background: @hover; }
QTabBar::tab:focus { color: @text; background: @hover; }
QTabBar::close-button { image: url("@icons/close.svg"); subcontrol-position: right; margin: 2px; }
QTabBar::close-button:hover { background: @hover; border-radius: 3px; }
QTabBar QToolButton { background: @window; border: 1px solid @border; }
QDockWidget { titlebar-close-icon: url("@icons/close.svg"); titlebar-normal-icon: url("@icons/float.svg"); }
QDockWidget::close-button, QDockWidget::float-button { border: none; background: transparent; padding: 0; }
QDockWidget::close-button:hover, QDockWidget::float-button:hover { background: @hover; border-radius: 3px; }
QTabWidget::pane { border: none; border-top: 1px solid @border; }

QHeaderView { background: @window; }
QHeaderView::section {
    background: @window; color: @muted; border: none; border-bottom: 1px solid @border; padding: 5px 8px;
}
QTableView { background: @base; border: none; selection-background-color: @selection;
    selection-color: @selection_text; }
QTableView:focus { border: 2px solid @focus; }
QTableView#tokens:focus { border: none; }

QCheckBox::indicator, QAbstractItemView::indicator, QRadioButton::indicator {
    width: 14px; height: 14px; background: @base; border: 1px solid @faint; border-radius: 3px;
}
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {
    background: @accent; border-color: @accent; image: url("@icons/check-@theme.svg");
}
QRadioButton::indicator:checked { background: @accent; border: 4px solid @base; width: 8px; height: 8px; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border-color: @focus; }
QCheckBox:focus, QRadioButton:focus { color: @accent; }

QStatusBar { background: @window; border-top: 1px solid @border; }
QStatusBar::item { border: none; }
QProgressBar { background: @grid; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }

QFrame#strip { background: @window; border: none; border-bottom: 1px solid @border; }
QFrame#foot { background: @window; border: none; border-top: 1px solid @border; }
QLabel#caption { color: @muted; }
QLabel#figure { color: @text; font-weight: 600; }
QFrame#notice { background: @warning_fill; border: none; border-bottom: 1px solid @border; }
QFrame#notice[severity="error"] { background: @error_fill; }
QFrame#notice[severity="info"] { background: @hover; }
QFrame#notice QLabel { color: @warning; }
QFrame#notice[severity="error"] QLabel { color: @error; }
QFrame#notice[severity="info"] QLabel { color: @text; }
QLabel#quiet { color: @muted; }
QLabel#bad { color: @error; font-weight: 600; }
QLabel#good { color: @good; }
QLabel#warn { color: @warning; }

QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: @border; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @faint; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
"""
