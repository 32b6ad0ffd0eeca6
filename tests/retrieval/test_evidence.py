from __future__ import annotations

import pytest

from desktop_rag.models.model_card import EvidenceWeights
from desktop_rag.retrieval.evidence import (
    EVIDENCE_THRESHOLD,
    LEAD,
    EvidenceFeatures,
    TermStatistics,
    background_cosine,
    content_terms,
    evidence_score,
)
from testing.indexed_texts import IndexedTexts

PAGES = (
    "Albany International spent 31.4 million dollars on research and development in 2022.",
    "The company leases eleven plants in Europe and nine in North America.",
    "Pension obligations are measured at the present value of expected payments.",
    "Revenue rose by four per cent because demand for paper machine clothing was strong.",
    "浙江九龙山国家级自然保护区缓冲区面积为1630公顷，位于平湖市。",
)


@pytest.fixture
def filled(library: IndexedTexts) -> IndexedTexts:
    library.put("/docs/report.pdf", *PAGES, title="Annual report")
    return library


@pytest.mark.parametrize(
    "question",
    [
        "How much did Albany International spend on research and development?",
        "How many plants does the company lease in Europe?",
        "Why did revenue rise?",
        "浙江九龙山国家级自然保护区的缓冲区面积是多少公顷？",
    ],
)
def test_what_the_documents_say_is_enough(filled: IndexedTexts, question: str) -> None:
    assert filled.search(question).evidence >= EVIDENCE_THRESHOLD


@pytest.mark.parametrize(
    "question",
    [
        "Who won the football world cup in 1998?",
        "How do I bake sourdough bread?",
        "杭州锦医堂中医门诊部的联系电话是多少？",
    ],
)
def test_what_they_do_not_say_is_not_enough(filled: IndexedTexts, question: str) -> None:
    assert filled.search(question).evidence < EVIDENCE_THRESHOLD


@pytest.mark.parametrize(
    ("asked", "same"),
    [
        ("List all plants that the company leases.", "all plants that the company leases."),
        ("Please count the plants in Europe", "the plants in Europe"),
        ("Summarise the pension obligations", "the pension obligations"),
        ("Find out who leases plants", "who leases plants"),
        ("请列出缓冲区的面积", "缓冲区的面积"),
        ("统计所有缓冲区", "所有缓冲区"),
        ("说明一下缓冲区面积", "缓冲区面积"),
    ],
)
def test_what_is_to_be_done_is_no_word_to_be_found(asked: str, same: str) -> None:
    assert content_terms(asked) == content_terms(same)


@pytest.mark.parametrize("asked", ["统计局的地址", "说明书在哪里", "Listing of shares", "Counts"])
def test_a_word_that_only_begins_like_a_command_is_looked_for(asked: str) -> None:
    assert "".join(content_terms(asked))[:2].casefold() == asked[:2].casefold()


def test_a_command_is_answered_from_what_the_documents_say(filled: IndexedTexts) -> None:
    asked = "Count the plants that the company leases in Europe."
    assert filled.search(asked).evidence >= EVIDENCE_THRESHOLD


def test_a_name_that_no_document_has_lowers_the_evidence(filled: IndexedTexts) -> None:
    known = filled.search("What did Albany International spend on research?").evidence
    unknown = filled.search("What did Quixotech Zanzibar spend on research?").evidence
    assert unknown < known - 0.2


MEASURED = {
    "latin": EvidenceWeights(words=5.0, cosine=10.0, chunks=-0.5, constant=-5.0),
    "cjk": EvidenceWeights(words=9.0, cosine=10.0, chunks=-0.5, constant=-5.0),
    "foreign": EvidenceWeights(words=0.0, cosine=20.0, chunks=-1.0, constant=-6.0),
}
ENGLISH, CHINESE = "What did they spend?", "花了多少钱？"


def signs(
    covered: float, meaning: float | None, chunks: int = 10_000, query: str = ENGLISH
) -> float:
    return evidence_score(EvidenceFeatures(covered, meaning, None, chunks), MEASURED, query)


def test_a_cosine_of_which_nothing_is_known_counts_nothing() -> None:
    near, far = (EvidenceFeatures(0.5, cosine, cosine, 100) for cosine in (0.9, 0.1))
    assert evidence_score(near, {}, ENGLISH) == evidence_score(far, {}, ENGLISH)


def test_more_words_and_nearer_meaning_are_more_evidence() -> None:
    assert signs(0.8, 0.6) > signs(0.4, 0.6)
    assert signs(0.5, 0.7) > signs(0.5, 0.3)
    assert signs(0.8, None) > EVIDENCE_THRESHOLD > signs(0.2, None)
    assert 0.0 <= signs(0.0, -1.0) < 0.01


def test_a_likeness_among_few_chunks_is_more_evidence_than_among_many() -> None:
    assert signs(0.5, 0.5, 20) > signs(0.5, 0.5, 100_000)
    assert signs(0.5, 0.5, 20) > signs(0.5, 0.5, 500) == signs(0.5, 0.5, 100_000)
    assert 0.0 <= signs(0.5, None, 0) <= 1.0


def test_each_script_has_its_own_weights() -> None:
    assert signs(0.5, 0.3, query=CHINESE) > signs(0.5, 0.3)


def test_words_are_not_missed_in_a_passage_of_another_language() -> None:
    foreign = EvidenceFeatures(0.0, 0.5, 0.5, 100)
    assert evidence_score(foreign, MEASURED, CHINESE) > EVIDENCE_THRESHOLD
    assert signs(0.0, 0.5, 100, CHINESE) < EVIDENCE_THRESHOLD
    without = {script: MEASURED[script] for script in ("latin", "cjk")}
    assert evidence_score(foreign, without, CHINESE) < EVIDENCE_THRESHOLD


def test_a_cosine_far_above_what_any_query_finds_is_evidence() -> None:
    leading = MEASURED | {
        LEAD.format("cjk"): EvidenceWeights(4.0, 6.0, 0.0, -6.0, lead=12.0),
        LEAD.format("foreign"): EvidenceWeights(0.0, 8.0, 0.0, -6.0, lead=20.0),
    }

    def score(background: float | None, foreign: float | None = None) -> float:
        found = EvidenceFeatures(0.1, 0.4, foreign, 30, background)
        return evidence_score(found, leading, CHINESE)

    assert score(0.1) > EVIDENCE_THRESHOLD > score(None)
    assert score(0.38) == score(None)  # nothing leads: the other model decides
    assert score(0.3, 0.4) > score(0.3)
    assert evidence_score(
        EvidenceFeatures(0.1, 0.4, None, 30, 0.1), MEASURED, CHINESE
    ) == pytest.approx(score(None))


def test_the_background_is_what_is_found_far_behind() -> None:
    cosines = [0.9, 0.8, *[0.5] * 8, *[0.2] * 20, *[0.0] * 50]
    assert background_cosine(cosines) == pytest.approx(0.2)
    assert background_cosine(cosines[::-1]) == pytest.approx(0.2)
    assert background_cosine(cosines[:20]) == pytest.approx(0.2)
    assert background_cosine(cosines[:19]) is None
    assert background_cosine([]) is None


def test_a_rare_term_weighs_more_than_a_common_one() -> None:
    known = TermStatistics({"report": 90, "albani": 2}, 100)
    assert known.weight("nowher") > known.weight("albani") > known.weight("report") > 0


def test_function_words_are_no_terms() -> None:
    assert content_terms("What is the value of the reports?") == ["valu", "report"]
    assert content_terms("面积是多少？") == ["面积"]
    assert content_terms("这条隧道有多长？") == content_terms("那條隧道有多長？") == ["隧道"]
    assert content_terms("多伦多大学") == ["多伦", "伦多", "多大", "大学"]
