"""Passages that answer stand beside those that are like the question (METRAG)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import KbId
from desktop_rag.models.pair_reader import PairReader, PairReading
from desktop_rag.models.protocols import LanguageSupport
from desktop_rag.retrieval.query import Query
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.strategies.single_pass import SinglePass
from desktop_rag.strategies.transforms.passage_utility import Utility
from testing.fake_retriever import FakeRetriever
from tests.strategies.conftest import Begin
from tests.strategies.transforms.transform_setup import (
    FEES,
    LEASE,
    OWNER,
    QUESTION,
    TEXTS,
    found,
    passed,
    searched,
    steps,
    told,
)

ZH_QUESTION = "安娜出租的房子租金是多少？"


class SureReader:
    """Finds an answer in texts that hold a word, as surely as is said; in others none."""

    def __init__(self, **margins: float) -> None:
        self.margins = margins

    def trust(self, text: str) -> LanguageSupport:
        """Read English alone."""
        return LanguageSupport.GOOD if text.isascii() else LanguageSupport.NONE

    def read(
        self,
        query: str,  # noqa: ARG002
        texts: Sequence[str],
        token: CancelToken | None = None,  # noqa: ARG002
    ) -> list[PairReading]:
        """Return readings of which only the answer means anything."""
        return [self._reading(text) for text in texts]

    def _reading(self, text: str) -> PairReading:
        margin = next((sure for word, sure in self.margins.items() if word in text), -5.0)
        marks = np.zeros((4, 4), np.float32)
        marks[3, 0] = margin  # [CLS], the query's only token, [SEP], the text's only token
        return PairReading(0.0, marks, np.zeros(4, np.float32), ((0, 1),), ((0, len(text)),))


def with_reader(research: ResearchTools, **margins: float) -> ResearchTools:
    reader = cast("PairReader", SureReader(**margins))
    return replace(research, engine=replace(research.engine, readers=(reader,)))


@pytest.fixture
def likest() -> list[str]:
    """All texts, those first that are most like the question."""
    shelf = FakeRetriever(*TEXTS).search(Query(QUESTION, (KbId(1),), 5))
    return [each.text for each in shelf.passages]


def test_what_answers_surely_takes_the_last_places(begin: Begin, likest: list[str]) -> None:
    research = with_reader(begin(FakeRetriever(*TEXTS), QUESTION, model=False), tower=3.0)
    events, outcome = passed(Utility(), research)
    assert [each.text for each in outcome.sources] == [*likest[:2], likest[4]]
    assert found(events)[-1] == [*likest[:2], likest[4]]
    assert searched(events) == [QUESTION], "one search is enough"
    assert steps(events) == [("utility", "1 of 3 passages answer best.")]


def test_what_is_both_alike_and_useful_takes_no_place_from_others(
    begin: Begin, likest: list[str]
) -> None:
    tools = begin(FakeRetriever(*TEXTS), QUESTION, model=False)
    research = with_reader(tools, Berg=9.0, tower=3.0)
    _, outcome = passed(Utility(), research)
    assert [each.text for each in outcome.sources] == [*likest[:2], likest[4]]
    _, one = passed(Utility(useful=1), research)
    assert [each.text for each in one.sources] == likest[:3], "the most useful one is there"


def test_an_answer_that_is_not_sure_enough_changes_nothing(begin: Begin, likest: list[str]) -> None:
    research = with_reader(begin(FakeRetriever(*TEXTS), QUESTION, model=False), tower=3.0)
    events, outcome = passed(Utility(margin=4.0), research)
    assert [each.text for each in outcome.sources] == likest[:3]
    assert steps(events) == []


def test_a_single_passage_stays_the_one_that_is_most_like_the_question(
    begin: Begin, likest: list[str]
) -> None:
    research = with_reader(begin(FakeRetriever(*TEXTS), QUESTION, model=False), tower=3.0)
    _, outcome = passed(Utility(), research, SinglePass(k=1))
    assert [each.text for each in outcome.sources] == likest[:1]


def test_a_chinese_question_is_searched_as_it_is_and_that_is_said(begin: Begin) -> None:
    texts = ("房子的租金是每月一千四百五十法郎。", "安娜把房子租给了奥托。", "茶叶产于山区。")
    research = with_reader(begin(FakeRetriever(*texts), ZH_QUESTION, model=False))
    events, outcome = passed(Utility(), research)
    assert len(told(events)) == 1
    assert told(events)[0].startswith(Utility.title)
    assert outcome.sources
    assert {LEASE, OWNER, FEES}.isdisjoint({each.text for each in outcome.sources})
