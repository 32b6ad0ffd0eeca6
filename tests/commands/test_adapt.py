"""Adapting a knowledge base's query vectors: kept by measurement alone, taken back, carried on."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_rag import bootstrap
from desktop_rag.commands import adapt
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import RetrieverAdaptation
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.core.events import IndexProgress, ListingRow, Notice
from desktop_rag.core.requests import AdaptRequest
from desktop_rag.core.settings import Ollama, Retrieval, Settings
from desktop_rag.models.protocols import LanguageSupport, Vectors
from desktop_rag.workspace import Workspace
from testing.indexed_texts import IndexedTexts
from testing.ollama_double import OllamaDouble
from tests.commands.export_files import (
    Parts,
    documents,
    dump,
    exported,
    imported,
    indexed,
    opened,
    packed,
    parts_of,
    with_fields,
)

KB = "default"
SUBJECTS = 160
SIZE = 24
ADAPTATION = "adaptation.jsonl"


def subject(text: str) -> int:
    """Return the number of what a text is about: `ax7` in passages, `zq7` in questions."""
    return int(next((word[2:] for word in text.split() if word[:2] in ("ax", "zq")), 0))


def meaning(number: int) -> Vectors:
    made = np.random.default_rng(number).normal(size=SIZE)
    return (made / np.linalg.norm(made)).astype(np.float32)


class SlantedEmbedder:
    """Questions share no word with their passages, and all lean the same way, by `slant`."""

    fingerprint, dimensions, max_tokens = "slanted", SIZE, 256

    def __init__(self, slant: float) -> None:
        self.slant = slant

    def trust(self, _text: str) -> LanguageSupport:
        return LanguageSupport.GOOD

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        del token
        return np.stack([meaning(subject(text)) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        leaning = meaning(subject(text)) + self.slant * meaning(10_000)
        return (leaning / np.linalg.norm(leaning)).astype(np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


class KnowingReranker:
    """Scores by what a question and a passage are about."""

    name, rank_weight = "knowing", 0.0

    def __init__(self) -> None:
        self.asked: list[str] = []

    def trust(self, _text: str) -> LanguageSupport:
        return LanguageSupport.GOOD

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        del token
        self.asked.append(query)
        asked = meaning(subject(query))
        return [float(20 * asked @ meaning(subject(text))) for text in texts]


class SlantedFolders:
    """Opens copies of a data folder, and closes them."""

    def __init__(self, read: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reranker = KnowingReranker()
        self._read, self._home, self._monkeypatch = read, home, monkeypatch
        self._made: list[Workspace] = []

    def __call__(self, slant: float, host: str = "") -> Workspace:
        embedder = SlantedEmbedder(slant)
        home = self._home / f"home {slant}"
        shutil.copytree(self._read, home)
        self._monkeypatch.setattr(bootstrap, "_embedder", lambda _settings: embedder)
        self._monkeypatch.setattr(bootstrap, "_rerankers", lambda *_: (self.reranker,))
        settings = Settings()
        if host:  # whatever the evidence: no question shares a word with its passage
            settings = replace(
                settings, ollama=Ollama(host=host), retrieval=Retrieval(refuse_below=0)
            )
        self._made.append(bootstrap.open_workspace(home, settings))
        return self._made[-1]

    def close(self) -> None:
        for each in self._made:
            each.close()


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that has read a document a subject; passages do not lean."""
    home = tmp_path_factory.mktemp("subjects") / "home"
    texts = IndexedTexts(home, SlantedEmbedder(0.0))  # type: ignore[arg-type]
    for number in range(SUBJECTS):
        told = f"This text tells at some length what there is to know of ax{number} today."
        texts.put(f"/docs/{number}.txt", told)
    texts.close()
    return home


@pytest.fixture
def open_slanted(
    read: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SlantedFolders]:
    made = SlantedFolders(read, tmp_path, monkeypatch)
    yield made
    made.close()


@pytest.fixture
def questions(tmp_path: Path) -> str:
    file = tmp_path / "questions.jsonl"
    rows = [
        {"id": str(n), "question": f"Which is zq{n} ?", "gold": [f"/docs/{n}.txt"]}
        for n in range(SUBJECTS)
    ]
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return str(file)


def adapted(workspace: Workspace, questions: str, **more: Any) -> list[Any]:
    return list(adapt.run(workspace, AdaptRequest(KB, questions=questions, **more), CancelToken()))


def row(workspace: Workspace, action: str = "list") -> dict[str, Any]:
    (last,) = adapt.run(workspace, AdaptRequest(KB, action), CancelToken())
    assert isinstance(last, ListingRow)
    return last.values


def revision(workspace: Workspace) -> int:
    """Return the counter by which answers of before are known to be stale."""
    read = workspace.catalog.database.read()
    (found,) = read.execute("SELECT revision FROM knowledge_bases WHERE name = ?", (KB,)).fetchone()
    return int(found)


def test_what_finds_more_is_kept_and_can_be_taken_back(
    open_slanted: SlantedFolders, questions: str
) -> None:
    workspace = open_slanted(8.0)
    assert row(workspace)["state"] == "none"
    events = adapted(workspace, questions)
    told = [each.text for each in events if isinstance(each, Notice)]
    assert told[0].startswith("It learns from 80 questions and is measured on 80 others")
    assert "min more" in told[1]
    seen = [each for each in events if isinstance(each, IndexProgress)]
    assert (seen[0].done, seen[-1].done, seen[-1].total) == (1, SUBJECTS, SUBJECTS)
    last = events[-1].values
    assert last["state"] == "kept"
    assert last["recall_after"] > last["recall_before"] + 10
    assert last["vector_after"] > last["vector_before"] + 30
    assert last["gain"][0] > 0
    assert (last["documents_then"], last["source"]) == (SUBJECTS, "questions.jsonl")
    assert row(workspace) == last
    kb = workspace.catalog.kbs.get(KB).id
    assert workspace.catalog.adaptations.query_map(kb, "slanted") is not None
    assert row(workspace, "remove")["state"] == "none"
    assert workspace.catalog.adaptations.query_map(kb, "slanted") is None


def test_with_a_model_the_reranker_reads_what_it_answers_as_well(
    open_slanted: SlantedFolders, questions: str
) -> None:
    with OllamaDouble() as ollama:
        ollama.otherwise = "The text at hand tells it [1]."
        workspace = open_slanted(8.0, ollama.url)
        last = adapted(workspace, questions, model="llama3.2:3b")[-1].values
        assert last["state"] == "kept"
        assert len(ollama.chats) == SUBJECTS // 2, "one answer to each question that it learns from"
    read = {each for each in open_slanted.reranker.asked if "tells it" in each}
    assert len(read) == SUBJECTS // 2
    assert all(each.startswith("Which is zq") for each in read), "the question comes first"


def test_what_finds_no_more_is_told_and_not_kept(
    open_slanted: SlantedFolders, questions: str
) -> None:
    workspace = open_slanted(0.0)
    last = adapted(workspace, questions)[-1].values
    assert last["state"] == "not_kept"
    assert last["recall_before"] == last["recall_after"] == 100
    kb = workspace.catalog.kbs.get(KB).id
    assert workspace.catalog.adaptations.query_map(kb, "slanted") is None


def test_a_run_that_is_stopped_leaves_what_there_was(
    open_slanted: SlantedFolders, questions: str
) -> None:
    workspace, token = open_slanted(8.0), CancelToken()
    running = adapt.run(workspace, AdaptRequest(KB, questions=questions), token)
    next(event for event in running if isinstance(event, IndexProgress))
    token.cancel()
    with pytest.raises(Cancelled):
        list(running)
    assert row(workspace)["state"] == "none"


def test_too_few_questions_are_told_of(open_slanted: SlantedFolders, tmp_path: Path) -> None:
    file = tmp_path / "few.jsonl"
    file.write_text('{"id": "1", "question": "Which is zq1 ?", "gold": ["/docs/1.txt"]}', "utf-8")
    with pytest.raises(UserError, match="too few questions") as caught:
        adapted(open_slanted(8.0), str(file))
    assert "--questions" in caught.value.remedy


def test_another_embedder_s_adaptation_is_told_of_and_answers_are_asked_anew(
    open_slanted: SlantedFolders,
) -> None:
    workspace = open_slanted(8.0)
    kb, catalog = workspace.catalog.kbs.get(KB).id, workspace.catalog
    before = revision(workspace)
    other = RetrieverAdaptation("another", "", 9, 40, 50, 40.0, 60.0, 2.0, 38.0, 10.0, 30.0)
    catalog.adaptations.store(kb, other, np.zeros((SIZE, SIZE), np.float16))
    assert row(workspace)["state"] == "other_model"
    assert revision(workspace) > before
    catalog.kbs.delete(KB)
    assert catalog.adaptations.find(kb) is None
    catalog.adaptations.store(kb, other, None)
    assert catalog.adaptations.find(kb) is None, "of a deleted knowledge base nothing is kept"


def test_the_train_questions_of_a_set_adapt_its_corpus(
    open_slanted: SlantedFolders, tmp_path: Path
) -> None:
    workspace, folder = open_slanted(8.0), tmp_path / "hops"
    folder.mkdir()
    corpus = [
        {"id": f"p{n}", "title": "", "text": f"It tells of ax{n} today."} for n in range(SUBJECTS)
    ]
    asked = [
        {"id": str(n), "question": f"Which is zq{n} ?", "gold": [f"p{n}"]} for n in range(SUBJECTS)
    ]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)), "utf-8")
    with pytest.raises(UserError, match=r"has no train\.jsonl"):
        adapted(workspace, str(folder))
    (folder / "train.jsonl").write_text("\n".join(map(json.dumps, asked)), "utf-8")
    last = adapted(workspace, str(folder))[-1].values
    assert (last["state"], last["source"], last["kb"]) == ("kept", "hops", "corpus")
    assert row(workspace)["state"] == "none", "the user's own is as it was"


def _with_map(matrix: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(matrix.astype("<f2").tobytes()).decode()


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export with an adaptation."""
    folder = tmp_path_factory.mktemp("good")
    with opened(folder / "home") as (workspace, counting):
        indexed(workspace, documents(folder / "docs"))
        kb, size = workspace.catalog.kbs.get(KB).id, counting.dimensions
        told = RetrieverAdaptation(counting.fingerprint, "", 5, 40, 50, 40, 60, 2, 38, 10, 30)
        workspace.catalog.adaptations.store(kb, told, np.full((size, size), 0.5, np.float16))
        exported(workspace, folder / "good.ragkb")
    return folder / "good.ragkb"


def test_an_adaptation_goes_with_an_export(good: Path, tmp_path: Path) -> None:
    with opened(tmp_path / "home") as (workspace, counting):
        imported(workspace, good)
        kb, catalog = workspace.catalog.kbs.get(KB).id, workspace.catalog
        found = catalog.adaptations.query_map(kb, counting.fingerprint)
        assert found is not None
        assert (found == 0.5).all()
        assert row(workspace)["state"] == "kept"
        assert row(workspace)["gain"] == [2, 38]


_WRONG: dict[str, Callable[[Parts], Parts]] = {
    "a map of another size": with_fields(ADAPTATION, query_map=_with_map(np.zeros((3, 3)))),
    "a map that is no number": with_fields(
        ADAPTATION, query_map=_with_map(np.full((384, 384), np.nan))
    ),
    "a map that is none": with_fields(ADAPTATION, query_map="AAAA="),
    "a share over all": with_fields(ADAPTATION, recall_after=101.0),
    "a share that is no number": with_fields(ADAPTATION, recall_after=float("nan")),
    "twice": lambda parts: (
        parts
        | {
            ADAPTATION: parts[ADAPTATION] * 2,
            "manifest.json": parts["manifest.json"].replace(
                b'"adaptation.jsonl": 1', b'"adaptation.jsonl": 2'
            ),
        }
    ),
}


@pytest.mark.parametrize("change", _WRONG.values(), ids=_WRONG.keys())
def test_a_wrong_adaptation_is_refused_before_anything_is_written(
    good: Path, tmp_path: Path, change: Callable[[Parts], Parts]
) -> None:
    with opened(tmp_path / "home") as (workspace, _):
        before = dump(workspace)
        with pytest.raises(UserError, match="damaged"):
            imported(workspace, packed(tmp_path / "bad.ragkb", change(parts_of(good))))
        assert dump(workspace) == before


def test_wide_vectors_are_refused(open_slanted: SlantedFolders, questions: str) -> None:
    workspace = open_slanted(0.0)
    workspace.models.embedder.dimensions = 4096
    with pytest.raises(UserError, match="4096"):
        adapted(workspace, questions)
