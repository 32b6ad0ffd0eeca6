"""Why a passage is not found: every stage in which it can fall out, and the remedy tried."""

from __future__ import annotations

import os
import re
import time
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from desktop_rag.commands import search
from desktop_rag.commands.explain import run
from desktop_rag.commands.what_if_search import WhatIfSearch
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, UsageError, UserError
from desktop_rag.core.explain_events import StageName, StageState, Verdict
from desktop_rag.core.requests import (
    ExplainRequest,
    SearchRequest,
)
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import VectorSearch
from desktop_rag.workspace import Workspace
from tests.commands.explain_setup import FEW, QUESTION, VILLAGES, library, path_of, way
from tests.indexing.indexed_folder import KB, IndexedFolder

__all__ = ["library"]


def rank_in_search(workspace: Workspace, query: str, text: str, **rules: Any) -> int | None:
    """Search as the command does, under other rules; return the rank of a text or number."""
    made = replace(Retrieval(), **rules)
    retriever = workspace.retriever.under(made, WhatIfSearch.of(workspace, made).rerankers)
    view = replace(workspace, lazy_retriever=type(workspace.lazy_retriever)(lambda: retriever))
    rows = search.run(view, SearchRequest((KB,), query, 5), CancelToken())
    found = [row.as_json() for row in rows]
    return next(
        (row["rank"] for row in found if text in (*row["text"].split(), row["chunk_id"])), None
    )


def test_a_passage_that_is_found_is_said_to_be_found_with_the_ranks_of_the_search(
    library: IndexedFolder,
) -> None:
    (row, *_) = [
        event.as_json()
        for event in search.run(
            library.workspace, SearchRequest((KB,), "lease term nine years", 5), CancelToken()
        )
    ]
    stages, verdict = way(library.workspace, "lease term nine years", passage=int(row["chunk_id"]))
    assert (verdict.rank, verdict.path) == (1, row["path"])
    assert stages[StageName.MEANING].rank == row["dense_rank"]
    assert stages[StageName.MEANING].score == pytest.approx(row["dense_score"])
    assert stages[StageName.MEANING].vector_search is VectorSearch.EXACT
    assert stages[StageName.MEANING].text.endswith("Every vector was compared.")
    assert stages[StageName.WORDS].vector_search is None
    assert stages[StageName.WORDS].score == pytest.approx(row["lexical_score"])
    assert stages[StageName.SECOND].score == pytest.approx(row["rerank_score"])
    assert stages[StageName.PASSAGES].rank == 1


def test_a_passage_beyond_the_candidates_has_its_true_rank_and_a_remedy_that_helps(
    library: IndexedFolder,
) -> None:
    space = library.workspace
    stages, verdict = way(space, QUESTION, FEW, path=path_of(library, "Oakham.txt"))
    assert not verdict.found
    assert verdict.fell_at is StageName.MEANING
    assert stages[StageName.MEANING].state is stages[StageName.WORDS].state is StageState.OUT
    assert stages[StageName.JOINED].state is StageState.AFTER
    assert stages[StageName.MEANING].rank == rank_by_hand(library, QUESTION, "Oakham")
    assert stages[StageName.MEANING].cut == 5
    assert f"number {stages[StageName.MEANING].rank}" in verdict.what
    key, _, value = verdict.tried.partition("=")
    if key == "retrieval.candidates":
        rank = rank_in_search(space, QUESTION, "Oakham", candidates=int(value))
    else:
        rank = rank_in_search(space, verdict.tried, "Oakham", **FEW)
    assert rank is not None
    assert verdict.remedy.endswith(f"then it is passage {rank}.")


def rank_by_hand(library: IndexedFolder, question: str, word: str) -> int:
    """Return a passage's place among all stored vectors, compared one by one."""
    space = library.workspace
    model = space.models.embedder
    vector = model.embed_query(question)
    scores = {}
    stored = space.catalog.embeddings.of_chunks(library.kb, model.fingerprint)
    for chunk_id, _, half in stored:
        own = half.astype(np.float64)
        scores[chunk_id] = float(own @ vector / np.linalg.norm(own))
    texts = space.catalog.documents.get_chunks(scores)
    order = sorted(scores, key=lambda each: -scores[each])
    return next(n for n, each in enumerate(order, 1) if word in texts[each].text)


def test_a_passage_that_shares_no_word_is_said_to_share_none(library: IndexedFolder) -> None:
    rules = {"candidates": 5}
    stages, verdict = way(library.workspace, "bakery opening hours", rules, text="nine years has")
    assert stages[StageName.WORDS].rank is None
    assert stages[StageName.WORDS].text == "It holds no word of the question."
    assert verdict.fell_at in (None, StageName.MEANING, StageName.PROMPT)


def test_one_search_that_misses_is_no_reason_where_the_other_one_finds(
    library: IndexedFolder,
) -> None:
    stages, _ = way(library.workspace, "Oakham", FEW, path=path_of(library, "Oakham.txt"))
    assert stages[StageName.WORDS].rank == 1
    assert stages[StageName.JOINED].state is StageState.PASSED


def test_a_near_duplicate_names_the_passage_that_stands_for_it(library: IndexedFolder) -> None:
    rules = {"duplicate_similarity": 0.6, "expand": False}
    query = "When must the tenant vacate the premises?"
    files = ("copy.txt", "other.txt", "lease.txt")
    ways = [way(library.workspace, query, rules, path=path_of(library, name)) for name in files]
    lost = [verdict for _, verdict in ways if verdict.fell_at is StageName.DUPLICATES]
    assert lost
    for verdict in lost:
        assert re.search(r"Passage 1 of “.+\.txt” says the same and stands higher", verdict.what)
        assert verdict.tried == "retrieval.duplicate_similarity=1"
        one = rules | {"duplicate_similarity": 1.0}
        rank = rank_in_search(library.workspace, query, str(verdict.chunk_id), **one)
        assert f"it is passage {rank} then" in verdict.remedy


def test_variety_is_named_where_it_left_a_passage_out(library: IndexedFolder) -> None:
    rules = {"mmr_lambda": 0.05, "expand": False, "reranker": "none"}
    ways = [
        way(library.workspace, QUESTION, rules, path=path_of(library, f"{name}.txt"), k=2)
        for name in VILLAGES
    ]
    lost = [(stages, verdict) for stages, verdict in ways if verdict.fell_at is StageName.VARIETY]
    assert lost
    assert all(stages[StageName.PASSAGES].state is StageState.AFTER for stages, _ in lost)


@pytest.fixture
def aged(library: IndexedFolder) -> IndexedFolder:
    """Return a library with two notes that say about the same, the better one long ago."""
    then = time.time() - 900 * 86400
    old = library.write("fee then.txt", "The annual fee of the rowing club is forty crowns.")
    os.utime(old, (then, then))
    new = library.write("fee now.txt", "The fee of the rowing club was raised to fifty crowns.")
    library.index(old, new)
    return library


def test_the_age_of_files_is_told_as_the_search_counts_it(aged: IndexedFolder) -> None:
    query, rules = "What is the annual fee of the rowing club?", {"half_life_days": 30}
    path = path_of(aged, "fee then.txt")
    before, found = way(aged.workspace, query, path=path)
    assert (found.rank, before[StageName.AGE].state) == (1, StageState.OFF)
    stages, verdict = way(aged.workspace, query, rules, path=path, k=1)
    age = stages[StageName.AGE]
    assert age.text == (
        "The age of its file leaves it 50% of its score: it goes from number 1 to number 2."
    )
    assert (age.rank, stages[StageName.SECOND].rank) == (2, 1)
    assert age.score == pytest.approx(0.5, abs=0.01)
    assert verdict.fell_at is StageName.PASSAGES
    assert verdict.tried == "retrieval.half_life_days=0"
    assert verdict.remedy.endswith("it is passage 1 then.")
    assert rank_in_search(aged.workspace, query, str(verdict.chunk_id), **rules) == 2


def test_a_passage_below_the_cut_is_given_by_as_many_as_the_remedy_says(
    library: IndexedFolder,
) -> None:
    quick = {"reranker": "none"}
    ways = [
        way(library.workspace, QUESTION, quick, path=path_of(library, f"{name}.txt"), k=2)
        for name in VILLAGES
    ]
    lost = [(stages, verdict) for stages, verdict in ways if verdict.fell_at is StageName.PASSAGES]
    assert len(lost) == len(VILLAGES) - 2
    stages, verdict = min(lost, key=lambda each: cast("int", each[0][StageName.PASSAGES].rank))
    assert stages[StageName.PASSAGES].rank == 3
    assert stages[StageName.PASSAGES].cut == 2
    assert verdict.tried == "k=3"
    _, again = way(library.workspace, QUESTION, quick, passage=verdict.chunk_id, k=3)
    assert again.fell_at is not StageName.PASSAGES


def test_a_filter_that_leaves_a_file_out_is_named(library: IndexedFolder) -> None:
    path = path_of(library, "Aldbury.txt")
    stages, verdict = way(library.workspace, QUESTION, path=path, where="title:lease")
    assert verdict.fell_at is StageName.FILTER
    assert stages[StageName.MEANING].state is StageState.AFTER
    assert verdict.remedy.startswith("Search without the filter")


def test_without_a_second_stage_that_is_said(library: IndexedFolder) -> None:
    stages, _ = way(library.workspace, QUESTION, {"reranker": "none"}, text="Aldbury was delayed")
    assert stages[StageName.SECOND].state is StageState.OFF


def test_a_chinese_passage_is_found_by_its_words(library: IndexedFolder) -> None:
    stages, verdict = way(library.workspace, "缓冲区面积是多少？", text="自然保护区缓冲区")
    assert verdict.path.endswith("保护区.md")
    assert "缓冲" in stages[StageName.WORDS].text


@pytest.mark.parametrize(
    ("name", "what", "remedy"),
    [
        ("scan.pdf", "picture", "recognised"),
        ("locked.pdf", "password", "Enter the password"),
        ("film.mp4", "(.mp4) are not read", "Save it"),
        ("left out.txt", "was excluded", "Include it again"),
        ("gone.txt", "no file", "path is written"),
        ("", "“docs” is a folder", "Name one of the files"),
    ],
)
def test_a_file_that_is_not_in_the_index_says_why(
    library: IndexedFolder, name: str, what: str, remedy: str
) -> None:
    stages, verdict = way(library.workspace, QUESTION, path=path_of(library, name))
    assert verdict.fell_at is StageName.INDEXED
    assert stages[StageName.FILTER].state is StageState.AFTER
    assert what in verdict.what
    assert remedy in verdict.remedy


def test_a_file_that_waits_is_said_to_wait(library: IndexedFolder) -> None:
    space, path = library.workspace, library.write("late.txt", "The last coach leaves at ten.")
    space.catalog.files.enqueue(library.kb, [str(path)])
    _, verdict = way(space, QUESTION, path=str(path))
    assert verdict.what == "“late.txt” waits to be read."
    space.catalog.files.remove(library.kb, [str(path)])


def test_a_file_of_another_knowledge_base_is_found_there(library: IndexedFolder) -> None:
    space = library.workspace
    space.catalog.kbs.ensure("archive")
    out = ExplainRequest(("archive",), QUESTION, path=path_of(library, "lease.txt"))
    *_, verdict = run(space, out, CancelToken())
    assert isinstance(verdict, Verdict)
    assert verdict.what == f"“lease.txt” is in another knowledge base: “{KB}”."


def test_words_that_no_file_has_are_said_to_be_nowhere(library: IndexedFolder) -> None:
    _, verdict = way(library.workspace, QUESTION, text="a sentence that nobody ever wrote")
    assert verdict.fell_at is StageName.INDEXED
    assert verdict.what == "No file that was read has these words."
    assert "files that could not be read" in verdict.remedy


def test_words_that_a_file_lacks_are_said_not_to_be_in_it(library: IndexedFolder) -> None:
    path = path_of(library, "lease.txt")
    _, verdict = way(library.workspace, QUESTION, path=path, text="the rent is due in May")
    assert verdict.what.startswith("These words are not in what was read of “lease.txt”.")


def test_evidence_that_does_not_suffice_is_named_with_the_bar_that_would(
    library: IndexedFolder,
) -> None:
    query = "When does somebody leave?"
    _, verdict = way(library.workspace, query, text="vacate the premises", path="")
    assert verdict.fell_at is StageName.PROMPT
    assert "counts as nothing" in verdict.what
    bar = float(verdict.tried.partition("=")[2])
    _, again = way(library.workspace, query, {"refuse_below": bar}, passage=verdict.chunk_id)
    assert again.found


def test_a_passage_that_nothing_names_is_wrong_usage(library: IndexedFolder) -> None:
    with pytest.raises(UsageError, match="which passage"):
        way(library.workspace, QUESTION)
    with pytest.raises(UsageError, match="empty"):
        way(library.workspace, "  ", text="lease term")
    with pytest.raises(UserError, match="no passage 999999"):
        way(library.workspace, QUESTION, passage=999999)


def test_a_stop_ends_it(library: IndexedFolder) -> None:
    token = CancelToken()
    token.cancel()
    request = ExplainRequest((KB,), QUESTION, text="vacate the premises")
    with pytest.raises(Cancelled):
        list(run(library.workspace, request, token))
