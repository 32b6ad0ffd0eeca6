"""What was said and its sources as a Word file (ISO/IEC 29500), written part by part.

Of Markdown it knows what answers are made of: paragraphs, headings, lists, tables, quotations,
code. Links lead to the web or to a source below; nothing in the file is loaded.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from markdown_it.token import Token

from desktop_rag.core.paths import resources
from desktop_rag.generation.citation_markers import citations_into_cells
from desktop_rag.gui.controllers.export_html import linked, renderer
from desktop_rag.gui.controllers.export_labels import ExportLabels, incomplete_note, source_place
from desktop_rag.gui.controllers.transcript import Transcript, Turn

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_BULLETS, _NUMBERS = 0, 1
_LEVELS = 9  # of a list, the most that there are


@dataclass(slots=True)
class _State:
    """Where in the Markdown the writer is."""

    heading: int = 0
    quotes: int = 0
    lists: list[int] = field(default_factory=list)
    begins_item: bool = False
    is_head: bool = False
    in_cell: bool = False


class _WordBody:
    """The paragraphs and tables of the file, with the links and lists that they name."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.links: dict[str, str] = {}
        self.starts: list[tuple[int, int]] = [(_BULLETS, 1)]
        self._state = _State()
        self._marks = 0
        self._columns: Iterator[int] = iter(())

    def paragraph(self, runs: str, style: str = "", more: str = "") -> None:
        """Add a paragraph of runs."""
        named = f'<w:pStyle w:val="{style}"/>' if style else ""
        self.parts.append(f"<w:p><w:pPr>{named}{more}</w:pPr>{runs}</w:p>")

    def mark(self, name: str) -> str:
        """Return a place that links can lead to."""
        self._marks += 1
        return (
            f'<w:bookmarkStart w:id="{self._marks}" w:name={quoteattr(_anchor(name))}/>'
            f'<w:bookmarkEnd w:id="{self._marks}"/>'
        )

    def markdown(self, text: str) -> None:
        """Add an answer's text."""
        self._state = _State()
        tokens = renderer().parse(text)
        self._columns = _columns(tokens)
        for token in tokens:
            self._block(token)

    def _block(self, token: Token) -> None:
        state, kind = self._state, token.type
        if kind == "inline":
            self._inline(token)
        elif kind in ("fence", "code_block"):
            lines = [run(line, "<w:noProof/>") for line in token.content.rstrip("\n").split("\n")]
            self.paragraph("<w:r><w:br/></w:r>".join(lines), "Code")
        elif kind.startswith("heading_"):
            state.heading = int(token.tag[1:]) if token.nesting > 0 else 0
        elif kind.startswith("blockquote_"):
            state.quotes += token.nesting
        elif kind.startswith(("bullet_list_", "ordered_list_", "list_item_")):
            self._list(token)
        elif kind == "hr":
            self.paragraph("", "Rule")
        else:
            self._table(token)

    def _list(self, token: Token) -> None:
        state = self._state
        if token.type == "list_item_open":
            state.begins_item = True
        elif token.type == "ordered_list_open":
            self.starts.append((_NUMBERS, int(token.attrs.get("start", 1))))
            state.lists.append(len(self.starts))
        elif token.type == "bullet_list_open":
            state.lists.append(1)
        elif token.type.endswith("list_close"):
            state.lists.pop()

    def _table(self, token: Token) -> None:
        state = self._state
        state.is_head = token.nesting > 0 if token.type.startswith("thead_") else state.is_head
        if token.type == "table_open":
            grid = "<w:gridCol/>" * next(self._columns)
            style = '<w:tblStyle w:val="Grid"/>'
            self.parts.append(f"<w:tbl><w:tblPr>{style}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>")
        elif token.type == "table_close":
            self.parts.append("</w:tbl><w:p/>")
        elif token.type.startswith("tr_"):
            self.parts.append("<w:tr>" if token.nesting > 0 else "</w:tr>")
        elif token.type.startswith(("th_", "td_")):
            self.parts.append("<w:tc>" if token.nesting > 0 else "</w:tc>")
            state.in_cell = token.nesting > 0

    def _inline(self, token: Token) -> None:
        state = self._state
        runs = "".join(self._runs(token.children or (), "<w:b/>" if state.is_head else ""))
        if state.heading:
            self.paragraph(runs, f"Heading{min(state.heading + 1, 6)}")
        elif state.lists and not state.in_cell:
            self._item(runs)
        else:
            self.paragraph(runs, "Quote" if state.quotes else "")

    def _item(self, runs: str) -> None:
        """Add a paragraph of a list: its first has the bullet or the number."""
        state, level = self._state, min(len(self._state.lists), _LEVELS) - 1
        if state.begins_item:
            number = f'<w:ilvl w:val="{level}"/><w:numId w:val="{state.lists[-1]}"/>'
            self.paragraph(runs, "Item", f"<w:numPr>{number}</w:numPr>")
        else:
            self.paragraph(runs, "Item", f'<w:ind w:left="{420 * (level + 1)}"/>')
        state.begins_item = False

    def _runs(self, tokens: Sequence[Token], look: str) -> Iterator[str]:
        looks, ends = [look], []
        for token in tokens:
            if token.type in ("strong_open", "em_open"):
                looks.append(looks[-1] + ("<w:b/>" if token.type == "strong_open" else "<w:i/>"))
            elif token.type in ("strong_close", "em_close"):
                looks.pop()
            elif token.type == "link_open":
                begin, link_look = self._link(str(token.attrs.get("href", "")))
                looks.append(link_look + looks[-1])
                ends.append("</w:hyperlink>" if begin else "")
                yield begin
            elif token.type == "link_close":
                looks.pop()
                yield ends.pop()
            elif token.type in ("softbreak", "hardbreak"):
                yield run(" ", looks[-1]) if token.type == "softbreak" else "<w:r><w:br/></w:r>"
            elif token.content:
                is_code = token.type == "code_inline" and "rStyle" not in looks[-1]
                code = '<w:rStyle w:val="CodeWords"/>' if is_code else ""
                yield run(token.content, code + looks[-1])

    def _link(self, address: str) -> tuple[str, str]:
        """Return how a link begins, and how its words look."""
        look = '<w:rStyle w:val="Hyperlink"/>'
        if address.startswith("#"):
            return f"<w:hyperlink w:anchor={quoteattr(_anchor(address[1:]))}>", look
        if not address.startswith(("https://", "http://")):
            return "", ""
        number = self.links.setdefault(_clean(address), f"link{len(self.links) + 1}")
        return f'<w:hyperlink r:id="{number}">', look


def _columns(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield how many columns each table has."""
    count = 0
    for token in tokens:
        count += token.type == "th_open"
        if token.type == "thead_close":
            yield count
            count = 0


def word_file(transcripts: Sequence[Transcript], words: ExportLabels) -> bytes:
    """Return conversations or notes, one after the other, as a Word file."""
    body = _WordBody()
    for number, transcript in enumerate(transcripts, 1):
        body.paragraph(run(transcript.title), "Heading1")
        for place, turn in enumerate(transcript.turns, 1):
            _turn(body, turn, f"s{number}-{place}", words)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in _package(body, words).items():
            package.writestr(name, content)
    return made.getvalue()


def run(text: str, look: str = "") -> str:
    """Return a stretch of text that looks the same."""
    said = escape(_clean(text))
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{said}</w:t></w:r>'


def _turn(body: _WordBody, turn: Turn, prefix: str, words: ExportLabels) -> None:
    if turn.question:
        body.paragraph(run(turn.question), "Question")
    if turn.text:
        body.markdown(linked(citations_into_cells(turn.text), turn.cited(), prefix))
    if ended := incomplete_note(turn, words):
        body.paragraph(run(ended, "<w:i/>"))
    cited = sorted(turn.cited())
    if cited:
        body.paragraph(run(words.sources, "<w:b/>"), "Source")
    for number in cited:
        quotes = [each for each in turn.citations if each.n == number]
        source = turn.sources[number - 1] if number <= len(turn.sources) else None
        title = f"{source.title}. " if source is not None and source.title else ""
        where = source_place(quotes[0], words)
        mark = body.mark(f"{prefix}-{number}")
        body.paragraph(f"{mark}{run(f'[{number}] {title}')}{run(where)}", "Source")
        for quote in dict.fromkeys(each.quote for each in quotes):
            body.paragraph(run(" ".join(quote.split())), "Quote")


def _package(body: _WordBody, words: ExportLabels) -> dict[str, str]:
    """Return the file's parts by their names."""
    folder = resources() / "export" / "word"
    fixed = {
        name: (folder / file).read_text(encoding="utf-8")
        for name, file in (
            ("[Content_Types].xml", "content_types.xml"),
            ("_rels/.rels", "relationships.xml"),
        )
    }
    styles = (folder / "styles.xml").read_text(encoding="utf-8")
    page = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>'
    spaces = f'xmlns:w="{_W}" xmlns:r="{_R}"'
    inside = f"<w:body>{''.join(body.parts)}{page}</w:body>"
    return fixed | {
        "word/document.xml": f"{_HEAD}<w:document {spaces}>{inside}</w:document>",
        "word/styles.xml": styles.replace("@language", escape(words.language)),
        "word/numbering.xml": _numbering(body.starts),
        "word/_rels/document.xml.rels": _relationships(body.links),
    }


def _numbering(starts: Sequence[tuple[int, int]]) -> str:
    """Return how lists are numbered: each ordered one begins anew."""
    forms = "".join(_list_form(each) for each in (_BULLETS, _NUMBERS))
    lists = "".join(
        f'<w:num w:numId="{number}"><w:abstractNumId w:val="{form}"/>'
        + "".join(
            f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="{start}"/></w:lvlOverride>'
            for level in range(_LEVELS if form == _NUMBERS else 0)
        )
        + "</w:num>"
        for number, (form, start) in enumerate(starts, 1)
    )
    return f'{_HEAD}<w:numbering xmlns:w="{_W}">{forms}{lists}</w:numbering>'


def _list_form(form: int) -> str:
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/>'
        + (
            f'<w:numFmt w:val="decimal"/><w:lvlText w:val="%{level + 1}."/>'
            if form == _NUMBERS
            else '<w:numFmt w:val="bullet"/><w:lvlText w:val="•"/>'
        )
        + f'<w:pPr><w:ind w:left="{420 * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>'
        for level in range(_LEVELS)
    )
    return f'<w:abstractNum w:abstractNumId="{form}">{levels}</w:abstractNum>'


def _relationships(links: dict[str, str]) -> str:
    inner = "".join(
        f'<Relationship Id="{name}" Type="{_R}/{name}" Target="{name}.xml"/>'
        for name in ("styles", "numbering")
    )
    outer = "".join(
        f'<Relationship Id="{number}" Type="{_R}/hyperlink" Target={quoteattr(address)} '
        'TargetMode="External"/>'
        for address, number in links.items()
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{inner}{outer}</Relationships>'


def _anchor(name: str) -> str:
    return name.replace("-", "_")  # Word allows no other sign in the name of a bookmark


def _clean(text: str) -> str:
    """Return a text without what no XML may hold."""
    return _NO_XML.sub("", text)
