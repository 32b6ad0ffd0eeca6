"""The rest of an answer is joined to it: nothing is doubled, and nothing is lost."""

from __future__ import annotations

import pytest

from desktop_rag.generation.answer_continuation import AnswerContinuation


def whole(text: str, *pieces: str) -> str:
    rest = AnswerContinuation(text)
    new = "".join([*map(rest.feed, pieces), rest.end()])
    return f"{rest.kept}{new}" if new else text


@pytest.mark.parametrize(
    ("text", "rest", "joined"),
    [
        # The cut word is written anew, wherever it was cut.
        ("It was run by the Depar", " Department of Ports.", "by the Department of Ports."),
        ("It was run by the Depar", "Department of Ports.", "by the Department of Ports."),
        ("It was run by the Depar", " Office of Ports.", "It was run by the Office of Ports."),
        ("It costs 3", " 3.5 million.", "It costs 3.5 million."),
        ("It costs 3.", " 3.5 million.", "It costs 3.5 million."),
        ("It has nine seats [1", " [1].", "It has nine seats [1]."),
        # Behind a whole sentence a space comes, where the script has one.
        ("It has nine seats [1].", "Tea grows.", "nine seats [1]. Tea grows."),
        ("It has nine seats.", " [1] Tea grows.", "It has nine seats. [1] Tea grows."),
        ("It has nine seats.", "\n\n- Tea grows.", "It has nine seats.\n\n- Tea grows."),
        ("法院有九名大法官。", "茶长在山上。", "法院有九名大法官。茶长在山上。"),
        ("法院有九名", "大法官。", "法院有九名大法官。"),
        # The paragraph in which the cut word began is kept.
        ("One.\n\nSecon", "Second.", "One.\n\nSecond."),
        ("- one\n- tw", "two\n- three", "- one\n- two\n- three"),
        # What a model repeats of the end is taken off.
        ("The court sits in the old ha", "in the old hall.", "The court sits in the old hall."),
        (
            "The court has nine justices [1].",
            "The court has nine justices [1]. Tea grows.",
            "The court has nine justices [1]. Tea grows.",
        ),
        ("法院有九名大法官", "有九名大法官，在隆德。", "法院有九名大法官，在隆德。"),
        # What only looks like a repetition stays.
        ("He saw that ha", " had happened.", "He saw that had happened."),
        ("They sat by the cat", " by the cattle grid.", "They sat by the cattle grid."),
        ("It was very ve", " very good.", "It was very very good."),
    ],
)
def test_the_rest_is_joined(text: str, rest: str, joined: str) -> None:
    for pieces in ([rest], list(rest)):  # as it comes at once, and letter by letter
        assert whole(text, *pieces).endswith(joined)


def test_without_a_rest_the_answer_stays_with_its_half_word() -> None:
    assert whole("It was run by the Depar") == "It was run by the Depar"
    assert whole("It was run by the Depar", " ", "\n") == "It was run by the Depar"
    assert whole("Depar", "tment") == "Department", "of one word alone nothing is taken away"


def test_a_rest_that_only_repeats_adds_nothing() -> None:
    text = "The court has nine justices [1]."
    assert whole(text, "The court has ", "nine justices [1].") == text
