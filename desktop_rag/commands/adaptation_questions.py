"""The questions that a retriever is adapted with: proposed from documents, a file's, or a set's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path, PurePath

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import AdaptRequest
from desktop_rag.core.types import DocumentId, KbId
from desktop_rag.evaluation import question_proposal, saved_question_set
from desktop_rag.evaluation.corpus_index import (
    KB,
    CorpusIndex,
    open_corpus_index,
    workspace_over,
)
from desktop_rag.evaluation.datasets import (
    CorpusPassage,
    EvalQuestion,
    checksum,
    read_corpus,
    read_questions,
)
from desktop_rag.evaluation.gold_matching import (
    CorpusScope,
    EvaluationScope,
    GoldTarget,
    LibraryScope,
)
from desktop_rag.evaluation.question_proposal import Proposal
from desktop_rag.workspace import Workspace

_ENDINGS = (".jsonl", ".jsonl.gz")
_CHOICE = 10  # proposals for each that is taken, so that no long document has them all


@dataclass(frozen=True, slots=True)
class AdaptedBase:
    """A knowledge base to be adapted, and the workspace that sees it among its own.

    Of a question set with a corpus it is that corpus: what `unfilled` has is indexed first.
    """

    workspace: Workspace
    kb: KnowledgeBase
    collection: CorpusIndex | None = None
    unfilled: tuple[CorpusPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class AdaptationQuestions:
    """Questions with their gold, the names of their documents by their ids, and where they are.

    `source` is empty where they were proposed.
    """

    items: tuple[EvalQuestion, ...]
    documents: Mapping[str, frozenset[str]]
    scope: EvaluationScope
    source: str = ""


@contextmanager
def opened_base(workspace: Workspace, request: AdaptRequest) -> Iterator[AdaptedBase]:
    """Open the knowledge base of a request: the user's own, or a question set's corpus."""
    folder = Path(request.questions)
    if not (request.questions and folder.is_dir()):
        yield AdaptedBase(workspace, workspace.catalog.kbs.get(request.kb))
        return
    file = _member(folder, "corpus")
    embedder, settings = workspace.models.embedder, workspace.settings
    with open_corpus_index(workspace.data_dir, checksum(file), embedder, settings) as collection:
        kb = collection.catalog.kbs.ensure(KB)
        seen = workspace_over(workspace, collection)
        corpus = tuple(read_corpus(file)) if request.action == "adapt" else ()
        yield AdaptedBase(seen, kb, collection, corpus)


def questions_of(
    base: AdaptedBase, request: AdaptRequest, token: CancelToken
) -> AdaptationQuestions:
    """Return the questions of a request; a `UserError` where there are none."""
    if base.collection is not None:
        return _of_set(base.collection, Path(request.questions))
    if request.questions:
        return _of_file(base.workspace, base.kb, Path(request.questions))
    return _proposed(base.workspace, base.kb, request.count, token)


def _member(folder: Path, name: str) -> Path:
    """Return a file of a question set's folder."""
    files = [folder / f"{name}{ending}" for ending in _ENDINGS]
    found = next((each for each in files if each.is_file()), None)
    if found is None:
        raise UserError(
            Phrase("The folder {0} has no {1}.", folder, f"{name}.jsonl"),
            "A question set is a folder with corpus.jsonl and train.jsonl, gzipped or not.",
        )
    return found


def _of_set(collection: CorpusIndex, folder: Path) -> AdaptationQuestions:
    """Return what a set has to train on. Gold passages are documents of its corpus."""
    items = tuple(each for each in read_questions(_member(folder, "train")) if each.gold)
    documents = {each.id: each.gold for each in items}
    return AdaptationQuestions(items, documents, CorpusScope(collection), folder.name)


def _of_file(workspace: Workspace, kb: KnowledgeBase, file: Path) -> AdaptationQuestions:
    """Return a file's questions on documents of a knowledge base."""
    catalog = workspace.catalog
    named = saved_question_set.imported(catalog, read_questions(file), (kb.name,))
    numbered = [replace(each, id=number) for number, each in enumerate(named, 1)]
    found = saved_question_set.measurable(catalog, numbered)
    items = tuple(each for each in found.items if each.gold)
    targets = {each.id: found.targets[each.id] for each in items}
    return _on_documents(workspace, items, targets, kb.id, file.name)


def _proposed(
    workspace: Workspace, kb: KnowledgeBase, count: int, token: CancelToken
) -> AdaptationQuestions:
    """Propose questions by rules, up to so many, each once; every document has its turn."""
    found: dict[str, Proposal] = {}
    for proposal in _proposals(workspace, kb, token):
        found.setdefault(proposal.question.casefold(), proposal)
        if len(found) == _CHOICE * count:
            break
    turns: Counter[DocumentId] = Counter()
    ranked: list[tuple[int, Proposal]] = []
    for proposal in found.values():
        turns[proposal.document] += 1
        ranked.append((turns[proposal.document], proposal))
    ranked.sort(key=itemgetter(0))
    items, targets = [], {}
    for number, (_, each) in enumerate(ranked[:count]):
        name = str(number)
        items.append(EvalQuestion(name, each.question, (), frozenset((name,))))
        targets[name] = (GoldTarget(name, frozenset((each.document,)), *each.span),)
    return _on_documents(workspace, tuple(items), targets, kb.id, "")


def _proposals(workspace: Workspace, kb: KnowledgeBase, token: CancelToken) -> Iterator[Proposal]:
    catalog = workspace.catalog
    for sample in question_proposal.sampled(catalog, catalog.documents.chunk_ids(kb.id)):
        token.check()
        paths = catalog.documents.paths([sample.chunk.document_id], (kb.id,))
        stem = PurePath(next(iter(paths.get(sample.chunk.document_id, ("",))))).stem
        proposal = question_proposal.propose_by_rules(sample, stem)
        if proposal is not None:
            yield proposal


def _on_documents(
    workspace: Workspace,
    items: tuple[EvalQuestion, ...],
    targets: Mapping[str, tuple[GoldTarget, ...]],
    kb: KbId,
    source: str,
) -> AdaptationQuestions:
    catalog, bases = workspace.catalog, {each.id: (kb,) for each in items}
    embedder = workspace.models.embedder
    scope = LibraryScope(catalog, workspace.indexes, embedder, targets, bases)
    documents = {name: _contents(catalog, aims) for name, aims in targets.items()}
    return AdaptationQuestions(items, documents, scope, source)


def _contents(catalog: Catalog, aims: tuple[GoldTarget, ...]) -> frozenset[str]:
    """Return the names of the contents that a question's gold is in."""
    return frozenset(
        catalog.questions.content_of(document) for aim in aims for document in aim.documents
    )
