"""Colours, style sheet and fonts: as chosen in the settings, or as the system is."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from desktop_rag.core.paths import resources
from desktop_rag.core.settings import Settings
from desktop_rag.gui.colors import CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT, Colors

__all__ = [
    "HEAD",
    "READING",
    "SMALL",
    "Colors",
    "Theme",
    "palette",
    "reading_font",
    "scaled",
    "style_sheet",
]

READING = 1.15  # what is read at length: an answer, a document's text
HEAD = 48  # pixels: how high the heads of the panes are
SMALL = 0.92  # second lines and footnotes; Chinese is hard to read below eleven pixels

_TOKEN = re.compile(r"@([a-z_]+)")
_PLAIN = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "DejaVu Sans")
_CHINESE = ("Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei UI", "PingFang SC")

_ROLES = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "base",
    QPalette.ColorRole.AlternateBase: "side",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.PlaceholderText: "muted",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on_accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.Mid: "border",
}


def palette(colors: Colors) -> QPalette:
    """Return Qt's palette of these colours."""
    made = QPalette()
    for role, name in _ROLES.items():
        made.setColor(role, colors.of(name))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, colors.of("faint"))
    return made


def style_sheet(colors: Colors) -> str:
    """Return the style sheet with every token filled in."""
    folder = resources()
    arrows = {"icon_up": _path(folder, "arrow-up"), "icon_down": _path(folder, "arrow")}
    is_light = colors.of("on_accent").lightnessF() > 0.5
    tick = {"icon_tick": _path(folder, "tick-white" if is_light else "tick-black")}
    names = asdict(colors) | arrows | tick
    text = (folder / "qss" / "window.qss").read_text(encoding="utf-8")
    return _TOKEN.sub(lambda found: str(names[found.group(1)]), text)


def _path(folder: Path, icon: str) -> str:
    return (folder / "icons" / f"{icon}.svg").as_posix()


def reading_font(base: QFont) -> QFont:
    """Return a font with Chinese families behind the system's own.

    Where the system names none (a bare X server), the best of the usual ones is taken.
    """
    installed = set(QFontDatabase.families())
    own = [family for family in base.families() if family in installed]
    made = QFont(base)
    made.setFamilies(own + [each for each in (*_PLAIN, *_CHINESE) if each in installed])
    return made


def scaled(font: QFont, scale: float, *, bold: bool = False) -> QFont:
    """Return a font of another size, perhaps bold."""
    made = QFont(font)
    made.setPointSizeF(font.pointSizeF() * scale)
    if bold:
        made.setWeight(QFont.Weight.DemiBold)
    return made


class Theme(QObject):
    """Dresses the application as it is chosen, or as the system is; says how much it shows.

    `changed` says that it was dressed anew, or shows more or less: figures, steps and tools that
    only experts need are shown where it `is_expert`.
    """

    changed = Signal()

    def __init__(
        self,
        app: QApplication,
        choice: str = "auto",
        *,
        is_late: bool = False,
        is_expert: bool = False,
    ) -> None:
        """Dress the application; with `is_late` the style sheet waits for `put_sheet_on`.

        What is made under a style sheet is styled anew each time that it gets a parent.
        """
        super().__init__(app)
        self._app = app
        self._choice = choice
        self._waits = is_late
        self.is_expert = is_expert
        self._hints = app.styleHints()
        self._scheme = self._hints.colorScheme()
        self.colors = LIGHT
        app.setStyle("Fusion")
        app.setFont(reading_font(app.font()))
        self._hints.colorSchemeChanged.connect(self.follow)
        if hasattr(self._hints, "accessibility"):  # from Qt 6.10 on
            self._hints.accessibility().contrastPreferenceChanged.connect(self.dress)
        self.dress()

    @Slot(Qt.ColorScheme)
    def follow(self, scheme: Qt.ColorScheme) -> None:
        """Take over the system's colour scheme."""
        self._scheme = scheme
        self.dress()

    @Slot(object)
    def adapt(self, settings: Settings) -> None:
        """Take over the appearance that is chosen in the settings, and how much is shown."""
        if settings.window.theme != self._choice:
            self._choice = settings.window.theme
            self.dress()
        if settings.window.expert_tools != self.is_expert:
            self.is_expert = settings.window.expert_tools
            self.changed.emit()

    @Slot()
    def dress(self) -> None:
        """Dress the application."""
        self.colors = self._chosen()
        self._app.setPalette(palette(self.colors))
        if not self._waits:
            self._app.setStyleSheet(style_sheet(self.colors))
        self.changed.emit()

    def put_sheet_on(self) -> None:
        """Put the style sheet on that waited until the window was made."""
        self._waits = False
        self._app.setStyleSheet(style_sheet(self.colors))

    def _chosen(self) -> Colors:
        is_dark = self._scheme == Qt.ColorScheme.Dark
        if self._choice == "contrast" or (self._choice == "auto" and self._wants_contrast()):
            return CONTRAST_DARK if is_dark else CONTRAST_LIGHT
        if self._choice == "auto":
            return DARK if is_dark else LIGHT
        return DARK if self._choice == "dark" else LIGHT

    def _wants_contrast(self) -> bool:
        if not hasattr(self._hints, "accessibility"):
            return False
        wanted = self._hints.accessibility().contrastPreference()
        return bool(wanted == Qt.ContrastPreference.HighContrast)
