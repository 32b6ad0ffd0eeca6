"""Answers made safe."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument

from desktop_rag.gui.chat.safe_markdown import sanitize_markdown

KNOWN = range(1, 4)


def test_a_known_number_becomes_a_link() -> None:
    assert sanitize_markdown("Fuel fell [2].", KNOWN) == "Fuel fell [\u20092\u2009](cite:2)."


def test_numbers_in_one_bracket_become_links_each() -> None:
    assert sanitize_markdown("So [1, 3].", KNOWN).count("](cite:") == 2
    assert sanitize_markdown("如此 [1、3]。", KNOWN).count("](cite:") == 2


def test_an_unknown_number_stays_text() -> None:
    assert sanitize_markdown("Fuel fell [9].", KNOWN) == "Fuel fell [9]."


@pytest.mark.parametrize(
    "formula",
    [
        r"$x_{ij}^{-1}*a*b_i$", r"$\{1\}$", r"$$\begin{matrix}a & b \\ n & x\end{matrix}$$",
        r"$\sqrt[3]{x}$", r"$50\%\$$", "$_a b_$", "$a<b>c$", "$[x](https://a.example)$",
    ],
)  # fmt: skip
@pytest.mark.usefixtures("qapp")
def test_a_formula_is_shown_as_it_is_written(formula: str) -> None:
    shown = QTextDocument()
    shown.setMarkdown(sanitize_markdown(f"It is {formula}, he *says*.", KNOWN))
    assert shown.toPlainText() == f"It is {formula}, he says."
    assert "href" not in shown.toHtml()


@pytest.mark.parametrize("sums", ["$5 [1] and $6 [2]", "US$5 [1], A$6 [2]", "5$ [1] and 6 $ [2]"])
def test_sums_of_money_are_no_formula(sums: str) -> None:
    assert sanitize_markdown(sums, KNOWN).count("](cite:") == 2


@pytest.mark.parametrize("code", ["`x[1]`", "```\nx[1]\n```", "```python\nx[1] never ended"])
def test_code_is_left_alone(code: str) -> None:
    assert sanitize_markdown(code, KNOWN) == code


@pytest.mark.parametrize(
    "link",
    [
        "[x](file:///etc/passwd)",
        "[x](javascript:alert(1))",
        "[x](cite:1)",
        "[x](steps:0)",
        "[x](/etc/passwd)",
        "[x](data:text/html,hi)",
    ],
)
def test_only_web_addresses_stay_links(link: str) -> None:
    assert "](" not in sanitize_markdown(f"See {link}.", KNOWN)


def test_a_web_address_stays_a_link() -> None:
    assert sanitize_markdown("[x](https://example.org/a)", KNOWN) == "[x](https://example.org/a)"


def test_pictures_become_their_words() -> None:
    assert sanitize_markdown("![a cat](http://evil.example/x.png)", KNOWN) == "a cat"


def test_link_definitions_and_file_autolinks_are_taken_out() -> None:
    assert "file:" not in sanitize_markdown("[a]: file:///etc/passwd\n\nsee [a]", KNOWN)
    assert sanitize_markdown("<file:///etc/passwd>", KNOWN) == "file:///etc/passwd"
