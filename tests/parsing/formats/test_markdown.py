from __future__ import annotations

from pathlib import Path

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.formats.markdown import parse

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
