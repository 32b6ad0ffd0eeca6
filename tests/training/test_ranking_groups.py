"""The single questions that a question is made of: what they ask, and which passage answers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from training.chains import Neighbourhood
from training.question_sets import Fact, Hop, Passage, Question
from training.ranking_groups import parts

PASSAGES = {
    "1": Passage("1", "Devotion (1929 film)", "Devotion was directed by Guido Brignone."),
    "2": Passage("2", "Guido Brignone", "Guido Brignone was the father of Lilla Brignone."),
}


def asked(**more: Any) -> Question:
    return Question("q", "Who is the child of Devotion's director?", ("Lilla",), ("1", "2"), **more)


def found(question: Question) -> list[tuple[str, str, str]]:
    return list(parts(cast("Neighbourhood", SimpleNamespace(passages=PASSAGES)), [question]))


def test_a_later_part_names_what_the_one_before_found() -> None:
    hops = (
        Hop("Who directed Devotion?", "Guido Brignone", "1"),
        Hop("Who is the child of #1 ?", "Lilla Brignone", "2"),
    )
    assert found(asked(hops=hops)) == [
        ("Who directed Devotion?", "1", "Guido Brignone"),
        ("Who is the child of Guido Brignone ?", "2", "Lilla Brignone"),
    ]


def test_a_fact_is_asked_for_in_the_passage_of_its_subject() -> None:
    facts = (
        Fact("Devotion", "director", "Guido Brignone"),
        Fact("Guido Brignone", "child", "Lilla Brignone"),
        Fact("Somebody else", "child", "Nobody"),
    )
    assert found(asked(facts=facts)) == [
        ("What is the director of Devotion?", "1", "Guido Brignone"),
        ("What is the child of Guido Brignone?", "2", "Lilla Brignone"),
    ]
