"""Statements a support check learns from: the right ones stand in the passage, the wrong don't."""

from __future__ import annotations

import random

from training.examples import spans_of
from training.question_sets import Fact, Passage, Question
from training.statements import Sentences, of_facts

FILM = Passage(
    "1",
    "Devotion (1929 film)",
    "Devotion is a 1929 Italian film directed by Guido Brignone. It was shown in Turin in 1931.",
)
SHIP = Passage("2", "Sula", "Sula is a ferry built in Bergen in 1998 for the Norwegian Coast Line.")


def test_what_holds_is_read_where_it_stands_and_what_does_not_is_nowhere() -> None:
    dice, told = random.Random(3), Sentences([FILM, SHIP])
    made = [told.one(dice) for _ in range(40)]
    assert {each.holds for each in made} == {True, False}
    for each in made:
        assert each.part in each.text
        assert bool(spans_of([each.part], each.passage)) == each.holds
        assert bool(each.lesson.answers) == each.holds


def test_a_fact_is_said_rightly_and_with_the_object_of_another() -> None:
    asked = [
        Question("a", "?", ("x",), ("1",), facts=(Fact("Devotion", "director", "Guido Brignone"),)),
        Question("b", "?", ("x",), ("2",), facts=(Fact("Sula", "director", "Nobody Else"),)),
    ]
    made = of_facts(asked, {"1": FILM, "2": SHIP})
    assert [(each.text, each.holds) for each in made] == [
        ("The director of Devotion is Guido Brignone.", True),
        ("The director of Devotion is Nobody Else.", False),
    ]
