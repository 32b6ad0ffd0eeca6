"""Tables of contents of real chunks: headings, sheets, slides, and documents without any."""

from __future__ import annotations

from desktop_rag.core.catalog_records import OutlineEntry
from desktop_rag.core.types import BlockKind, DocumentId, LocatorKind
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from testing.indexed_texts import IndexedTexts

LINE = BlockLocator(LocatorKind.LINE, 1)
FILLED = "The mill was rebuilt after the flood and has ground flour for the whole valley since. "


def heading(text: str, level: int) -> Block:
    return Block(BlockKind.HEADING, text, LINE, level)


def text(words: str) -> Block:
    return Block(BlockKind.TEXT, f"{words} {FILLED * 6}", LINE)


MANUAL = ParsedDocument(
    "Mill manual",
    (
        text("A preface."),
        heading("Care", 1),
        text("Keep it dry."),
        heading("Stones", 2),
        text("Dress the stones."),
        heading("Sieves", 2),
        text("Brush the sieves."),
        heading("Safety", 1),
        text("Stop the wheel."),
        heading("Care", 1),
        text("More care."),
    ),
)


def lines(library: IndexedTexts) -> list[OutlineEntry]:
    outlines = library.catalog.outlines
    return list(outlines.headings(outlines.documents((library.kb,))))


def test_headings_stand_below_their_documents_with_the_chunks_under_them(
    library: IndexedTexts,
) -> None:
    library.put_parsed("/docs/manual.md", MANUAL)
    found = lines(library)
    assert [each.names for each in found] == [
        ("Mill manual",),
        ("Mill manual", "Care"),
        ("Mill manual", "Care", "Stones"),
        ("Mill manual", "Care", "Sieves"),
        ("Mill manual", "Safety"),
        ("Mill manual", "Care"),
    ]
    whole, care, stones, sieves, safety, again = found
    assert (whole.first, whole.last) == (0, again.last)
    assert (care.first, care.last) == (stones.first - 1, sieves.last)
    assert sieves.last < safety.first <= safety.last < again.first
    chunks = library.catalog.outlines.chunks_under(stones)
    held = library.catalog.documents.get_chunks(chunks)
    assert all(each.section == "Care > Stones" for each in held.values())
    assert any("Dress the stones" in each.text for each in held.values())
    assert stones.chunk_id == chunks[0]


def test_what_has_no_headings_is_one_line_with_its_beginning(library: IndexedTexts) -> None:
    library.put("/docs/letter.txt", "Dear neighbour,\nthe well is dry.", title="")
    (line,) = lines(library)
    assert line.names == ("letter",)
    assert line.opening == "Dear neighbour, the well is dry."


def test_sheets_and_slides_are_headings(library: IndexedTexts) -> None:
    places = (
        (LocatorKind.SHEET, "Prices", "flour 3"),
        (LocatorKind.SLIDE, 2, "Outlook\nmore flour"),
    )
    blocks = tuple(
        Block(BlockKind.TEXT, words, BlockLocator(kind, value)) for kind, value, words in places
    )
    library.put_parsed("/docs/mixed.pptx", ParsedDocument("Mixed", blocks))
    assert [each.names[-1] for each in lines(library)] == ["Mixed", "Prices", "slide 2: Outlook"]


def test_a_heading_that_only_repeats_the_title_is_no_line_of_its_own(library: IndexedTexts) -> None:
    blocks = (heading("Mill", 1), text("One."), heading("Wheel", 2), text("Two."))
    library.put_parsed("/docs/mill.md", ParsedDocument("Mill", blocks))
    assert [each.names for each in lines(library)] == [("Mill",), ("Mill", "Wheel")]


def test_other_knowledge_bases_and_documents_that_are_left_out_are_not_listed(
    library: IndexedTexts,
) -> None:
    one = library.put("/docs/one.txt", "One.", title="One")
    library.put("/docs/two.txt", "Two.", title="Two")
    other = library.catalog.kbs.ensure("other").id
    library.put("/docs/three.txt", "Three.", title="Three", kb=other)
    outlines = library.catalog.outlines
    assert [e.names for e in outlines.documents((library.kb,))] == [("One",), ("Two",)]
    assert [e.document_id for e in outlines.documents((library.kb, other), [one])] == [one]
    assert outlines.documents((library.kb,), [DocumentId(99)]) == ()
    library.put("/copies/one.txt", "One.", title="One")
    assert len(outlines.documents((library.kb,))) == 2, "a copy is the same document"


def test_the_headings_of_the_first_chunks_alone(library: IndexedTexts) -> None:
    library.put_parsed("/docs/manual.md", MANUAL)
    outlines = library.catalog.outlines
    documents = outlines.documents((library.kb,))
    few = outlines.headings(documents, 2)
    assert len(few) < len(outlines.headings(documents))
    assert few[0].last == documents[0].last
