"""The small parts: what a document is cut into, numbers that move, drafts that grow."""

from __future__ import annotations

import pytest

from desktop_rag.catalog.metadata_filter import FilterTarget, matches_filter, parse_filter
from desktop_rag.core.document_table import plain, shown_quote
from desktop_rag.core.path_filter import path_filter
from desktop_rag.core.sentences import sentences
from desktop_rag.generation.citation_support import CitedText
from desktop_rag.generation.quotes import quotes_of
from desktop_rag.whole_documents.cited_draft import CitedDraft, cited_only
from desktop_rag.whole_documents.document_parts import document_parts, shares
from desktop_rag.whole_documents.document_sentences import telling
from desktop_rag.whole_documents.extractive_summary import summary_length
from desktop_rag.whole_documents.number_shift import NumberShift
from testing.fake_retriever import passage, passages


@pytest.mark.parametrize("cut", [1, 2, 3, 5])
def test_numbers_move_up_wherever_a_reply_is_cut(cut: int) -> None:
    text, shift = "One [1], two [12] and [x] and a[3", NumberShift(10)
    pieces = [text[at : at + cut] for at in range(0, len(text), cut)]
    made = "".join(map(shift.feed, pieces)) + shift.end()
    assert made == "One [11], two [22] and [x] and a[3"


def test_shares_add_up_and_nobody_goes_without() -> None:
    assert shares([10, 10, 80], 10) == [2, 2, 6]
    assert shares([1, 1000], 2) == [1, 1]


def test_a_text_without_headings_is_cut_into_stretches() -> None:
    parts = document_parts(passages(*["word " * 40] * 12), 4)
    assert [len(each.passages) for each in parts] == [3, 3, 3, 3]


def test_a_summary_grows_but_never_to_the_whole_document() -> None:
    lengths = [summary_length(n, 10 * n) for n in (1, 4, 30, 300, 2000)]
    assert lengths == sorted(lengths)
    assert lengths[0] <= 4
    assert lengths[-1] == 30
    assert summary_length(50, 2) == 1


def test_lines_that_stand_on_every_page_tell_nothing() -> None:
    head = "Annual report of the board of the harbour, page"
    pages = [f"{head} {n}\n\nThe harbour took {n} large ships in." for n in "123"]
    told = [each.text for each in telling(quotes_of(passages(*pages)))]
    assert told == [f"The harbour took {n} large ships in." for n in "123"]


def test_a_draft_numbers_its_sources_in_the_order_of_the_text() -> None:
    sources = [passage(f"Fact number {n} is known.", rank=n) for n in (1, 2, 3)]
    text = "Fact number 3 is known. [3] Fact number 1 is known. [1]"
    quotes = quotes_of(sources)
    part = CitedText(text, (quotes[2].citation(0), quotes[0].citation(1)), ())
    draft = CitedDraft("Before.\n\n")
    draft.add(part, sources)
    assert draft.text == "Before.\n\nFact number 3 is known. [1] Fact number 1 is known. [2]\n\n"
    assert [each.rank for each in draft.sources] == [3, 1]
    assert [(each.n, each.sentence) for each in draft.citations] == [(1, 1), (2, 2)]
    assert len(sentences(draft.text)) == 3


def test_what_is_not_cited_is_left_out_and_nothing_is_said_twice() -> None:
    (quote,) = quotes_of([passage("The tea is green.")])
    text = "The tea is green. [1] The moon is red. The tea is green. [1]"
    made = CitedText(text, (quote.citation(0), quote.citation(2)), (1,))
    assert cited_only(made).text == "The tea is green. [1]"


@pytest.mark.parametrize("path", ["/d/a [1]*.md", "/d/it's.md", "/d/“x”?.md", '/d/"q" y.md'])
def test_a_path_is_filtered_as_it_is(path: str) -> None:
    where = parse_filter(path_filter(path))
    assert matches_filter(where, FilterTarget(path, "", 0.0))
    assert not matches_filter(where, FilterTarget("/d/a 1x.md", "", 0.0))


def test_a_folder_lets_pass_what_is_below_it() -> None:
    where = parse_filter(path_filter("/d/a [b]/"))
    assert matches_filter(where, FilterTarget("/d/a [b]/c/x.md", "", 0.0))
    assert not matches_filter(where, FilterTarget("/d/a [b]c/x.md", "", 0.0))


def test_quotes_and_names_are_shown_as_they_are() -> None:
    assert shown_quote("as in [12] and [3, 4]\nbefore") == "as in (12) and (3, 4) before"
    assert plain("my_file *v2*.pdf") == "my_file \\*v2\\*.pdf"
