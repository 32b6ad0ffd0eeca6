"""What is derived from chunks without a language model."""

from __future__ import annotations

import pytest

from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.defined_terms import quoted_term, subject_term
from desktop_rag.core.types import BlockKind, ChunkId, DocumentId, Locator, LocatorKind
from desktop_rag.preparation.hypothetical_questions import questions_by_rules
from desktop_rag.preparation.propositions import propositions_by_rules


def chunk(
    text: str, *, section: str = "", title: str = "", kind: BlockKind = BlockKind.TEXT
) -> StoredChunk:
    place = Locator(LocatorKind.LINE, 1, 0, len(text))
    whole = (0, len(text))
    return StoredChunk(ChunkId(1), DocumentId(1), 0, kind, text, "", section, title, place, whole)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("“Goods” means all movable things.", "Goods"),
        ('The "Delivery Date" shall mean 3 May.', "Delivery Date"),
        ("本合同所称“交货日”是指货物交付之日。", "交货日"),
        ("He said “Stop” and left.", ""),
    ],
)
def test_a_quoted_term_that_is_defined(text: str, term: str) -> None:
    assert quoted_term(text) == term


@pytest.mark.parametrize(
    ("sentence", "term"),
    [
        ("A lien is a claim on property.", "lien"),
        ("The European Central Bank (ECB) is the bank of the euro.", "European Central Bank"),
        ("光合作用是指植物利用光能的过程。", "光合作用"),
        ("It is a claim on property.", ""),
        ("This is the end.", ""),
        ("这是一种误解。", ""),
        ("She walked to the harbour.", ""),
    ],
)
def test_a_sentence_that_says_what_something_is(sentence: str, term: str) -> None:
    assert subject_term(sentence) == term


def test_questions_are_made_of_definitions_headings_and_what_a_text_asks() -> None:
    made = questions_by_rules(
        chunk(
            "“Goods” means all movable things. Who pays for the carriage? The buyer does.",
            section="Sale > Carriage",
            title="Terms of sale",
        )
    )
    assert made == [
        "Who pays for the carriage?",
        "What is Goods?",
        "What does Terms of sale say about Carriage?",
    ]
    assert questions_by_rules(chunk("Nothing is defined here.")) == []


def test_chinese_questions_are_chinese() -> None:
    made = questions_by_rules(chunk("“交货日”是指货物交付之日。", section="交货", title="买卖合同"))
    assert made == ["什么是交货日？", "《买卖合同》中关于“交货”说了什么？"]


def test_each_row_of_a_table_is_asked_about() -> None:
    rows = "Net sales; 2022: 1,034.9; 2021: 929.2\nTaxes; 2022: 12.0; 2021: 11.5"
    made = questions_by_rules(chunk(rows, section="Results", kind=BlockKind.TABLE))
    assert made == [
        "Results: what are 2022, 2021 of Net sales?",
        "Results: what are 2022, 2021 of Taxes?",
    ]


def test_propositions_are_sentences_that_say_what_they_are_about() -> None:
    text = "It runs on electricity. It cut its fuel by 71 percent.\nYes."
    made = propositions_by_rules(chunk(text, section="Ships > Sula", title="Fleet"))
    assert made == [
        "Fleet › Sula: It runs on electricity.",
        "Fleet › Sula: It cut its fuel by 71 percent.",
    ]
    references = "Smith, A. (2009). On tides. Harbour Press.\nBerg, B. (2011). On bread. Lund."
    assert propositions_by_rules(chunk(references, section="Paper > 7. References")) == []
    assert propositions_by_rules(chunk(references, section="Paper > References to bread"))
    assert propositions_by_rules(chunk("One sentence alone says no more.")) == []
    assert propositions_by_rules(chunk("a; 1: 2\nb; 1: 3", kind=BlockKind.TABLE)) == []
    assert len(propositions_by_rules(chunk("船队采用电力驱动。燃料消耗下降百分之七十一。"))) == 2
