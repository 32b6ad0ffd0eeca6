"""Read XML of any kind: its texts in order, each with the names of what it stands in.

An element that holds only simple ones is a record (`port: 8080; host: a.example`), one with text
and elements mixed is a paragraph, and one named `title` is the heading of what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures
from desktop_rag.parsing.formats.fb2 import parse_fb2
from desktop_rag.parsing.formats.html import from_html
from desktop_rag.parsing.formats.latex_notation import GAP, gap_notes
from desktop_rag.parsing.formats.mathml_latex import latex_of
from desktop_rag.parsing.formats.odf_package import SAVED
from desktop_rag.parsing.formats.plain_text import paragraphs, read_text
from desktop_rag.parsing.formats.xml_tree import children, descendants, local, read_tree, whole_text
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument, TableRow
from desktop_rag.parsing.table_blocks import clean

_DEEPEST = 60
_LONGEST_FIELD = 200  # characters of a simple element's text, above which it is a paragraph
_ROWS_A_BLOCK = 200
_MOST_NAMES = 6  # of those above an element, the nearest, in its place
_TITLES = frozenset(("title", "heading", "head", "caption"))
# Names of paragraphs, which say nothing of the text in them.
_PROSE = frozenset(
    (
        "p", "para", "simpara", "formalpara", "text", "li", "item", "line", "l", "v", "note",
        "quote", "blockquote", "programlisting", "screen", "literallayout", "emphasis", "td",
        "entry", "term", "math", "tex-math",
    )
)  # fmt: skip
_MATH = "{http://www.w3.org/1998/Math/MathML}math"
_MARKS = ("$", r"\(", r"\[", r"\begin")
_TEX_DOCUMENT = re.compile(r"\\begin\{document\}(.*)\\end\{document\}", re.DOTALL)
_FEED_TEXTS = frozenset(("description", "content", "summary", "encoded"))
_BROKEN = "The file is not valid XML; it was read as plain text."


def parse(path: Path, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return the texts of an XML file; of a broken one, its plain text."""
    read_text(path)  # says whether it is a text at all
    raw = path.read_bytes()
    root, is_whole = read_tree(raw)
    if root is None or (not is_whole and not whole_text(root)):
        return ParsedDocument("", tuple(paragraphs(read_text(path))), notes=(_BROKEN,))
    if local(root) == "html":
        return from_html(raw, picture_text=(pictures or EmbeddedPictures()).data_text)
    if local(root) == "FictionBook":
        return parse_fb2(path, pictures)
    gaps = _write_formulas(root)
    walk = _Walk()
    blocks = tuple(_gathered(walk.blocks(root, (local(root),))))
    notes = (*(() if is_whole else (SAVED,)), *gap_notes(gaps))
    return ParsedDocument(_title(root), blocks, notes=notes)


def _write_formulas(root: etree._Element) -> int:
    """Put LaTeX where formulas stand, once where one is written twice; return how many gaps."""
    gaps = 0
    for source in descendants(root, "tex-math"):
        held = _TEX_DOCUMENT.search(source.text or "")
        said = clean(held.group(1) if held else source.text or "")
        source.text = f"${said}$" if said and not said.startswith(_MARKS) else said
        outer = source.getparent()
        if outer is not None and local(outer) == "alternatives":
            for other in [each for each in children(outer) if each is not source]:
                outer.remove(other)
    for formula in list(root.iter(_MATH)):
        written = "" if formula is root else latex_of(formula)
        gaps += written == GAP
        for child in list(formula) if written else ():
            formula.remove(child)
        formula.text = written or formula.text
    return gaps


def _title(root: etree._Element) -> str:
    """Return the document's own title: the first that stands near its root."""
    for element in (root, *list(children(root))[:2]):
        for each in element.iterchildren("{*}title", "{*}info", "{*}bookinfo", "{*}articleinfo"):
            found = each if local(each) == "title" else next(each.iterchildren("{*}title"), None)
            if found is not None and (text := clean(whole_text(found))):
                return text[:_LONGEST_FIELD]
    return ""


class _Walk:
    """Goes through a document once, with the heading that it is under, if there is one."""

    def __init__(self) -> None:
        self._heading: BlockLocator | None = None

    def blocks(self, element: etree._Element, path: tuple[str, ...]) -> Iterator[Block]:
        """Yield the blocks of an element; `path` are the names down to its own."""
        name = path[-1]
        inside = list(children(element))
        if len(path) > _DEEPEST or _is_mixed(element):
            yield from self._text(_attributes(element), path)
            yield from self._text(whole_text(element), path)
        elif name.lower() in _TITLES and not inside and clean(element.text or ""):
            yield self._title(clean(element.text or ""), path)
        elif not inside:
            yield from self._leaf(element, path)
        elif _is_record(inside):
            yield from self._record(element, inside, path)
        else:
            yield from self._text(_attributes(element), path)
            outer = self._heading
            for child in inside:
                yield from self.blocks(child, (*path, local(child)))
            self._heading = outer

    def _title(self, text: str, path: tuple[str, ...]) -> Block:
        self._heading = BlockLocator(LocatorKind.SECTION, text)
        return Block(BlockKind.HEADING, text, self._heading, min(max(1, len(path) - 1), 9))

    def _leaf(self, element: etree._Element, path: tuple[str, ...]) -> Iterator[Block]:
        text, facts = clean(element.text or ""), _attributes(element)
        name = path[-1]
        if text and (name.lower() in _PROSE or len(text) > _LONGEST_FIELD):
            yield from self._text(facts, path)
            yield from self._text(text, path)
        elif said := "; ".join(filter(None, (text, facts))):
            yield from self._row(f"{name}: {said}", path[:-1] or path)

    def _record(
        self, element: etree._Element, inside: list[etree._Element], path: tuple[str, ...]
    ) -> Iterator[Block]:
        """Yield a record's simple elements as one row, the long texts in it as paragraphs."""
        pairs, long = [_attributes(element)], []
        for child in inside:
            text = _unmarked(child)
            if len(text) > _LONGEST_FIELD:
                long.append(text)
            elif said := "; ".join(filter(None, (text, _attributes(child)))):
                pairs.append(f"{local(child)}: {said}")
        yield from self._row("; ".join(filter(None, pairs)), path)
        for text in long:
            yield from self._text(text, path)

    def _text(self, text: str, path: tuple[str, ...]) -> Iterator[Block]:
        if text:
            yield Block(BlockKind.TEXT, text, self._place(path))

    def _row(self, text: str, path: tuple[str, ...]) -> Iterator[Block]:
        if text:
            yield Block(BlockKind.TABLE, text, self._place(path))

    def _place(self, path: tuple[str, ...]) -> BlockLocator:
        if self._heading is not None:
            return self._heading
        return BlockLocator(LocatorKind.SECTION, "/".join(path[-_MOST_NAMES:])[-_LONGEST_FIELD:])


def _gathered(blocks: Iterator[Block]) -> Iterator[Block]:
    """Yield the blocks, with rows that follow each other at one place in one table."""
    held: list[Block] = []
    for block in blocks:
        is_more = held and block.kind is BlockKind.TABLE and block.place == held[0].place
        if held and (not is_more or len(held) >= _ROWS_A_BLOCK):
            yield _table(held)
            held = []
        if block.kind is BlockKind.TABLE:
            held.append(block)
        else:
            yield block
    if held:
        yield _table(held)


def _table(rows: list[Block]) -> Block:
    lines = tuple(TableRow(row.text, row.place) for row in rows)
    text = "\n".join(row.text for row in rows)
    return Block(BlockKind.TABLE, text, rows[0].place, rows=lines)


def _is_mixed(element: etree._Element) -> bool:
    """Say whether text and elements stand side by side in an element."""
    if not len(element):
        return False
    return bool((element.text or "").strip()) or any(
        (child.tail or "").strip() for child in element
    )


def _is_record(inside: list[etree._Element]) -> bool:
    """Say whether an element holds a record: simple elements that are no paragraphs."""
    names = [local(child).lower() for child in inside]
    if any(len(child) for child in inside) or any(name in _PROSE for name in names):
        return False
    if len(set(names)) < len(names) and len(set(names)) == 1:
        return False  # a list of one kind of thing
    is_titled = names[0] in _TITLES and len(names) > 1 and not _FEED_TEXTS.isdisjoint(names)
    return names[0] not in _TITLES or is_titled or "link" in names


def _attributes(element: etree._Element) -> str:
    """Return what an element's attributes say; where its words are explained is left out."""
    pairs = []
    for key, value in element.attrib.items():
        namespace, _, name = str(key).rpartition("}")
        if clean(str(value)) and "XMLSchema-instance" not in namespace:
            pairs.append(f"{name}: {clean(str(value))}")
    return "; ".join(pairs)


def _unmarked(element: etree._Element) -> str:
    """Return a simple element's text; where it is a page's markup, as feeds have it, its text."""
    text = element.text or ""
    if local(element) in _FEED_TEXTS and "<" in text:
        return "\n".join(block.text for block in from_html(text.encode()).blocks)
    return clean(text)
