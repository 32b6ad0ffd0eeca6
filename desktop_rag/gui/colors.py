"""The colours of the window: light, dark, and both of them in high contrast."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor


@dataclass(frozen=True, slots=True)
class Colors:
    """Every colour of the window by its role; `mark` lies over text, with its own alpha.

    `soft` is the ground of what is chosen, `chosen_line` the line around it: to be seen only where
    contrast is asked for. `focus_side` is the line around a large view that has the focus, but for
    its upper edge, which is `accent`.
    """

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
    chosen_line: str
    focus_side: str
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
    faint="#7b8582",
    accent="#0f766e",
    accent_hover="#0b5f58",
    accent_text="#0b5f58",
    accent_line="#9fcfc9",
    on_accent="#ffffff",
    soft="#dcefec",
    chosen_line="#dcefec",
    focus_side="#00000000",
    good="#217043",
    warn="#8c5300",
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
    muted="#a8b2af",
    faint="#848e8b",
    accent="#47bfb1",
    accent_hover="#5cc7bb",
    accent_text="#7fd8cd",
    accent_line="#2f6a63",
    on_accent="#08201d",
    soft="#22433f",
    chosen_line="#22433f",
    focus_side="#00000000",
    good="#5cc48c",
    warn="#e0a94a",
    bad="#f6938a",
    bad_soft="#3b2625",
    bad_line="#6a3a37",
    notice="#35301f",
    notice_line="#5c5131",
    scroll="#4a5251",
    bubble="#2a3332",
    code="#1a1d1d",
    mark="#40ffd21f",
)

CONTRAST_LIGHT = Colors(
    window="#ffffff",
    side="#ffffff",
    base="#ffffff",
    raised="#ffffff",
    hover="#e4e4e4",
    border="#1a1a1a",
    text="#000000",
    muted="#2b2b2b",
    faint="#404040",
    accent="#00464f",
    accent_hover="#00303a",
    accent_text="#00464f",
    accent_line="#00464f",
    on_accent="#ffffff",
    soft="#c8ecf2",
    chosen_line="#00464f",
    focus_side="#00464f",
    good="#004d25",
    warn="#5a3000",
    bad="#8a0008",
    bad_soft="#fff2f2",
    bad_line="#8a0008",
    notice="#fffbe8",
    notice_line="#5a3000",
    scroll="#4d4d4d",
    bubble="#eef6f7",
    code="#f2f2f2",
    mark="#80ffd21f",
)

CONTRAST_DARK = Colors(
    window="#000000",
    side="#000000",
    base="#000000",
    raised="#000000",
    hover="#2a2a2a",
    border="#e6e6e6",
    text="#ffffff",
    muted="#e0e0e0",
    faint="#cccccc",
    accent="#4fe3d2",
    accent_hover="#9df3e9",
    accent_text="#7df0e2",
    accent_line="#4fe3d2",
    on_accent="#000000",
    soft="#0b3f3a",
    chosen_line="#4fe3d2",
    focus_side="#4fe3d2",
    good="#7fe8a8",
    warn="#ffcf66",
    bad="#ffc2bc",
    bad_soft="#2a0806",
    bad_line="#ffc2bc",
    notice="#241c00",
    notice_line="#ffcf66",
    scroll="#b5b5b5",
    bubble="#14211f",
    code="#161616",
    mark="#4dffd21f",
)
