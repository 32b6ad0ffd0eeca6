"""Colours, style sheet and fonts, light or dark as the system is."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from desktop_rag.core.paths import resources

_TOKEN = re.compile(r"@([a-z_]+)")
_PLAIN = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "DejaVu Sans")
_CHINESE = ("Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei UI", "PingFang SC")


@dataclass(frozen=True, slots=True)
class Colors:
    """Every colour of the window by its role; `mark` lies over text, with its own alpha."""

    window: str
    side: str
    base: str
    raised: str
    hover: str
    border: str
    text: str
    muted: str
    faint: str
    accent: str
    accent_hover: str
    accent_text: str
    accent_line: str
    on_accent: str
    soft: str
    good: str
    warn: str
    bad: str
    bad_soft: str
    bad_line: str
    notice: str
    notice_line: str
    scroll: str
    bubble: str
    code: str
    mark: str

    def of(self, role: str) -> QColor:
        """Return one colour by its role's name."""
        return QColor(getattr(self, role))


LIGHT = Colors(
    window="#f4f5f4",
    side="#f4f5f4",
    base="#ffffff",
    raised="#ffffff",
    hover="#e9ecea",
    border="#dcdfdd",
    text="#1d2321",
    muted="#5d6865",
    faint="#9aa3a0",
    accent="#0f766e",
    accent_hover="#0b5f58",
    accent_text="#0b5f58",
    accent_line="#9fcfc9",
    on_accent="#ffffff",
    soft="#dcefec",
    good="#2f8f5b",
    warn="#a86400",
    bad="#c0362c",
    bad_soft="#fbeceb",
    bad_line="#eec4c0",
    notice="#fff8e6",
    notice_line="#ecd9a3",
    scroll="#c9cecb",
    bubble="#edf3f2",
    code="#f4f5f4",
    mark="#73ffd21f",
)

DARK = Colors(
    window="#1a1d1d",
    side="#1a1d1d",
    base="#212525",
    raised="#292e2e",
    hover="#323838",
    border="#373e3d",
    text="#e6eae8",
    muted="#a0aaa7",
    faint="#6a7471",
    accent="#3fb5a8",
    accent_hover="#5cc7bb",
    accent_text="#7fd8cd",
    accent_line="#2f6a63",
    on_accent="#08201d",
    soft="#22433f",
    good="#5cc48c",
    warn="#e0a94a",
    bad="#f07c72",
    bad_soft="#3b2625",
    bad_line="#6a3a37",
    notice="#35301f",
    notice_line="#5c5131",
    scroll="#4a5251",
    bubble="#2a3332",
    code="#1a1d1d",
    mark="#73ffd21f",
)

_ROLES = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "base",
    QPalette.ColorRole.AlternateBase: "side",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.PlaceholderText: "faint",
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
    names = asdict(colors) | {"icon_down": _arrow(folder)}
    text = (folder / "qss" / "window.qss").read_text(encoding="utf-8")
    return _TOKEN.sub(lambda found: str(names[found.group(1)]), text)


def _arrow(folder: Path) -> str:
    return (folder / "icons" / "arrow.svg").as_posix()


def reading_font(base: QFont) -> QFont:
    """Return a font with Chinese families behind the system's own.

    Where the system names none (a bare X server), the best of the usual ones is taken.
    """
    installed = set(QFontDatabase.families())
    own = [family for family in base.families() if family in installed]
    made = QFont(base)
    made.setFamilies(own + [each for each in (*_PLAIN, *_CHINESE) if each in installed])
    return made


class Theme(QObject):
    """Dresses the application and follows the system; `changed` says that it was dressed anew."""

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self.colors = LIGHT
        app.setStyle("Fusion")
        app.setFont(reading_font(app.font()))
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(self.follow)
        self.follow(hints.colorScheme())

    @Slot(Qt.ColorScheme)
    def follow(self, scheme: Qt.ColorScheme) -> None:
        """Dress the application for a colour scheme."""
        self.colors = DARK if scheme == Qt.ColorScheme.Dark else LIGHT
        self._app.setPalette(palette(self.colors))
        self._app.setStyleSheet(style_sheet(self.colors))
        self.changed.emit()
