from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from rank_bm25 import BM25Okapi

from desktop_rag.core.errors import StoreDamaged
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.index.bm25 import Bm25Index
from desktop_rag.index.tokenizer import search_terms

TEXTS = {
    1: "The cat sat on the mat",
    2: "A dog and a cat play in the garden",
    3: "Quarterly report of the garden company",
    4: "公司年度报告显示收入增长",
    5: "東京のデータベース会社",
    6: "Revenue grew by 12 percent in 2023",
}


@pytest.fixture
def store(tmp_path: Path) -> Bm25Index:
    made = Bm25Index(tmp_path / "words")
    made.apply((), [row(n, n * 10, text) for n, text in TEXTS.items()])
    return made


def row(chunk: int, document: int, text: str) -> tuple[ChunkId, DocumentId, str]:
    return ChunkId(chunk), DocumentId(document), text


def ids(hits: list[tuple[ChunkId, float]]) -> list[ChunkId]:
    return [chunk_id for chunk_id, _ in hits]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("cats", {1, 2}),
        ("GARDENS", {2, 3}),
        ("2023", {6}),
        ("年度报告", {4}),
        ("收", {4}),
        ("データベース", {5}),
        ("会社", {5}),
        ("zebra", set()),
        ("", set()),
        ('"cat AND (dog', {1, 2}),
        ("body:cat* ~ ^2 \\", {1, 2}),
    ],
)
def test_a_query_finds_the_texts_that_share_a_word(
    store: Bm25Index, query: str, found: set[int]
) -> None:
    if "AND" in query:
        found = found | {2}
    assert set(ids(store.search(query, 10))) == found


def test_the_best_comes_first_and_no_more_than_asked_for(store: Bm25Index) -> None:
    hits = store.search("garden cat dog", 2)
    assert ids(hits)[0] == 2
    assert len(hits) == 2
    assert hits[0][1] > hits[1][1] > 0


def test_the_order_is_that_of_rank_bm25(tmp_path: Path) -> None:
    chooser = random.Random(7)
    vocabulary = [f"term{n}" for n in range(80)]
    weights = [1 / (n + 1) for n in range(80)]
    texts = [
        " ".join(chooser.choices(vocabulary, weights, k=chooser.randint(20, 30)))
        for _ in range(200)
    ]
    store = Bm25Index(tmp_path / "words")
    store.apply((), [row(n, 1, text) for n, text in enumerate(texts)])
    # tantivy's k1; rank_bm25 floors the weight of words in more than half of the texts: ask none
    reference = BM25Okapi([search_terms(text) for text in texts], k1=1.2, b=0.75)
    agreeing = 0
    for first in range(8, 68, 3):
        query = f"term{first} term{first + 5} term{first + 11}"
        scores = reference.get_scores(search_terms(query))
        wanted = sorted(range(200), key=lambda n: -scores[n])[:10]
        got = ids(store.search(query, 10))
        assert got[0] == wanted[0] or scores[got[0]] > 0.97 * scores[wanted[0]]
        agreeing += len(set(got) & set(wanted))
    assert agreeing / 200 > 0.93, "ties and tantivy's one-byte lengths may swap the last"


def test_a_filter_keeps_to_some_documents_with_the_same_scores(store: Bm25Index) -> None:
    free = dict(store.search("garden cat", 10))
    kept = dict(store.search("garden cat", 10, {DocumentId(20), DocumentId(999)}))
    assert kept.keys() == {2}
    assert kept[ChunkId(2)] == pytest.approx(free[ChunkId(2)])
    assert store.search("garden", 10, set()) == []


def test_telling_the_same_again_changes_nothing(store: Bm25Index) -> None:
    store.apply([ChunkId(1), ChunkId(6)], [row(1, 10, TEXTS[1]), row(6, 60, TEXTS[6])])
    store.apply([ChunkId(999)], [])
    assert store.count() == len(TEXTS)
    assert store.ids() == set(TEXTS)


def test_a_removed_chunk_is_not_found(store: Bm25Index) -> None:
    store.apply([ChunkId(1), ChunkId(6)], [row(7, 70, "A cat again")])
    assert set(ids(store.search("cat 2023", 10))) == {2, 7}
    assert store.ids() == {2, 3, 4, 5, 7}


def test_what_fails_half_way_leaves_the_index_as_it_was(store: Bm25Index) -> None:
    def rows() -> Iterator[tuple[ChunkId, DocumentId, str]]:
        yield row(8, 80, "zebra")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.apply([ChunkId(1)], rows())
    store.apply((), [])
    assert store.ids() == set(TEXTS)


def test_an_index_is_there_when_opened_again(store: Bm25Index, tmp_path: Path) -> None:
    assert Bm25Index(tmp_path / "words").ids() == set(TEXTS)


def test_a_very_long_query_is_answered(store: Bm25Index) -> None:
    assert ids(store.search("cat " + "word " * 5000, 3))[0] == 1


def test_many_threads_search_while_one_writes(store: Bm25Index) -> None:
    failures: list[BaseException] = []
    done = threading.Event()

    def search() -> None:
        try:
            while not done.is_set():
                assert 3 in ids(store.search("quarterly report", 10))
        except BaseException as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(5):
        store.apply((), [row(100 + n, 1, "more text")])
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []


@pytest.mark.parametrize("suffix", [".term", ".idx", ".fast", ".store", "meta.json"])
def test_a_truncated_index_is_said_to_be_damaged(
    store: Bm25Index, tmp_path: Path, suffix: str
) -> None:
    for file in (tmp_path / "words").glob(f"*{suffix}"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(StoreDamaged):
        Bm25Index(tmp_path / "words").search("cat", 1)


def test_a_panic_over_zeroed_pages_is_said_to_be_damage(store: Bm25Index, tmp_path: Path) -> None:
    chosen = random.Random(1)
    added = [row(100 + n, n, f"cat number{chosen.randrange(500)} " * 9) for n in range(1000)]
    store.apply((), added)
    for file in (tmp_path / "words").glob("*.idx"):
        content = bytearray(file.read_bytes())
        quarter = len(content) // 4
        content[quarter : 2 * quarter] = bytes(quarter)
        file.write_bytes(content)
    with pytest.raises(StoreDamaged):
        Bm25Index(tmp_path / "words").search("cat number3", 10)
