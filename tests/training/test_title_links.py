from __future__ import annotations

from training.question_sets import Passage
from training.synthetic_questions import kind_of, made_up
from training.title_links import Titles, bare, linked

FILM = Passage(
    "f", "The Blue Door (film)", "The Blue Door is a 1931 British film directed by Mary Ann Holt."
)
HOLT = Passage(
    "h",
    "Mary Ann Holt",
    "Mary Ann Holt was a British film director. She was born in Leeds in 1899.",
)
SEPTEMBER = Passage("s", "September", "September is a 2007 Australian drama film set in 1968.")
CORPUS = {each.id: each for each in (FILM, HOLT, SEPTEMBER)}


def test_a_title_is_found_without_what_tells_it_from_others() -> None:
    assert bare("The Blue Door (film)") == "The Blue Door"
    found = list(Titles(CORPUS).mentioned("They saw The Blue Door twice."))
    assert [(each.passages, each.start, each.end) for each in found] == [(("f",), 9, 22)]


def test_a_title_of_one_word_is_no_part_of_a_name_or_a_date() -> None:
    titles = Titles(CORPUS)
    assert linked(titles, ["the film September was long"]) == ["s"]
    assert (
        linked(titles, ["on September 4", "Anna September Smith", "It ended. September came"]) == []
    )


def test_a_made_up_question_over_a_link_does_not_name_what_it_asks_of() -> None:
    made = [each for each in made_up(CORPUS, 3, 30) if each.kind == "bridge"]
    assert made
    for each in made:
        assert each.gold == ("f", "h")
        assert "Holt" not in each.text
        assert "The Blue Door" in each.text


def test_the_same_seed_makes_up_the_same_questions() -> None:
    assert made_up(CORPUS, 5, 30) == made_up(CORPUS, 5, 30)


def test_a_passage_says_what_its_subject_is() -> None:
    assert kind_of(FILM) == "1931 British film"
    assert kind_of(Passage("x", "X", "Nothing is said here")) == ""
