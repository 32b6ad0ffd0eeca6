"""The colours: readable on everything they are shown on, and those that were chosen."""

from __future__ import annotations

import re
from dataclasses import asdict, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.core.paths import resources
from desktop_rag.core.settings import Settings, Window
from desktop_rag.gui.colors import CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT, Colors
from desktop_rag.gui.theme import Theme, palette, style_sheet
from testing.narrowing import present
from testing.window_driver import pause

THEMES = {
    "light": LIGHT,
    "dark": DARK,
    "contrast-light": CONTRAST_LIGHT,
    "contrast-dark": CONTRAST_DARK,
}
GROUNDS = ("window", "side", "base", "raised", "hover", "soft", "bubble", "code")
READ = ("text", "muted", "accent", "accent_text", "good", "warn", "bad")  # roles of words and signs
PAIRS = [
    *((role, ground) for role in READ for ground in GROUNDS),
    *((role, ground) for role in ("text", "muted", "accent", "warn") for ground in ("notice",)),
    *((role, ground) for role in ("text", "muted", "bad") for ground in ("bad_soft",)),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
]
DECORATIVE = [("faint", ground) for ground in ("window", "side", "base", "raised", "hover")]


def brightness(color: str) -> float:
    """Return the relative luminance of `#rrggbb`, as WCAG 2 has it."""
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((brightness(one), brightness(other)))
    return (bright + 0.05) / (dark + 0.05)


def too_weak(colors: Colors, pairs: list[tuple[str, str]], least: float) -> dict[str, float]:
    named = asdict(colors)
    found = {f"{a} on {b}": contrast(named[a], named[b]) for a, b in pairs}
    return {pair: round(ratio, 2) for pair, ratio in found.items() if ratio < least}


def test_contrast_is_measured_as_wcag_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize(
    ("name", "least"),
    [("light", 4.5), ("dark", 4.5), ("contrast-light", 7.0), ("contrast-dark", 7.0)],
)
def test_every_word_can_be_read_on_every_ground(name: str, least: float) -> None:
    assert too_weak(THEMES[name], PAIRS, least) == {}


def laid_over(veil: str, ground: str) -> str:
    """Return what `#aarrggbb` makes of a ground."""
    share = int(veil[1:3], 16) / 255
    pairs = ((veil[at + 2 : at + 4], ground[at : at + 2]) for at in (1, 3, 5))
    mixed = (round(int(a, 16) * share + int(b, 16) * (1 - share)) for a, b in pairs)
    return "#" + "".join(f"{part:02x}" for part in mixed)


@pytest.mark.parametrize(
    ("name", "least"),
    [("light", 4.5), ("dark", 4.5), ("contrast-light", 7.0), ("contrast-dark", 7.0)],
)
def test_what_is_marked_can_still_be_read(name: str, least: float) -> None:
    colors = THEMES[name]
    marked = replace(colors, base=laid_over(colors.mark, colors.base))
    assert too_weak(marked, [("text", "base"), ("accent_text", "base")], least) == {}


@pytest.mark.parametrize(
    ("name", "least"),
    [("light", 3.0), ("dark", 3.0), ("contrast-light", 7.0), ("contrast-dark", 7.0)],
)
def test_what_is_off_or_waits_can_still_be_made_out(name: str, least: float) -> None:
    assert too_weak(THEMES[name], DECORATIVE, least) == {}


@pytest.mark.parametrize("name", THEMES)
def test_the_line_of_the_focus_stands_out(name: str) -> None:
    grounds = [("accent", ground) for ground in ("window", "base", "raised", "notice")]
    assert too_weak(THEMES[name], grounds, 3.0) == {}


@pytest.mark.parametrize("name", ["contrast-light", "contrast-dark"])
def test_in_high_contrast_every_edge_stands_out(name: str) -> None:
    edges = [
        (line, ground)
        for line in ("border", "accent_line", "chosen_line", "scroll")
        for ground in ("window", "base", "raised")
    ]
    edges += [("bad_line", "bad_soft"), ("notice_line", "notice")]
    assert too_weak(THEMES[name], edges, 4.5) == {}


@pytest.mark.parametrize("name", THEMES)
def test_every_token_of_the_style_sheet_is_a_colour_or_a_picture(name: str) -> None:
    sheet = style_sheet(THEMES[name])
    assert "@" not in sheet
    for path in re.findall(r"url\(([^)]+)\)", sheet):
        assert (resources() / "icons" / path.rpartition("/")[2]).is_file()


def test_every_role_of_the_palette_is_of_the_theme() -> None:
    made = palette(DARK)
    assert made.window().color().name() == DARK.window
    assert made.placeholderText().color().name() == DARK.muted


@pytest.mark.parametrize(
    ("choice", "scheme", "wanted"),
    [
        ("auto", Qt.ColorScheme.Light, LIGHT),
        ("auto", Qt.ColorScheme.Unknown, LIGHT),
        ("auto", Qt.ColorScheme.Dark, DARK),
        ("light", Qt.ColorScheme.Dark, LIGHT),
        ("dark", Qt.ColorScheme.Light, DARK),
        ("contrast", Qt.ColorScheme.Light, CONTRAST_LIGHT),
        ("contrast", Qt.ColorScheme.Dark, CONTRAST_DARK),
    ],
)
def test_the_theme_is_the_chosen_one_or_the_system_s(
    qapp: QApplication, choice: str, scheme: Qt.ColorScheme, wanted: Colors
) -> None:
    theme = Theme(qapp, choice)
    theme.follow(scheme)
    assert theme.colors == wanted
    theme.deleteLater()


def test_a_choice_in_the_settings_is_taken_over_at_once(theme: Theme, qtbot: QtBot) -> None:
    chosen = replace(Settings(), window=Window(theme="dark"))
    with qtbot.waitSignal(theme.changed):
        theme.adapt(chosen)
    assert theme.colors == DARK
    with qtbot.assertNotEmitted(theme.changed):
        theme.adapt(chosen)


def test_what_a_field_says_while_it_is_empty_can_be_read(theme: Theme, qtbot: QtBot) -> None:
    """Qt takes half of the text's colour for it where a style sheet gives none."""
    for field in (QLineEdit(), QPlainTextEdit()):
        qtbot.addWidget(field)
        field.ensurePolished()
        assert field.palette().placeholderText().color().name() == theme.colors.muted


def test_a_list_that_drops_down_shows_all_its_entries(qtbot: QtBot, theme: Theme) -> None:
    box = QComboBox()
    qtbot.addWidget(box)
    box.addItems(["All states", "Ready", "Problems", "Waiting", "0 passages", "Excluded"])
    box.show()
    box.showPopup()
    pause(50)
    assert box.view().verticalScrollBar().maximum() == 0
    box.hidePopup()


def test_what_a_completer_offers_has_a_ground_of_its_own(qtbot: QtBot, theme: Theme) -> None:
    line = QLineEdit()
    qtbot.addWidget(line)
    completer = QCompleter(["one", "other"], line)
    line.setCompleter(completer)
    line.show()
    completer.complete()
    pause(50)
    shown = present(completer.popup()).grab().toImage()
    wanted = theme.colors.raised
    assert shown.pixelColor(shown.width() - 8, shown.height() // 2).name() == wanted
    present(completer.popup()).hide()


@pytest.mark.parametrize("choice", ["light", "dark", "contrast"])
def test_the_ring_of_a_choice_that_is_not_made_stands_out(
    qtbot: QtBot, theme: Theme, choice: str
) -> None:
    theme.adapt(replace(Settings(), window=Window(theme=choice)))
    box = QWidget()
    qtbot.addWidget(box)
    QHBoxLayout(box).addWidget(QRadioButton("Keep"))
    box.show()
    shown = box.grab().toImage()
    ground = shown.pixelColor(1, 1).name()
    middle = shown.height() // 2
    row = [shown.pixelColor(x, middle).name() for x in range(1, 24)]
    assert max(contrast(each, ground) for each in row) >= 3
