from __future__ import annotations

from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.types import BlockKind, ChunkId, DocumentId, Locator, LocatorKind
from desktop_rag.retrieval.diversify import (
    jaccard,
    maximal_marginal_relevance,
    shingles,
    without_duplicates,
)
from desktop_rag.retrieval.query import Candidate, RankedChunk

TEXT = "The harbour of the old town was built by monks and is still used by fishing boats today"


def ranked(*texts: str) -> list[RankedChunk]:
    return [
        RankedChunk(
            Candidate(ChunkId(n), 1.0 - n / 10),
            StoredChunk(
                ChunkId(n),
                DocumentId(n),
                0,
                BlockKind.TEXT,
                text,
                "",
                "",
                "",
                Locator(LocatorKind.PAGE, 1, 0, len(text)),
                (0, len(text)),
            ),
        )
        for n, text in enumerate(texts)
    ]


def texts(found: list[RankedChunk]) -> list[str]:
    return [each.chunk.text for each in found]


def test_of_two_that_nearly_agree_the_better_stays() -> None:
    found = without_duplicates(ranked(TEXT, TEXT + " too", "Quite another text"), 0.8)
    assert texts(found) == [TEXT, "Quite another text"]


def test_rows_that_differ_in_a_number_both_stay() -> None:
    one, other = f"{TEXT} 2022: 14", f"{TEXT} 2022: 15"
    assert texts(without_duplicates(ranked(one, other), 0.5)) == [one, other]


def test_chinese_is_compared_by_characters() -> None:
    one = "浙江九龙山国家级自然保护区位于平湖市"
    assert jaccard(shingles(one), shingles(one + "。")) == 1.0
    assert jaccard(shingles(one), shingles("杭州市上城区紫阳街道社区卫生服务中心")) == 0.0


def test_a_number_in_chinese_is_a_word_of_its_own() -> None:
    one, other = "本公司于2020年设立分部", "总公司于2020年初设立"
    assert jaccard(shingles(one), shingles(other)) == 3 / 12


def test_texts_without_words_are_not_duplicates() -> None:
    assert len(without_duplicates(ranked("…", "!"), 0.5)) == 2


def test_variety_prefers_what_was_not_said_yet() -> None:
    found = maximal_marginal_relevance(ranked(TEXT, TEXT + " too", "Quite another text"), 0.3, 2)
    assert texts(found) == [TEXT, "Quite another text"]


def test_relevance_alone_keeps_the_order() -> None:
    given = ranked("one", "two", "three")
    assert maximal_marginal_relevance(given, 1.0, 2) == given
