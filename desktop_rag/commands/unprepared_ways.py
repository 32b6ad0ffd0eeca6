"""Which ways can be measured as themselves: one whose documents are not prepared is a single pass.

Its figures under another name would mislead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_rag.core.errors import UserError
from desktop_rag.core.evaluation_records import QUOTES
from desktop_rag.core.events import Notice, NoticeCode
from desktop_rag.core.phrases import KbName, Phrase
from desktop_rag.evaluation.retrieval_methods import BM25, DENSE
from desktop_rag.strategies import presets
from desktop_rag.strategies.base import Strategy
from desktop_rag.workspace import Workspace

NOT_MEASURED = NoticeCode.NOT_MEASURED
"""The code of a notice that names a way and, where one is to be prepared, a knowledge base."""


def prepared_ways(
    workspace: Workspace, names: Sequence[str], kbs: Sequence[str]
) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
    """Return those of some ways that can be measured in knowledge bases, and what is to be told.

    Without `kbs` it is a corpus in a file, or the built-in one, which nothing is prepared for. A
    `UserError` where none of the ways is left.
    """
    left, told = [], []
    for name in names:
        notice = next(_notices(workspace, name, kbs), None)
        if notice is not None:
            told.append(notice)
        if notice is None or notice.says(NoticeCode.PARTLY_PREPARED):
            left.append(name)
    if names and not left:
        raise UserError(told[0].text, "Prepare it, or choose other ways.")
    return tuple(left), tuple(told)


def _notices(workspace: Workspace, name: str, kbs: Sequence[str]) -> Iterator[Notice]:
    """Yield what is to be told of a way: nothing, where it is prepared or need not be."""
    for strategy in _strategies(name):
        if "prepared" not in strategy.needs:
            continue
        if not kbs:
            yield Notice(_of_corpus(strategy))
            return
        for kb in kbs:
            catalog = workspace.catalog
            done, total = catalog.preparations.coverage([catalog.kbs.get(kb).id], strategy.name)
            if not done:
                yield Notice(_of_base(strategy, kb))
            elif done < total:
                yield Notice(_of_some(strategy, kb, done, total))


def _strategies(name: str) -> tuple[Strategy, ...]:
    if name in (BM25, DENSE, QUOTES):
        return ()
    way = presets.compose(name)
    return (way.strategy,) if way.several is None else (way.strategy, way.several)


def _of_corpus(strategy: Strategy) -> str:
    return Phrase(
        "“{0}” is not measured: these documents are not prepared. Add documents to a knowledge "
        "base, prepare that, and measure on questions of your own.",
        strategy.title,
        code=NOT_MEASURED,
    )


def _of_base(strategy: Strategy, kb: str) -> str:
    return Phrase(
        "“{0}” is not measured: nothing is prepared for it in “{1}”.",
        strategy.title,
        KbName(kb),
        code=NOT_MEASURED,
    )


def _of_some(strategy: Strategy, kb: str, done: int, total: int) -> str:
    return Phrase(
        "Only {0} of {1} documents of “{2}” are prepared for “{3}”: its figures are lower than "
        "they may be.",
        f"{done:,}",
        f"{total:,}",
        KbName(kb),
        strategy.title,
        code=NoticeCode.PARTLY_PREPARED,
    )
