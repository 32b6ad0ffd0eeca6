"""The user's own questions as something to measure by: what of them can still be asked, and where.

Also their form in files: the JSON lines of every question set, whose `gold` names a file, or a
range of its text as RFC 5147 writes one: `/path/report.pdf#char=120,340`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import UserError
from desktop_rag.core.evaluation_records import WHOLE, GoldPassage, SavedQuestion
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import DocumentId, KbId
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.gold_matching import GoldTarget

_RANGE = re.compile(r"#char=([0-9]{1,12}),([0-9]{1,12})$")


@dataclass(frozen=True, slots=True)
class MeasurableQuestions:
    """The questions that can be asked, and what has to be said of the others."""

    items: tuple[EvalQuestion, ...]
    targets: Mapping[str, tuple[GoldTarget, ...]]
    bases: Mapping[str, tuple[KbId, ...]]
    names: Mapping[str, tuple[str, ...]]
    notices: tuple[str, ...]


def measurable(
    catalog: Catalog, questions: Sequence[SavedQuestion], kbs: Sequence[str] = ()
) -> MeasurableQuestions:
    """Return a set as it can be measured today; `kbs` are asked instead of the questions' own.

    A question is left out whose knowledge base or document is gone: its figure would say nothing
    of how well is searched.
    """
    known = catalog.kbs.names()
    items: list[EvalQuestion] = []
    targets: dict[str, tuple[GoldTarget, ...]] = {}
    bases: dict[str, tuple[KbId, ...]] = {}
    names: dict[str, tuple[str, ...]] = {}
    for each in questions:
        named = tuple(kbs) or each.kbs
        found = tuple(known[name] for name in named if name in known)
        aims = tuple(_target(catalog, passage, found) for passage in each.passages)
        if not found or not all(aim.documents for aim in aims):
            continue
        item = EvalQuestion(
            str(each.id), each.question, each.answers, frozenset(aim.id for aim in aims)
        )
        items.append(item)
        targets[item.id], bases[item.id] = aims, found
        names[item.id] = tuple(name for name in named if name in known)
    loose = sum(any(aim.is_loose for aim in aims) for aims in targets.values())
    return MeasurableQuestions(
        tuple(items), targets, bases, names, tuple(_notices(len(questions) - len(items), loose))
    )


def gold_of(
    catalog: Catalog, document: DocumentId, path: str, span: tuple[int, int]
) -> GoldPassage:
    """Return a passage of an indexed document as a set keeps it."""
    return GoldPassage(path, catalog.questions.content_of(document), *span)


def text_of(catalog: Catalog, passage: GoldPassage, kbs: Sequence[KbId]) -> str:
    """Return what a passage says, "" where its document is gone or another one by now."""
    same, _ = catalog.questions.located(passage, kbs)
    if not same or passage.stop == WHOLE:
        return ""
    return catalog.documents.text(same[0], passage.start, passage.stop)


def lines_of(questions: Sequence[SavedQuestion]) -> Iterator[str]:
    """Yield a set as JSON lines."""
    for each in questions:
        yield json.dumps(row_of(each), ensure_ascii=False)


def row_of(question: SavedQuestion) -> dict[str, Any]:
    """Return a question as files have it; `kbs` stands beside the fields of the form."""
    return {
        "id": str(question.id),
        "question": question.question,
        "answers": list(question.answers),
        "gold": [gold_name(passage) for passage in question.passages],
        "kbs": list(question.kbs),
    }


def gold_name(passage: GoldPassage) -> str:
    """Return a passage's name in a file."""
    if passage.stop == WHOLE:
        return passage.path
    return f"{passage.path}#char={passage.start},{passage.stop}"


def imported(
    catalog: Catalog, items: Sequence[EvalQuestion], kbs: Sequence[str]
) -> list[SavedQuestion]:
    """Return a file's questions as a set keeps them.

    A gold path that a knowledge base does not have is taken for the one file of that name; a
    `UserError` where there is none, or more than one.
    """
    bases = [catalog.kbs.get(name).id for name in kbs]
    files = {row.path: row.document_id for kb in bases for row in catalog.files.under(kb)}
    by_name: dict[str, list[str]] = {}
    for path in files:
        by_name.setdefault(PurePath(path).name, []).append(path)
    made = []
    for item in items:
        golds = [_read(gold) for gold in sorted(item.gold)]
        placed = [replace(gold, path=_file(gold.path, files, by_name)) for gold in golds]
        passages = tuple(_with_content(catalog, gold, files[gold.path]) for gold in placed)
        made.append(SavedQuestion(0, item.question, item.answers, passages, tuple(kbs)))
    return made


def _target(catalog: Catalog, passage: GoldPassage, kbs: Sequence[KbId]) -> GoldTarget:
    same, now = catalog.questions.located(passage, kbs)
    if same:
        return GoldTarget(gold_name(passage), frozenset(same), passage.start, passage.stop)
    is_loose = bool(passage.content_hash) and passage.stop != WHOLE
    return GoldTarget(gold_name(passage), frozenset(now), passage.start, passage.stop, is_loose)


def _notices(left_out: int, loose: int) -> Iterator[str]:
    if left_out:
        yield (
            Phrase(
                "Questions left out: {0}. Their documents or their knowledge bases are "
                "no longer there.",
                left_out,
            )
        )
    if loose:
        yield (
            Phrase(
                "Questions whose documents have changed since: {0}. Any passage of such "
                "a document counts as found.",
                loose,
            )
        )


def _read(gold: str) -> GoldPassage:
    found = _RANGE.search(gold)
    if found is None:
        return GoldPassage(gold)
    return GoldPassage(gold[: found.start()], "", int(found[1]), int(found[2]))


def _file(path: str, files: Mapping[str, object], by_name: Mapping[str, Sequence[str]]) -> str:
    if path in files:
        return path
    alike = by_name.get(PurePath(path).name, ())
    if len(alike) == 1:
        return alike[0]
    raise UserError(
        Phrase("No document of the knowledge base can be told to be {0}.", path),
        "Add it to the knowledge base, or name another knowledge base with --kb.",
    )


def _with_content(catalog: Catalog, gold: GoldPassage, document: DocumentId | None) -> GoldPassage:
    if document is None or gold.stop == WHOLE:
        return gold
    return replace(gold, content_hash=catalog.questions.content_of(document))
