from __future__ import annotations

from desktop_rag.evaluation.rgb_benchmark import (
    COUNTERFACTUAL,
    INTEGRATION,
    NOISE,
    REJECTION,
    RgbCase,
    RgbQuestion,
    cases,
    passage_of,
)

LEASE = "The rent is 1,450 francs. It is due on the first day of every month."
FERRY = "The ferry Sula is white from bow to stern."
WHALE = "The whale eats krill in the cold sea."


def known(number: int, answer: str, text: str) -> RgbQuestion:
    return RgbQuestion(
        str(number), f"Question {number}?", (answer,), passage_of(number, "/f.md", text)
    )


def of(ability: str, *questions: RgbQuestion) -> RgbCase:
    return next(each for each in cases(questions) if (each.ability, each.made_of) == (ability, "1"))


def texts(case: RgbCase) -> list[str]:
    return [each.text for each in case.passages]


def test_another_question_s_copy_of_the_passage_is_no_noise() -> None:
    monthly = known(1, "monthly", LEASE)  # which the passage says in other words
    others = known(2, "1,450 francs", LEASE), known(3, "white", FERRY), known(4, "krill", WHALE)
    assert texts(of(REJECTION, monthly, *others)) == [FERRY, WHALE]
    assert texts(of(NOISE, monthly, *others)) == [FERRY, WHALE, LEASE]


def test_a_part_of_the_passage_is_no_noise_either() -> None:
    part, colour = known(2, "first", LEASE[26:]), known(3, "white", FERRY)
    assert texts(of(REJECTION, known(1, "monthly", LEASE), part, colour)) == [FERRY]


def test_no_passage_is_shown_twice() -> None:
    colour, place = known(2, "white", FERRY), known(3, "bow to stern", FERRY)
    whale, rent, paid = known(1, "krill", WHALE), known(4, "1,450", LEASE), known(5, "first", LEASE)
    assert texts(of(REJECTION, whale, colour, place, rent, paid)) == [FERRY, LEASE]
    assert texts(of(INTEGRATION, whale, colour, place, rent)) == [LEASE, WHALE, FERRY]


def test_two_questions_about_one_passage_need_it_once() -> None:
    first, second = known(1, "1,450 francs", LEASE), known(2, "first day", LEASE)
    assert texts(of(INTEGRATION, first, second, known(3, "white", FERRY))) == [FERRY, LEASE]


def test_an_altered_copy_stands_beside_the_passage() -> None:
    case = of(COUNTERFACTUAL, known(1, "white", FERRY), known(2, "krill", WHALE))
    assert texts(case) == [WHALE, FERRY, FERRY.replace("white", "krill")]
