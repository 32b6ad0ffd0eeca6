"""Names and texts of others: what is not seen itself is seen as �, and commands nobody."""

from __future__ import annotations

import pytest

from desktop_rag.core.sanitize import sanitize_name, sanitize_text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("invoice\u202efdp.exe", "invoice\ufffdfdp.exe"),
        ("\u2066a\u2069", "\ufffda\ufffd"),
        ("a\nb\tc\x1b[2J", "a\ufffdb\ufffdc\ufffd[2J"),
        ("a\u2028b\x85c", "a\ufffdb\ufffdc"),
        ("差旅报销制度.md", "差旅报销制度.md"),
        ("דוח שנתי \u200f(2024).pdf", "דוח שנתי \u200f(2024).pdf"),
        ("<b> & %1 😀", "<b> & %1 😀"),
        ("latin-\udce9.txt", "latin-\udce9.txt"),
    ],
)
def test_a_name_stays_on_its_line_and_in_its_direction(name: str, shown: str) -> None:
    assert sanitize_name(name) == shown


def test_a_text_commands_no_terminal() -> None:
    said = "one\ttwo\nthree\r\x1b[2J\x1b]52;c;aGk=\x07\x9b31m\x7f four"
    shown = sanitize_text(said)
    assert not set(shown) & set(map(chr, (0x1B, 0x07, 0x0D, 0x7F, 0x9B)))
    assert shown.startswith("one\ttwo\nthree")
    assert shown.endswith(" four")


def test_our_own_colours_are_left() -> None:
    bold = "\x1b[1mbold\x1b[0m"
    assert sanitize_text(bold, colours=True) == bold
    assert sanitize_text(f"{bold}\x1b[2J", colours=True) == f"{bold}\ufffd[2J"
    assert "\x1b" not in sanitize_text(bold)
