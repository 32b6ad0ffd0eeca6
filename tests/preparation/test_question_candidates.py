"""Questions that a document seems to answer: what is asked, and what is better left unasked."""

from __future__ import annotations

import pytest

from desktop_rag.catalog.document_queries import ChunkOutline
from desktop_rag.core.types import BlockKind, Locator, LocatorKind
from desktop_rag.preparation.question_candidates import QuestionedDocument, question_candidates


def asked(
    text: str, language: str = "en", title: str = "", kind: BlockKind = BlockKind.TEXT
) -> list[str]:
    place = Locator(LocatorKind.LINE, 1, 0, len(text))
    document = QuestionedDocument(language, title, [ChunkOutline(0, kind, "", place, "", text)])
    return [each.text for each in question_candidates(document)]


@pytest.mark.parametrize(
    ("language", "sentence", "question"),
    [
        ("en", "The notice period is three months.", "What is the notice period?"),
        ("en", "The autumn market is on Saturday, 19 October.", "When is the autumn market?"),
        ("en", "The winter course begins on 3 May.", "When does the winter course begin?"),
        ("en", "In 2023, revenue rose to 5.1 million euros.", "How high was revenue in 2023?"),
        ("en", "The operating result in 2024 was 61,250 kroner.",
         "What was the operating result in 2024?"),
        ("zh", "住宿标准为每晚550元。", "住宿标准是多少？"),
        ("zh", "中国科学院大学成立于1978年。", "中国科学院大学是哪一年成立的？"),
        ("zh", "截至2023年底，数字经济规模达到50万亿元。", "截至2023年底数字经济规模是多少？"),
        ("de", "Die Kündigungsfrist beträgt drei Monate.", "Wie lang ist die Kündigungsfrist?"),
        ("de", "Der Mitgliedsbeitrag beträgt 45 Euro.", "Wie hoch ist der Mitgliedsbeitrag?"),
        ("de", "Die Mitgliederversammlung findet am 3. Mai statt.",
         "Wann findet die Mitgliederversammlung statt?"),
        ("fr", "Le dépôt de garantie est de 900 euros.", "Quel est le dépôt de garantie ?"),
        ("fr", "La durée du bail est de trois ans.", "Quelle est la durée du bail ?"),
        ("es", "El plazo de preaviso es de dos meses.", "¿Cuál es el plazo de preaviso?"),
        ("es", "La renta mensual asciende a 800 euros.", "¿A cuánto asciende la renta mensual?"),
    ],
)  # fmt: skip
def test_a_sentence_is_asked_for_in_its_own_words(
    language: str, sentence: str, question: str
) -> None:
    assert asked(sentence, language) == [question]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The following value is 12 euros."),
        ("en", "The number is 12."),
        ("en", "It was founded in 1902."),
        ("en", "The net impact to earnings was 2.1 million dollars."),
        ("en", "The mean age of all patients was 48 years."),
        ("en", "The notice period is described below."),
        ("zh", "其收入为12亿元。"),
        ("de", "Dieser Betrag beträgt 45 Euro."),
        ("it", "Il canone mensile è di 800 euro."),
        ("", "The notice period is three months."),
    ],
)
def test_what_means_nothing_alone_is_not_asked_for(language: str, sentence: str) -> None:
    assert asked(sentence, language) == []


def test_headings_that_ask_are_taken_as_they_are() -> None:
    text = "How do I return a bicycle?\n\nBring it to the workshop before six in the evening."
    assert asked(text) == ["How do I return a bicycle?"]
    assert asked("How does it work?\n\nBring it to the workshop before six in the evening.") == []
    assert asked("如何阅读本书\n\n读者可以先读第一章，再读自己感兴趣的其他各章的内容。", "zh") == []
    text = "3. 如何申请报销\n\n员工填写报销单，附上发票，交部门经理签字后送财务部。"
    assert asked(text, "zh") == ["如何申请报销？"]


@pytest.mark.parametrize(
    "heading", ["Introduction", "Table of contents", "1.", "2024", "CHAPTER", "3 Results"]
)  # fmt: skip
def test_headings_about_nothing_are_not_asked_for(heading: str) -> None:
    text = f"{heading}\n\nWhat stands here is long enough to be read as a paragraph of text."
    assert asked(text, title="Lease agreement") == []


def test_a_contract_is_asked_what_it_says() -> None:
    text = "4. Repairs\n\nSmall repairs are borne by the tenant, all others by the landlord."
    assert asked(text, title="Lease agreement, 12 Harbour Street") == [
        "What does the lease agreement say about repairs?"
    ]
    assert asked(text, title="Harbour Street") == []
    assert asked(text, title="Lease agreement " * 5) == [], "too long a title"


def test_a_name_at_the_head_of_a_heading_keeps_it_from_being_asked() -> None:
    text = "4. Oslo office\n\nThe rooms are let until the end of the year to the same tenant."
    assert asked(text, title="Lease agreement") == []


@pytest.mark.parametrize(
    ("text", "title", "found"),
    [
        ("Sula is a ferry that runs on batteries.", "Sula", ["What is Sula?"]),
        ("Sula is a ferry that runs on batteries.", "Fleet", []),
        ("Halden Lodge was founded in 1902.", "Halden Lodge", ["When was Halden Lodge founded?"]),
        ("Halden Lodge was designed by A. Berg.", "Halden Lodge", ["Who designed Halden Lodge?"]),
        ("Halden Lodge was founded in 1902.", "Excursions", []),
        ("Anna Berg is a lawyer from Halden.", "Anna Berg", []),
        ("Anna Berg (born 1880 in Oslo) was a lawyer.", "Anna Berg", ["Who is Anna Berg?"]),
        ("A lien is a claim on property.", "What liens are", ["What is a lien?"]),
        ("A lien is a claim on property.", "Property", []),
    ],
)
def test_what_a_document_is_about_is_asked_for(text: str, title: str, found: list[str]) -> None:
    assert asked(text, title=title) == found


def test_rows_are_asked_for_by_the_newest_year() -> None:
    rows = "Freight revenue; 2023: 50,120; 2024: 48,750\nOther items; 2023: 1; 2024: 2"
    assert asked(rows, kind=BlockKind.TABLE) == ["What was the freight revenue in 2024?"]
    rows = "营业收入; 2024年: 48,750; 2023年: 50,120"
    assert asked(rows, "zh", kind=BlockKind.TABLE) == ["2024年营业收入是多少？"]


def test_a_row_that_comes_twice_is_not_asked_for() -> None:
    rows = "Freight revenue; 2024: 48,750\nFreight revenue; 2024: 12"
    assert asked(rows, kind=BlockKind.TABLE) == []


def test_cells_are_asked_for_by_the_name_of_their_row() -> None:
    rows = "产品: 雨衣; 库存: 40; 单价: 85元\n产品: 合计; 库存: 40; 单价: 85元"
    assert asked(rows, "zh", kind=BlockKind.TABLE) == ["雨衣的库存是多少？"]


def test_defined_terms_are_asked_for() -> None:
    assert asked("“Goods” means all movable things.") == ["What does “Goods” mean?"]
    assert asked("“交货日”是指货物交付之日。", "zh") == ["“交货日”指的是什么？"]
    assert asked("„Ware“ bezeichnet jede bewegliche Sache.", "de") == ["Was bedeutet „Ware“?"]


def test_no_question_is_long() -> None:
    thing = "monthly contribution to the common fund of the neighbours of the old harbour quarter"
    assert asked(f"The {thing} is 45 euros.") == []
