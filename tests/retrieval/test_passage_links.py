"""What passages lead to: documents, sections and terms by their names, and passages by words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from desktop_rag.catalog.document_queries import TitledChunk
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import ChunkId, DocumentId, Passage
from desktop_rag.retrieval.mention_detection import MentionDetector
from desktop_rag.retrieval.passage_links import PassageLinks, reader_text
from desktop_rag.retrieval.query import Query
from testing.indexed_texts import IndexedTexts

LIGHT = "The Halden lighthouse was designed by Marta Ekeland and lit in 1903."
ARCHITECT = "Marta Ekeland was an architect, born in Drammen in 1861."
BREAD = "The dough of rye bread needs two rises of an hour each."
LEASE = 'The "Notice Period" means sixty days. The rent is due on the first day.'
ENDING = "Either party may end the lease after the Notice Period."


@pytest.fixture
def filled(library: IndexedTexts) -> IndexedTexts:
    library.put("/docs/light.pdf", LIGHT, title="Halden lighthouse")
    library.put("/docs/Marta_Ekeland.pdf", ARCHITECT, title="A life")
    library.put("/docs/bread.md", BREAD, title="Rye bread")
    library.put("/docs/lease.docx", LEASE, title="Lease of the office")
    library.put("/docs/ending.docx", ENDING, title="How to leave (2024)")
    return library


def links(library: IndexedTexts) -> PassageLinks:
    return PassageLinks(library.catalog, library.indexes, Retrieval())


def found(library: IndexedTexts, text: str) -> Passage:
    return library.search(text, 1).passages[0]


def named(library: IndexedTexts, text: str) -> set[DocumentId]:
    mentions = MentionDetector(library.catalog.named).mentioned(text)
    return {document for each in mentions for document in each.bearers.values()}


def asked(library: IndexedTexts, question: str, k: int = 5, where: str = "") -> Query:
    return Query(question, (library.kb,), k, where=where)


def test_a_file_is_named_by_its_title_and_by_its_name(filled: IndexedTexts) -> None:
    architect = found(filled, "architect born in Drammen").document_id
    assert named(filled, "It is the work of Marta Ekeland.") == {architect}
    light = found(filled, "lit in 1903").document_id
    assert named(filled, "They sailed past the Halden lighthouse.") == {light}


def test_a_title_is_known_without_what_stands_in_brackets_behind_it(filled: IndexedTexts) -> None:
    assert named(filled, "See How to leave.") == {found(filled, "end the lease").document_id}


def test_a_defined_term_leads_to_its_definition(filled: IndexedTexts) -> None:
    near = found(filled, "Either party may end the lease")
    best = links(filled).beyond(asked(filled, "How long must I wait?"), near)[0]
    assert "means sixty days" in best.text


def test_a_heading_leads_to_its_section() -> None:
    rows = [
        TitledChunk(ChunkId(n), DocumentId(1), n == 1, section, "text", "Guide", "/g.md")
        for n, section in enumerate(("Setup", "Setup", "Setup > Cold start", "Care"), start=1)
    ]

    class Rows:
        def since(self, last: int) -> Iterator[Any]:
            return iter([row for row in rows if row.chunk_id > last])

    (mention,) = MentionDetector(Rows()).mentioned("For a Cold start see below.")  # type: ignore[arg-type]
    assert mention.bearers == {ChunkId(3): DocumentId(1)}
    assert "For a Cold start see below."[mention.start : mention.end] == "Cold start"


def test_a_word_that_begins_a_sentence_or_a_longer_name_is_no_name(library: IndexedTexts) -> None:
    library.put("/docs/a.pdf", BREAD, title="Drammen")
    assert named(library, "Drammen is far.") == set()
    assert named(library, "The Drammen Times said so.") == set()
    assert named(library, "She was born in Drammen.") != set()


def test_what_five_documents_are_called_names_none(library: IndexedTexts) -> None:
    for n in range(5):
        library.put(f"/docs/{n}.pdf", f"{BREAD} {n}", title="Annual report")
    assert named(library, "See the Annual report.") == set()


def test_names_of_new_documents_are_known_and_those_of_removed_ones_lead_nowhere(
    filled: IndexedTexts,
) -> None:
    followed = links(filled)
    near = found(filled, "lit in 1903")
    query = asked(filled, "Where was the designer born?")
    assert followed.beyond(query, near)[0].text == ARCHITECT
    filled.catalog.files.remove(filled.kb, ["/docs/Marta_Ekeland.pdf"])
    filled.indexes.of(filled.kb).sync()
    assert ARCHITECT not in [each.text for each in followed.beyond(query, near)]
    filled.put("/docs/new/Marta Ekeland.md", "She drew 40 lighthouses.", title="Her works")
    assert followed.beyond(query, near)[0].text == "She drew 40 lighthouses."


def test_a_passage_never_leads_to_itself_and_a_filter_holds(filled: IndexedTexts) -> None:
    near = found(filled, "lit in 1903")
    query = asked(filled, "Who designed the Halden lighthouse?")
    places = [each.path for each in links(filled).beyond(query, near)]
    assert places
    assert near.path not in places
    only = asked(filled, query.text, where="ext:md")
    assert {each.path for each in links(filled).beyond(only, near)} <= {"/docs/bread.md"}


def test_words_that_question_and_passage_share_with_another_lead_there_too(
    filled: IndexedTexts,
) -> None:
    near = found(filled, "sixty days")
    texts = [each.text for each in links(filled).beyond(asked(filled, "Who may end it?"), near)]
    assert ENDING in texts


def test_no_more_than_asked_for_are_led_to(filled: IndexedTexts) -> None:
    near = found(filled, "lit in 1903")
    assert len(links(filled).beyond(asked(filled, "Who was born?", k=1), near)) == 1


@pytest.mark.parametrize("elsewhere", ["another base", "outside the filter"])
def test_others_of_the_same_name_take_no_place(library: IndexedTexts, elsewhere: str) -> None:
    base = library.catalog.kbs.ensure("other").id if elsewhere == "another base" else None
    for n in range(3):
        library.put(f"/other/{n}.md", f"{BREAD} {n}", title="Marta Ekeland", kb=base)
    library.put("/docs/light.pdf", LIGHT, title="Halden lighthouse")
    library.put("/docs/ekeland.pdf", ARCHITECT, title="Marta Ekeland")
    query = asked(library, "Who was born?", k=1, where="" if base else "ext:pdf")
    (led,) = links(library).beyond(query, found(library, "lit in 1903"))
    assert led.text == ARCHITECT


def test_what_is_told_of_a_passage_is_its_sentences_that_name_the_other(
    library: IndexedTexts,
) -> None:
    text = f"It stands on a rock. {LIGHT} Ships pass it by night."
    library.put("/docs/light.pdf", text, title="Halden lighthouse")
    library.put("/docs/ekeland.pdf", ARCHITECT, title="Marta Ekeland")
    near, far = found(library, "ships pass by night"), found(library, "born in Drammen")
    followed = links(library)
    assert followed.excerpt_about(near, far) == f"Halden lighthouse: {LIGHT}"
    assert followed.excerpt_about(far, near) == f"Marta Ekeland: {ARCHITECT}"


def test_the_piece_of_a_passage_is_what_was_matched(library: IndexedTexts) -> None:
    library.put("/docs/two.pdf", " ".join(f"Sentence {n} says little." for n in range(200)))
    passage = found(library, "Sentence 150 says little.")
    small = passage.matched
    assert "Sentence 150 says" in small
    assert small in passage.text
    assert len(small) < len(passage.text)
    assert reader_text(passage) == f"two\n{small}"
