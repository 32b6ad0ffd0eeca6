from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.errors import ModelUnavailable, UsageError
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import BlockKind, ChunkId, DocumentId, Locator, LocatorKind
from desktop_rag.models.late_interaction import LateInteraction
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import LanguageSupport, script_support
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.retrieval import rerank
from desktop_rag.retrieval.evidence import EVIDENCE_THRESHOLD
from desktop_rag.retrieval.query import Candidate, Query, RankedChunk
from desktop_rag.retrieval.rerank import subtract_log_ranks, tied_ranks
from desktop_rag.retrieval.stage_timer import StageTimer
from desktop_rag.retrieval.two_stage import TwoStageRetriever
from testing.indexed_texts import IndexedTexts

WHALE = "The blue whale is the largest animal that has ever lived. It feeds on krill."
BREAD = "Sourdough bread rises by wild yeast and tastes a little sour."
MOTOR = "The electric motor turns current into motion with little loss."
OFFICE = "浙江九龙山国家级自然保护区缓冲区面积为1630公顷，位于平湖市。"

PLACE = Locator(LocatorKind.PAGE, 1, 0, 4)
CHUNK = StoredChunk(ChunkId(1), DocumentId(1), 0, BlockKind.TEXT, "text", "", "", "", PLACE, (0, 4))


@pytest.fixture
def filled(library: IndexedTexts) -> IndexedTexts:
    library.put("/docs/animals.pdf", WHALE, title="Sea animals")
    library.put("/docs/kitchen/bread.md", BREAD, title="Baking")
    library.put("/docs/motor.txt", MOTOR)
    library.put("/docs/保护区.md", OFFICE)
    return library


def test_a_question_finds_the_passage_that_answers_it(filled: IndexedTexts) -> None:
    best = filled.search("Which animal is the biggest on earth?").passages[0]
    assert best.path == "/docs/animals.pdf"
    assert best.text == WHALE
    assert best.locator.value == 1
    assert best.title == "Sea animals"


def test_a_passage_carries_every_score_that_brought_it(filled: IndexedTexts) -> None:
    best = filled.search("largest animal blue whale").passages[0]
    assert (best.rank, best.dense_rank, best.lexical_rank) == (1, 1, 1)
    assert best.dense_score is not None
    assert 0.3 < best.dense_score <= 1.0
    assert best.lexical_score is not None
    assert best.lexical_score > 0
    assert best.rerank_score is not None


def test_a_chinese_question_is_found_by_its_words(filled: IndexedTexts) -> None:
    best = filled.search("九龙山自然保护区的缓冲区面积是多少？").passages[0]
    assert best.text == OFFICE
    assert best.lexical_rank == 1


def test_a_chinese_question_is_found_by_what_its_words_mean(filled: IndexedTexts) -> None:
    best = filled.search("山里那片受国家照看的林地有多大？").passages[0]
    assert best.text == OFFICE
    assert best.dense_rank == 1


def test_the_words_of_a_chinese_question_count_alike_in_a_small_and_a_large_base(
    library: IndexedTexts,
) -> None:
    """In a small one every term is common, and BM25 low: what has all words must still win."""
    large = library.catalog.kbs.create("large").id
    library.put("/small.md", OFFICE)
    notes = [f"第{n}号码头每天有{n + 3}班渡轮开往对岸的小岛。" for n in range(200)]
    library.put("/large.md", "自然环境保护机构的面积和公顷数。", *notes, kb=large)
    query = Query("缓冲区面积是多少公顷？", (library.kb, large), 3)
    found = library.retriever(rerank_candidates=0).search(query).passages
    assert found[0].text == OFFICE


def test_the_meaning_of_a_passage_is_evidence_for_a_question_in_another_language(
    library: IndexedTexts,
) -> None:
    library.put("/docs/医院.md", "医院有四十名医生和一百二十名护士。")
    asked = library.search("How many doctors and nurses does the hospital have?")
    assert asked.evidence > EVIDENCE_THRESHOLD
    other = library.search("When does the ferry to the islands leave?")
    assert other.passages[0].dense_rank == 1
    assert other.evidence < EVIDENCE_THRESHOLD


def test_a_question_in_letters_that_the_model_does_not_read_is_searched_by_words_alone(
    filled: IndexedTexts,
) -> None:
    filled.put("/docs/tea.md", "மலைகளில் தேயிலை வளர்கிறது.")
    found = filled.search("தேயிலை எங்கே?").passages
    assert found[0].path == "/docs/tea.md"
    assert all(each.dense_rank is None for each in found)


def test_ranks_count_from_one_without_gaps(filled: IndexedTexts) -> None:
    found = filled.search("bread animal motor", k=3).passages
    assert [passage.rank for passage in found] == [1, 2, 3]
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)


def test_the_title_is_matched_though_it_is_not_part_of_the_text(filled: IndexedTexts) -> None:
    best = filled.search("Baking", reranker="none").passages[0]
    assert best.path == "/docs/kitchen/bread.md"
    assert "Baking" not in best.text


@pytest.mark.parametrize("fusion", ["rrf", "weighted"])
def test_both_ways_of_fusion_find_it(filled: IndexedTexts, fusion: str) -> None:
    found = filled.search("electric motor", fusion=fusion, reranker="none").passages
    assert found[0].path == "/docs/motor.txt"


def test_the_order_in_which_files_were_read_decides_nothing(
    tmp_path: Path, embedder: OnnxEmbedder
) -> None:
    """Each of thirty rows matches as well by its words; more than the reranker reads."""
    rows = [f"Berth {number} of the harbour takes ferries." for number in range(30, 60)]
    found = []
    for order in (rows, rows[::-1]):
        library = IndexedTexts(tmp_path / order[0].split()[1], embedder)
        for row in order:
            library.put(f"/docs/{row.split()[1]}.txt", row)
        passages = library.search("harbour ferries", k=10).passages
        found.append([(p.path, round(p.score, 6)) for p in passages])
        library.close()
    assert found[0] == found[1]
    assert len(found[0]) == 10


@pytest.mark.parametrize(
    ("scores", "asked", "read"),
    [
        ([0.9, 0.8, 0.7, 0.6], 2, 2),
        ([0.9, 0.8, 0.8, 0.6], 2, 3),
        ([0.8] * 9, 2, 4),
        ([0.8], 2, 1),
        ([0.8, 0.8], 0, 0),
        ([], 2, 0),
    ],
)
def test_what_equals_the_last_that_is_reranked_is_reranked_too(
    scores: list[float], asked: int, read: int
) -> None:
    candidates = [Candidate(ChunkId(n), score) for n, score in enumerate(scores)]
    assert rerank._with_equals([RankedChunk(each, CHUNK) for each in candidates], asked) == read


def test_a_filter_keeps_to_its_files(filled: IndexedTexts) -> None:
    found = filled.search("animal bread motor", where="path:kitchen/*").passages
    assert {passage.path for passage in found} == {"/docs/kitchen/bread.md"}
    assert filled.search("animal", where="ext:docx").passages == ()


def test_a_filter_by_date_keeps_to_newer_files(library: IndexedTexts) -> None:
    for year in (2020, 2024):
        moment = datetime(year, 6, 1).timestamp()
        library.put(f"/docs/{year}.txt", f"The report of {year} tells of profit.", mtime=moment)
    found = library.search("profit report", where="after:2023").passages
    assert [passage.path for passage in found] == ["/docs/2024.txt"]


def test_a_filter_that_cannot_be_read_is_told(filled: IndexedTexts) -> None:
    with pytest.raises(UsageError):
        filled.search("animal", where="colour:blue")


def test_a_small_match_hands_over_the_bigger_piece_around_it(library: IndexedTexts) -> None:
    filler = [f"Paragraph {n} speaks of nothing that matters to anyone at all." for n in range(25)]
    text = "\n".join((*filler[:12], WHALE, *filler[12:]))
    library.put("/docs/long.pdf", text)
    best = library.search("largest animal whale").passages[0]
    start, end = best.match
    assert WHALE in best.text
    assert best.locator.start is not None
    assert best.locator.start <= start < end <= (best.locator.end or 0)
    assert end - start < len(best.text)
    small = library.search("largest animal whale", expand=False).passages[0]
    assert len(small.text) == end - start


def test_what_matched_is_told_at_its_own_place(library: IndexedTexts) -> None:
    lines = [f"Line {n} of the log speaks of nothing that matters at all." for n in range(1, 25)]
    lines[19] = WHALE
    blocks = (
        Block(BlockKind.TEXT, line, BlockLocator(LocatorKind.LINE, n))
        for n, line in enumerate(lines, start=1)
    )
    library.put_parsed("/docs/log.md", ParsedDocument("Log", tuple(blocks)))
    best = library.search("largest animal whale").passages[0]
    place = best.place_of(*best.match)
    assert best.locator.value == 1
    assert best.matched.startswith(lines[int(place.value) - 1])
    assert WHALE in best.matched
    assert best.place_of(best.match[0] - 1, best.match[1]).value == 1


def test_pieces_of_one_bigger_piece_make_one_passage(library: IndexedTexts) -> None:
    text = "\n".join(f"The whale number {n} swims in ocean number {n} all day." for n in range(30))
    library.put("/docs/whales.pdf", text)
    found = library.search("whale swims in the ocean", k=10).passages
    ranges = [(passage.locator.start, passage.locator.end) for passage in found]
    assert len(ranges) == len(set(ranges))
    assert len(found) < len(library.search("whale swims in ocean", k=10, expand=False).passages)


def test_a_copy_in_another_file_is_named_beside_the_first(library: IndexedTexts) -> None:
    library.put("/docs/a.txt", WHALE)
    library.put("/docs/b.txt", WHALE)
    found = library.search("largest animal").passages
    assert [(p.path, p.other_paths) for p in found] == [("/docs/a.txt", ("/docs/b.txt",))]


def test_near_duplicates_stand_once(library: IndexedTexts) -> None:
    library.put("/docs/a.txt", WHALE, title="One")
    library.put("/docs/b.txt", WHALE + " Indeed.", title="Two")
    assert len(library.search("largest animal", duplicate_similarity=0.7).passages) == 1
    assert len(library.search("largest animal", duplicate_similarity=1.0).passages) == 2


def test_diversity_puts_what_says_something_else_before_what_says_it_again(
    library: IndexedTexts,
) -> None:
    library.put("/docs/a.txt", WHALE)
    library.put("/docs/b.txt", WHALE + " Indeed it does so.")
    library.put("/docs/c.txt", "A large animal on land is the elephant.")

    def order(mmr_lambda: float) -> list[str]:
        rules: dict[str, Any] = {"mmr_lambda": mmr_lambda, "duplicate_similarity": 1.0}
        return [p.path for p in library.search("largest animal whale", k=3, **rules).passages]

    assert order(1.0) == ["/docs/a.txt", "/docs/b.txt", "/docs/c.txt"]
    assert order(0.3) == ["/docs/a.txt", "/docs/c.txt", "/docs/b.txt"]


def test_two_knowledge_bases_are_searched_together(library: IndexedTexts) -> None:
    other = library.catalog.kbs.ensure("other").id
    library.put("/docs/whale.txt", WHALE)
    library.put("/docs/bread.txt", BREAD, kb=other)
    library.put("/docs/whale.txt", WHALE, kb=other)
    query = Query("whale or bread", (library.kb, other), 5)
    found = library.retriever().search(query).passages
    assert sorted(passage.path for passage in found) == ["/docs/bread.txt", "/docs/whale.txt"]


def test_an_empty_knowledge_base_gives_nothing(library: IndexedTexts) -> None:
    found = library.search("anything")
    assert found.passages == ()
    assert found.evidence == 0.0


def test_the_users_question_may_lift_a_passage(filled: IndexedTexts) -> None:
    round_two = Query("current motion", (filled.kb,), 20, question="Which animal feeds on krill?")
    lifted = filled.retriever(rerank_weight=1.0).search(round_two).passages
    alone = filled.retriever(rerank_weight=1.0, rerank_with_question=False).search(round_two)
    whale = {p.path: p.rerank_score for p in lifted}["/docs/animals.pdf"]
    without = {p.path: p.rerank_score for p in alone.passages}["/docs/animals.pdf"]
    assert whale is not None
    assert without is not None
    assert whale > without


def test_a_passage_like_what_is_looked_for_leads_to_it_by_meaning_alone(
    filled: IndexedTexts,
) -> None:
    plain = Query("What did we talk of?", (filled.kb,), 4)
    alike = replace(plain, alike=("A motor turns electric current into motion without much loss.",))
    found = filled.retriever().search(alike).passages
    ranks = {passage.path: (passage.dense_rank, passage.lexical_rank) for passage in found}
    assert ranks["/docs/motor.txt"] == (1, None), "the words of the passage are not searched"
    before = {p.path: p.dense_rank for p in filled.retriever().search(plain).passages}
    assert before["/docs/motor.txt"] != 1


def test_what_a_model_made_up_is_no_evidence(filled: IndexedTexts) -> None:
    asked = "Which volcano erupted yesterday?"
    plain = Query(asked, (filled.kb,), 4)
    retriever = filled.retriever()
    alone = retriever.search(plain).evidence
    assert alone < EVIDENCE_THRESHOLD
    assert retriever.search(replace(plain, text=WHALE)).evidence > EVIDENCE_THRESHOLD
    assert retriever.search(replace(plain, alike=(WHALE,))).evidence == pytest.approx(alone)
    behind = replace(plain, text=f"{asked} {WHALE}", asked=asked)
    assert retriever.search(behind).evidence == pytest.approx(alone, abs=0.05)


def test_a_question_keeps_its_evidence_whatever_a_model_puts_behind_it(
    filled: IndexedTexts,
) -> None:
    asked = "Which animal feeds on krill?"
    plain = Query(asked, (filled.kb,), 4)
    behind = f"{asked} Penguins swim in cold oceans near glaciers, says a traveller of 1911."
    alone = filled.retriever().search(plain).evidence
    widened = filled.retriever().search(replace(plain, text=behind, asked=asked)).evidence
    assert alone > EVIDENCE_THRESHOLD
    assert widened == pytest.approx(alone, abs=0.01)
    assert filled.retriever().search(replace(plain, text=behind)).evidence < alone - 0.1


@pytest.mark.parametrize(("gap", "best"), [(1.3, 0), (1.5, 1)])
def test_what_stands_first_in_the_first_stage_needs_that_much_less(gap: float, best: int) -> None:
    """The second's rank costs 2 · ln(2), about 1.39."""
    scores = subtract_log_ranks([1, 2, 3], [0.0, gap, -9.0], 2.0)
    assert max(range(3), key=scores.__getitem__) == best
    assert (min(scores), max(scores)) == (0.0, 1.0)


def test_what_is_equal_in_the_first_stage_costs_the_same() -> None:
    assert tied_ranks([0.9, 0.9, 0.5]) == [1, 1, 3]
    one, other, third = subtract_log_ranks([1, 1, 3], [1.0, 1.0, 1.0], 2.0)
    assert one == other > third


class EnglishByLength:
    """Reads English alone: the longer the better."""

    name = "by length"
    rank_weight: float | None = None

    def trust(self, text: str) -> LanguageSupport:
        return script_support({"latin"}, text)

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        del query, token
        assert all(self.trust(text) is LanguageSupport.GOOD for text in texts)
        return [float(len(text)) for text in texts]


def test_a_passage_in_a_language_that_the_reader_does_not_read_stays_at_its_place() -> None:
    texts = [
        "a boat",
        "租客须提前通知",
        "a long boat",
        "期限为三个月",
        "a very long boat",
        "a ship",
    ]
    ranked = [
        RankedChunk(Candidate(ChunkId(at), 1.0 / at), replace(CHUNK, text=text))
        for at, text in enumerate(texts, start=1)
    ]
    rules = Retrieval(rerank_candidates=5, rerank_weight=1.0)
    stage = rerank.RerankStage((EnglishByLength(),), rules)
    found = stage.ordered(Query("Which boat?", (), 5), ranked, StageTimer())
    assert [each.chunk.text for each in found] == [
        "a very long boat", "租客须提前通知", "a long boat", "期限为三个月", "a boat", "a ship",
    ]  # fmt: skip
    scores = [each.candidate.score for each in found]
    assert scores == sorted(scores, reverse=True)
    assert [each.candidate.fused_rank for each in found] == [5, 2, 3, 4, 1, None]
    assert [each.candidate.rerank_score for each in found][1::2] == [None, None, None]


class Slow(EnglishByLength):
    """Reads as many as it is told to; of how many it was asked is noted."""

    def __init__(self, counts: list[int | None]) -> None:
        self.counts = counts
        self.read: list[int] = []

    def count_in(self, seconds: float, query: str, texts: Sequence[str]) -> int | None:
        del query
        assert seconds == 0.25
        assert len(texts) == 20
        return self.counts.pop(0)

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        self.read.append(len(texts))
        return super().score(query, texts, token)


@pytest.mark.parametrize(
    ("counts", "limit", "reads", "read"),
    [
        ([12], 250, None, [12]),
        ([0], 250, None, [10]),
        ([20], 250, None, [20]),
        ([None, 16], 250, None, [10, 6]),
        ([None, 4], 250, None, [10]),
        ([], 0, None, [20]),
        ([], 250, 15, [15]),
    ],
)
def test_the_best_are_read_until_the_time_is_over(
    counts: list[int | None], limit: int, reads: int | None, read: list[int]
) -> None:
    ranked = [
        RankedChunk(Candidate(ChunkId(at), 1.0 / at), replace(CHUNK, text="boat " * at))
        for at in range(1, 25)
    ]
    slow = Slow(counts)
    rules = Retrieval(rerank_candidates=20, rerank_weight=1.0, rerank_milliseconds=limit)
    query = Query("Which boat?", (), 5, reads=reads)
    found = rerank.RerankStage((slow,), rules).ordered(query, ranked, StageTimer())
    assert slow.read == read
    count = sum(read)
    order = [each.candidate.chunk_id for each in found]
    assert order == [*range(count, 0, -1), *range(count + 1, 25)]
    assert all((at < count) == (e.candidate.rerank_score is not None) for at, e in enumerate(found))


def test_of_passages_that_no_reader_reads_the_first_order_stays(library: IndexedTexts) -> None:
    for number in range(4):
        library.put(f"/docs/{number}.md", f"第{number}条 租客须提前{number}个月书面通知房东。")
    asked = Query("How much notice must a tenant give?", (library.kb,), 4)
    first = library.retriever(reranker="none").search(asked)
    second = library.retriever(reranker="pair-reader").search(asked)
    assert [each.text for each in second.passages] == [each.text for each in first.passages]
    assert second.problems == ()


class Reading(LateInteraction):
    """Reads English alone, and notes what it was asked."""

    def __init__(self, library: IndexedTexts) -> None:
        super().__init__(library.embedder)
        self.asked: list[str] = []

    def trust(self, text: str) -> LanguageSupport:
        return script_support({"latin"}, text)

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        self.asked.append(query)
        return super().score(query, texts, token)


@pytest.mark.parametrize(("question", "times"), [("它吃什么？", 1), ("What does it eat?", 2)])
def test_a_question_that_a_reranker_cannot_read_lifts_nothing(
    filled: IndexedTexts, question: str, times: int
) -> None:
    reader = Reading(filled)
    space = TwoStageRetriever(
        filled.catalog, filled.indexes, filled.embedder, (reader,), Retrieval()
    )
    space.search(Query("Which animal is the largest?", (filled.kb,), 5, question=question))
    assert len(reader.asked) == times


class Harmed(LateInteraction):
    """A reranker whose file was harmed."""

    def score(self, *_: object) -> list[float]:
        raise ModelUnavailable("The reader is damaged.", "Install Desktop RAG again.")


def test_a_reranker_that_fails_leaves_the_order_to_the_next(filled: IndexedTexts) -> None:
    late, rules = LateInteraction(filled.embedder), Retrieval()
    parts = filled.catalog, filled.indexes, filled.embedder
    query = Query("Which animal is the largest?", (filled.kb,), 5)
    found = TwoStageRetriever(*parts, (Harmed(filled.embedder), late), rules).search(query)
    assert found.passages == TwoStageRetriever(*parts, (late,), rules).search(query).passages
    assert found.problems[0].endswith("Passages are compared in a simpler way.")
    alone = TwoStageRetriever(*parts, (Harmed(filled.embedder),), rules).search(query)
    assert {each.rerank_score for each in alone.passages} == {None}
    assert alone.problems[0].endswith("Passages stay as the first searches order them.")


def test_the_same_search_gives_the_same_passages(filled: IndexedTexts) -> None:
    def ids() -> list[ChunkId]:
        return [p.chunk_id for p in filled.search("bread animal motor").passages]

    assert ids() == ids()


def test_every_stage_says_how_long_it_took(filled: IndexedTexts) -> None:
    timings = filled.search("largest animal").timings
    assert {"embed", "dense", "lexical", "rerank", "expand"} <= set(timings)
    assert all(seconds >= 0 for seconds in timings.values())


def test_a_chinese_question_with_an_english_name_is_chinese(filled: IndexedTexts) -> None:
    best = filled.search("九龙山 National Park 自然保护区的缓冲区面积是多少？").passages[0]
    assert best.text == OFFICE
    assert best.lexical_rank == 1
