"""What a screen reader is told while an answer is made."""

from __future__ import annotations

import pytest

from desktop_rag.core.events import Token
from desktop_rag.gui.chat.transcript_announcer import summary
from desktop_rag.gui.controllers.transcript import Failed, Stopped, Transcript, fold, fold_all
from desktop_rag.gui.main_window import MainWindow
from testing.sample_answers import answer
from tests.gui.test_main_window import window

__all__ = ["window"]


def begun() -> Transcript:
    return Transcript().begun("Why?", "single_pass")


def test_an_answer_is_announced_when_it_begins_and_when_it_is_there_not_for_every_word(
    window: MainWindow,
) -> None:
    said: list[str] = []
    window.chat.view.speaker.said.connect(said.append)
    shown = begun()
    window.context.chat.show(shown)
    for word in ("Fuel ", "fell ", "by ", "half."):
        shown = fold(shown, Token(word))
        window.context.chat.show(shown)
    window.context.chat.show(fold(shown, answer("Fuel fell by half [1].", 1)))
    assert said == [
        "Searching your documents…",
        "The answer is there. Written by the language model. Fuel fell by half [1].",
    ]


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (begun().ended(Failed("No disk.", "Make room.")), "No answer. No disk."),
        (fold(begun(), Token("Fuel fe")).ended(Stopped()), "Stopped. Fuel fe"),
        (fold(begun(), answer("Nothing.", mode="refused")), "Not found in your documents."),
    ],
)
def test_what_became_of_it_is_said_first(shown: Transcript, said: str) -> None:
    assert summary(shown.turns[-1]) == said


def test_of_a_long_answer_the_beginning_is_said() -> None:
    shown = fold_all(begun(), [answer("word " * 500, 1)])
    assert len(summary(shown.turns[-1])) < 500
