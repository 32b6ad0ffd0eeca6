"""An answer of any form and length is looked through in a time that grows with its length alone."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from desktop_rag.core import markdown_tables
from desktop_rag.core.cancel import CancelToken, use_token
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.sentences import sentences
from desktop_rag.core.settings import Settings
from desktop_rag.generation import citation_markers, citation_support
from desktop_rag.generation.citation_support import cite_sentences
from desktop_rag.models.model_loader import load_embedder
from testing.fake_retriever import passages

LONGEST = 3.0  # seconds of this thread; they take 0.2, and took minutes
CASES: dict[str, tuple[Callable[[str], object], str]] = {
    "blanks": (lambda text: citation_markers.normalised(text, 3), " " * 30_000),
    "blanks before no citation": (citation_markers.strip_citations, "a" + " " * 60_000 + "b"),
    "initials": (sentences, "A. " * 10_000),
    "bars": (markdown_tables.header_lines, "|" * 120_000),
}


@pytest.mark.parametrize("name", CASES)
def test_no_form_of_text_takes_long(name: str) -> None:
    look, text = CASES[name]
    began = time.thread_time()
    look(text)
    assert time.thread_time() - began < LONGEST


def test_what_lies_behind_many_sentences_counts_as_without_a_quote() -> None:
    count, said = citation_support._MOST + 20, "Fuel fell by seven percent again in that year."
    made = cite_sentences(
        f"{said}\n\n" * count, passages(said), load_embedder("builtin", Settings())
    )
    assert made.from_model == tuple(range(citation_support._MOST, count))


def test_looking_for_quotes_ends_when_the_work_is_stopped() -> None:
    token = CancelToken()
    token.cancel()
    with use_token(token), pytest.raises(Cancelled):
        cite_sentences("Fuel fell again in that year.", passages(), None)
