"""Documents of several subjects, and runs that prepare them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import DerivedText, Preparation
from desktop_rag.core.types import ChunkId, DerivedId, DocumentId
from desktop_rag.indexing.run_coordinator import RunCoordinator
from desktop_rag.preparation.base import PreparationTools
from desktop_rag.preparation.preparation_run import PreparationProgress, PreparationRun
from desktop_rag.strategies.model_calls import ModelTools
from testing.indexed_texts import IndexedTexts

Places = tuple[int, ...]
WAY = "raptor"
_SUBJECTS = {
    "tides": "The tide in the harbour {0} rose by {1} metres after the full moon of the month.",
    "bread": "The bakery {0} lets its sourdough rest for {1} hours before the oven is heated.",
    "courts": "The court {0} dismissed the appeal of {1} tenants against their landlord's notice.",
    "engines": "The engine {0} burns {1} litres of diesel an hour while its turbine is cold.",
    "birds": "The heron colony {0} raised {1} chicks in the reeds along the northern lake.",
    "taxes": "The tax office {0} refunds {1} percent of the levy to households with children.",
}
_PLACES = ("Aarhus", "Bogotá", "Cairo", "Dakar", "Edinburgh", "Fukuoka", "Genoa", "Hanoi")
_CHINESE = {
    "茶": "茶园{0}在清明前采摘了{1}公斤嫩叶，炒青之后装入瓷罐保存。",
    "桥": "第{0}号大桥的主跨长{1}米，桥墩建在江心的岩石上。",
    "医": "医院{0}今年接种了{1}名儿童，疫苗由疾控中心统一发放。",
}


def pages(count: int, *, chinese: bool = False) -> list[str]:
    """Return so many paragraphs, each of one subject in turn, no two alike."""
    subjects = list((_CHINESE if chinese else _SUBJECTS).values())
    made = []
    for n in range(count):
        subject, place = subjects[n % len(subjects)], _PLACES[n // len(subjects) % len(_PLACES)]
        told = (subject.format(f"{place} {n}-{m}", 3 + 7 * n + m) for m in range(4))
        made.append("\n".join(told))
    return made


@dataclass(frozen=True, slots=True)
class PreparedBase:
    """A knowledge base that is asked to be prepared with trees."""

    library: IndexedTexts
    calls: ModelTools | None = None
    model: str = ""

    def run(self) -> PreparationRun:
        catalog, kb = self.library.catalog, self.library.kb
        catalog.preparations.request(kb, WAY, self.model)
        tools = PreparationTools(self.library.embedder, self.calls, CancelToken())
        return PreparationRun(Preparation(kb, WAY, self.model), catalog, tools, RunCoordinator())

    def prepare(self) -> list[PreparationProgress]:
        return list(self.run().run())

    def batches(self, count: int) -> list[PreparationProgress]:
        """Store so many batches, as a run does that is killed then."""
        steps = self.run().run()
        return [each for _, each in zip(range(count), steps, strict=False)]

    def tree(self, document: DocumentId) -> list[DerivedText]:
        return self.library.catalog.preparations.texts_of(document, WAY)

    def shape(self, document: DocumentId) -> list[tuple[int, str, Places, Places]]:
        """Return a tree without the numbers that the catalog gave."""
        first = min(each.chunk_id for each in self.library.catalog.documents.chunks(document))
        texts = self.tree(document)
        places = {each.derived_id: at for at, each in enumerate(texts)}
        return [
            (
                each.level,
                each.text,
                tuple(source - first for source in each.sources),
                tuple(places[child] for child in each.children),
            )
            for each in texts
        ]


def parents(tree: list[DerivedText]) -> dict[DerivedId, list[DerivedText]]:
    """Return the summaries that each summary is part of."""
    found: dict[DerivedId, list[DerivedText]] = {each.derived_id: [] for each in tree}
    for each in tree:
        for child in each.children:
            found[child].append(each)
    return found


def roots(tree: list[DerivedText]) -> Iterator[DerivedText]:
    """Yield what is part of no other summary."""
    above = parents(tree)
    yield from (each for each in tree if not above[each.derived_id])


def covered(texts: list[DerivedText]) -> set[ChunkId]:
    return {source for each in texts for source in each.sources}
