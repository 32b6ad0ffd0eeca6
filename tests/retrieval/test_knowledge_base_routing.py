from __future__ import annotations

import time
from collections.abc import Mapping

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.document_metadata import DocumentMetadata
from desktop_rag.core.errors import Cancelled, StoreDamaged
from desktop_rag.core.routing_signals import NamedBy
from desktop_rag.core.types import BlockKind, KbId, LocatorKind
from desktop_rag.index.knowledge_base_index import KnowledgeBaseIndex
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.retrieval.knowledge_base_routing import (
    MEASURED,
    Routing,
    RoutingSignals,
    RoutingWeights,
    close_bases,
    ranked_by,
)
from testing.indexed_texts import IndexedTexts

ANIMALS = "The blue whale is the largest animal that has ever lived. It feeds on krill."
LEASE = "The tenant pays the rent by the third working day of each month."
PARK = "浙江九龙山国家级自然保护区缓冲区面积为1630公顷，位于平湖市。"


@pytest.fixture
def bases(library: IndexedTexts) -> dict[str, KbId]:
    kbs = {name: library.catalog.kbs.create(name).id for name in ("Animals", "Contracts", "Parks")}
    library.put("/home/me/animals/whales.txt", ANIMALS, kb=kbs["Animals"])
    library.put("/home/me/leases/Hauptstrasse 12.txt", LEASE, kb=kbs["Contracts"])
    library.put("/home/me/parks/保护区.md", PARK, kb=kbs["Parks"])
    return kbs


def route(library: IndexedTexts, bases: Mapping[str, KbId], question: str) -> Routing:
    return library.retriever().router.ranked(question, bases, CancelToken())


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which animal is the biggest on earth?", "Animals"),
        ("When do I have to pay for the flat?", "Contracts"),
        ("九龙山自然保护区的缓冲区面积是多少？", "Parks"),
        ("山里那片受国家照看的林地有多大？", "Parks"),
    ],
)
def test_a_question_comes_to_the_base_that_answers_it(
    library: IndexedTexts, bases: dict[str, KbId], question: str, name: str
) -> None:
    routing = route(library, bases, question)
    assert routing.ranked[0].kb == bases[name]
    assert {each.kb for each in routing.ranked} == set(bases.values())
    assert routing.failed == ()


def test_names_of_bases_files_and_folders_count(
    library: IndexedTexts, bases: dict[str, KbId]
) -> None:
    for question, by in (
        ("What do the contracts say?", NamedBy.BASE),
        ("What is agreed on Hauptstrasse?", NamedBy.FILE),
        ("Which leases end soon?", NamedBy.FILE),
    ):
        best = route(library, bases, question).ranked[0]
        assert best.kb == bases["Contracts"], question
        assert by in {each.by for each in best.signs.named}, question


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which LEASES on Hauptstrasse 12 end?", "LEASES Hauptstrasse 12"),
        ("这份保护区的文件说什么？", "保护区"),
    ],
)
def test_what_is_named_is_told_as_it_was_written(
    library: IndexedTexts, bases: dict[str, KbId], question: str, said: str
) -> None:
    named = [
        each.text
        for base in route(library, bases, question).ranked
        for each in base.signs.named
        if each.by is NamedBy.FILE
    ]
    assert named == [said]


def test_a_word_that_all_bases_are_named_by_tells_nothing(
    library: IndexedTexts, bases: dict[str, KbId]
) -> None:
    library.put("/home/me/animals/report.txt", "Krill is small.", kb=bases["Animals"])
    library.put("/home/me/leases/report.txt", "Rent is due.", kb=bases["Contracts"])
    library.put("/home/me/parks/report.txt", "Parks are green.", kb=bases["Parks"])
    ranked = route(library, bases, "Where is the report?").ranked
    shares = [named.share for each in ranked for named in each.signs.named]
    assert max(shares, default=0.0) < 0.15


def test_people_years_and_languages_that_documents_tell_count(
    library: IndexedTexts, bases: dict[str, KbId]
) -> None:
    created = time.mktime((1998, 6, 1, 12, 0, 0, 0, 0, -1))
    told = DocumentMetadata(authors=("Irène Curie",), created=created, language="fr")
    block = Block(BlockKind.TEXT, "Radium glows.", BlockLocator(LocatorKind.PAGE, 1))
    library.put_parsed(
        "/home/me/other/a.txt", ParsedDocument("", (block,), metadata=told), kb=bases["Parks"]
    )
    for question, by in (
        ("What did Curie write?", NamedBy.PERSON),
        ("What was new in 1998?", NamedBy.YEAR),
        ("Which papers are in French?", NamedBy.LANGUAGE),
    ):
        signs = {each.kb: each.signs for each in route(library, bases, question).ranked}
        assert by in {each.by for each in signs[bases["Parks"]].named}, question
        assert by not in {each.by for each in signs[bases["Contracts"]].named}, question


def test_a_pattern_in_a_question_is_plain_text(
    library: IndexedTexts, bases: dict[str, KbId]
) -> None:
    ranked = route(library, bases, "100%_of \\ everything %%%%").ranked
    assert all(not each.signs.named for each in ranked)


def test_how_to_answer_is_no_part_of_what_is_looked_for(
    library: IndexedTexts, bases: dict[str, KbId]
) -> None:
    plain = "Which animal feeds on krill?"
    told = f"{plain} If it is not in the contracts, return N/A."
    assert route(library, bases, plain) == route(library, bases, told)


def test_a_base_that_cannot_be_searched_is_told_and_the_others_are_ranked(
    library: IndexedTexts, bases: dict[str, KbId], monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = library.indexes.of(bases["Contracts"])
    plain = KnowledgeBaseIndex.lexical

    def lexical(self: KnowledgeBaseIndex, *given: object) -> object:
        if self is lost:
            raise StoreDamaged("It is damaged.", "Rebuild it.")
        return plain(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(KnowledgeBaseIndex, "lexical", lexical)
    routing = route(library, bases, "When is the rent paid?")
    assert [kb for kb, _ in routing.failed] == [bases["Contracts"]]
    assert {each.kb for each in routing.ranked} == {bases["Animals"], bases["Parks"]}


def test_a_stop_ends_it(library: IndexedTexts, bases: dict[str, KbId]) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        library.retriever().router.ranked("krill", bases, token)


def test_ranks_decide_where_vectors_are_of_several_models() -> None:
    """A cosine of 0.9 of one model is not more than 0.5 of another that gives no more."""
    weights = RoutingWeights(meaning=4.0, words=1.0)
    first, second, third = KbId(1), KbId(2), KbId(3)
    signs = {
        first: RoutingSignals(0.90, 0.1, model="a"),
        second: RoutingSignals(0.89, 0.2, model="a"),
        third: RoutingSignals(0.50, 0.9, model="b"),
    }
    assert ranked_by(signs, weights)[0].kb == third
    same = {kb: RoutingSignals(each.meaning, each.words, model="a") for kb, each in signs.items()}
    assert ranked_by(same, weights)[0].kb == second


def test_a_base_whose_model_does_not_read_the_question_counts_as_the_least_near() -> None:
    signs = {
        KbId(1): RoutingSignals(0.8, 0.5, model="a"),
        KbId(2): RoutingSignals(0.7, 0.5, model="a"),
        KbId(3): RoutingSignals(None, 0.5),
    }
    assert [each.kb for each in ranked_by(signs, MEASURED)] == [KbId(1), KbId(2), KbId(3)]


def test_two_that_are_close_are_both_meant() -> None:
    near = {KbId(n): RoutingSignals(0.8, 0.5, model="a") for n in (1, 2, 3)}
    assert len(close_bases(ranked_by(near, MEASURED))) == 2
    far = {
        KbId(1): RoutingSignals(0.9, 0.9, model="a"),
        KbId(2): RoutingSignals(0.7, 0.1, model="a"),
    }
    assert [each.kb for each in close_bases(ranked_by(far, MEASURED))] == [KbId(1)]
