from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.formats.markdown import from_markdown, parse

SOURCE = """---
title: "From the front"
tags: [a, b]
---

# The first heading

Some *running* text with a [link](https://example.org/long/address)
over two lines and `code`.

- one
- two
  1. inner

| name | price |
|------|-------|
| Tea  | 1.50  |

```python
x = 1
```

<div align="center"><b>Raw</b> markup</div>

Setext
------
"""


def test_blocks_know_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(SOURCE)
    document = parse(path)
    assert document.title == "From the front"
    assert [(b.place.value, b.kind, b.text) for b in document.blocks] == [
        (1, BlockKind.META, 'title: "From the front"\ntags: [a, b]'),
        (6, BlockKind.HEADING, "The first heading"),
        (8, BlockKind.TEXT, "Some running text with a link\nover two lines and code."),
        (11, BlockKind.LIST, "- one"),
        (12, BlockKind.LIST, "- two"),
        (13, BlockKind.LIST, "  1. inner"),
        (15, BlockKind.TABLE, "name | price\nTea | 1.50"),
        (19, BlockKind.CODE, "x = 1"),
        (23, BlockKind.TEXT, "Raw markup"),
        (25, BlockKind.HEADING, "Setext"),
    ]


def test_rows_know_their_lines_and_header(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(SOURCE)
    (table,) = [b for b in parse(path).blocks if b.kind is BlockKind.TABLE]
    assert table.header == "name | price"
    assert [row.place.value for row in table.rows] == [15, 17]


def test_the_first_heading_is_the_title(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("Words before it.\n\n# A *fine* title\n\nText.\n")
    assert parse(path).title == "A fine title"


@pytest.mark.parametrize(
    "formula",
    [
        "$a_1*b*c$", r"$x_{i}^{2}\_y \\ z$", r"\(x^2*a*\)", r"\[ y = \frac{1}{2}*a* \]",
        "$$ x*y*z $$",
        "$$\na_1 \\\\ b_*c*\n- z\n= w\n\\{x\\}\n$$", "\\[\nx\n= y\n\\]",
        "\\begin{aligned}\na &= *b* \\\\\n- c\n\\end{aligned}",
    ],
)  # fmt: skip
def test_a_formula_stays_as_it_is_written(formula: str) -> None:
    blocks = from_markdown(f"Before.\n\n{formula}\n\nAfter *that*.").blocks
    assert [block.text for block in blocks] == ["Before.", formula, "After that."]


def test_formulas_stand_in_sentences_items_cells_and_headings() -> None:
    source = "# The $a*b*$ law\n\n- 中文$x_1*y*$，then\n\n| a |\n|---|\n| $b*c*$ |\n\n$`x_1`$ ends."
    said = "\n".join(block.text for block in from_markdown(source).blocks)
    assert [formula in said for formula in ("$a*b*$", "文$x_1*y*$，", "$b*c*$", "$x_1$")] == [
        True
    ] * 4


@pytest.mark.parametrize("sums", ["$5 and $6", "US$5, A$6", "5$ to 6 $"])
def test_sums_of_money_and_ends_that_never_come_are_no_formulas(sums: str) -> None:
    said = [block.text for block in from_markdown(f"*{sums}*\n\n$$\nnever *ended*").blocks]
    assert said == [sums, "$$\nnever ended"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (r"See \[1\] and array\[0\], \(c\) 2020 *x*", "See [1] and array[0], (c) 2020 x"),
        (r"- \[ \] todo", "- [ ] todo"),
        (r"- \[x\] done, \[snake\_case\]", "- [x] done, [snake_case]"),
        (r"\[see also a_b here\]", "[see also a_b here]"),
        ("**$PATH**/**$HOME**", "$PATH/$HOME"),
        ("[cost $A](http://x/?q=$b)", "cost $A"),
        ("It is US$5 for **one** and US$ 6", "It is US$5 for one and US$ 6"),
        ("From $5_a, *C$ 6* on, *$x and **US$**", "From $5_a, C$ 6 on, *$x and US$"),
        ("${ab}/*b*/${cd}", "${ab}/b/${cd}"),
        ("$a = **five plain words**$", "$a = five plain words$"),
        ("Costs $5<br>or *6*$.", "Costs $5\nor 6$."),
        ("x$a_*b*$ and $a_*b*$s", "x$a_b$ and $a_b$s"),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_formula_is_markdown(source: str, said: str) -> None:
    assert "\n".join(block.text for block in from_markdown(source).blocks) == said


@pytest.mark.parametrize("inside", ["\n# Heading\n\n```\necho $$\n```\n\n", "# Heading\n", "\n"])
@pytest.mark.parametrize("begin", ["$$", "$$ is the PID", "\\[", "\\begin{align}"])
def test_no_formula_goes_on_over_a_heading_or_a_blank_line(begin: str, inside: str) -> None:
    source = f"{begin}\n{inside}Some *words*.\n\n$$\nx_*1*\n$$\n"
    said = [block.text for block in from_markdown(source).blocks]
    assert ("Heading" in said) is ("Heading" in inside)
    assert said[-2:] == ["Some words.", "$$\nx_*1*\n$$"]


def test_a_mark_without_end_takes_no_part_of_the_next_formula() -> None:
    source = (
        "$$\nplain *words* here\n$$\n\n$$ and\n$$\na_*b*\n$$\n\n"
        "\\begin{itemize}\n*a*\n\\end{itemize}"
    )
    said = [block.text for block in from_markdown(source).blocks]
    assert said == [
        "$$\nplain words here\n$$", "$$ and", "$$\na_*b*\n$$",
        "\\begin{itemize}\na\n\\end{itemize}",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "piece",
    [
        "$$\n",
        "\\[\n",
        "\\begin{align}\n",
        "$",
        r"\(",
        "$a ",
        "\\[a\n",
        "$`a",
        "$a\\$",
        "\\begin{a}\n",
    ],
)
def test_beginnings_without_end_are_read_in_one_pass(piece: str) -> None:
    assert from_markdown(piece * 30_000).blocks
