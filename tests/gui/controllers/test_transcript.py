"""How events change a conversation."""

from __future__ import annotations

from dataclasses import replace

from desktop_rag.core.errors import UserError
from desktop_rag.core.events import (
    ModelCall,
    Notice,
    PassagesFound,
    QuestionStored,
    SearchStarted,
    Step,
    Token,
)
from desktop_rag.gui.controllers.transcript import (
    Answered,
    Failed,
    InProgress,
    Stopped,
    Transcript,
    failure,
    fold,
    fold_all,
)
from testing.sample_answers import answer, passage


def begun() -> Transcript:
    return Transcript().begun("Why did fuel costs fall?", "single_pass")


def found(*kept: int) -> PassagesFound:
    passages = tuple(passage(n) for n in (1, 2, 3, 4))
    return PassagesFound("fuel", passages, frozenset(passages[n - 1].chunk_id for n in kept))


def test_tokens_become_the_text_of_the_last_turn() -> None:
    shown = fold_all(begun(), [Token("Fuel "), Token("fell.")])
    assert shown.turns[-1].text == "Fuel fell."
    assert shown.turns[-1].outcome == InProgress("write")


def test_a_model_that_was_asked_before_the_answer_makes_it_a_matter_of_steps() -> None:
    call = ModelCall("tiny", "sentence 1", 10, 5, (), 0.1)
    events = [SearchStarted("fuel", ""), found(1, 2), call, SearchStarted("oil", ""), found(3)]
    stages = [InProgress("search"), InProgress("read"), *[InProgress("steps")] * 3]
    for count, stage in enumerate(stages, start=1):
        assert fold_all(begun(), events[:count]).turns[-1].outcome == stage
    writing = fold_all(begun(), [*events, Token("Fuel "), call])
    assert writing.turns[-1].outcome == InProgress("write")


def test_the_answer_replaces_what_was_streamed_and_brings_its_sources() -> None:
    shown = fold_all(begun(), [Token("Fuel fell [9]"), answer("Fuel fell [2].", 2)])
    turn = shown.turns[-1]
    assert turn.text == "Fuel fell [2]."
    assert isinstance(turn.outcome, Answered)
    assert not shown.running
    assert turn.cited() == (2,)


def test_numbers_can_be_followed_while_the_answer_is_still_written() -> None:
    turn = fold_all(begun(), [SearchStarted("fuel", ""), found(1, 3), Token("It fell [2]")]).turns[
        0
    ]
    assert [p.chunk_id for p in turn.sources] == [1, 3]


def test_stop_keeps_the_partial_answer() -> None:
    shown = fold(begun(), Token("Fuel fe")).ended(Stopped())
    assert shown.turns[-1].text == "Fuel fe"
    assert shown.turns[-1].outcome == Stopped()
    assert not shown.running


def test_what_was_retrieved_and_is_no_source_is_listed_once() -> None:
    shown = fold_all(begun(), [found(1), found(1), answer("So.", 1, sources=2)])
    assert [p.chunk_id for p in shown.turns[-1].also_retrieved()] == [3, 4]


def test_steps_calls_and_notices_stay_in_order_and_notices_apart_as_well() -> None:
    call = ModelCall("llama", "answer", 10, 2, (), 0.5)
    step = Step("condensed", "What about fuel?")
    turn = fold_all(begun(), [step, Notice("Slow today."), SearchStarted("fuel", ""), call]).turns[
        0
    ]
    assert turn.trace == (step, Notice("Slow today."), SearchStarted("fuel", ""), call)
    assert turn.notices == ("Slow today.",)


def test_an_event_without_a_question_changes_nothing() -> None:
    assert fold(Transcript(), Token("stray")) == Transcript()


def test_earlier_turns_are_the_same_values_after_a_later_event() -> None:
    first = fold(begun(), answer("One.", 1))
    second = fold(first.begun("And then?", ""), Token("Two"))
    assert second.turns[0] is first.turns[0]


def kept(chat_id: int, question: int, *versions: int) -> QuestionStored:
    return QuestionStored(chat_id, question, question + 1, versions or (question,))


def test_a_question_learns_its_place_and_its_conversation() -> None:
    shown = fold(begun(), kept(7, 1))
    turn = shown.turns[0]
    assert (shown.chat_id, turn.question_id, turn.answer_id, turn.versions) == (7, 1, 2, (1,))


def test_a_question_that_is_asked_anew_is_the_newest_version_and_nothing_follows_it() -> None:
    first = fold_all(begun(), [kept(7, 1), answer("One.", 1)])
    both = fold_all(first.begun("And?", ""), [kept(7, 3), answer("Two.", 1)])
    again = both.begun_at(0, "Why?", "")
    assert [turn.question for turn in again.turns] == ["Why?"]
    assert (again.turns[0].versions, again.turns[0].version) == ((1, 0), 1)
    told = fold(again, kept(7, 5, 1, 5)).turns[0]
    assert (told.versions, told.version) == ((1, 5), 1)
    assert replace(told, question_id=1).version == 0


def test_a_turn_follows_the_last_message_that_is_kept() -> None:
    shown = fold_all(begun(), [kept(7, 1), answer("One.", 1)]).begun("Lost?", "")
    shown = shown.ended(failure(UserError("No disk.", "Make room."))).begun("And?", "")
    assert [shown.before(n) for n in range(3)] == [0, 2, 2]


def test_a_question_that_was_never_kept_is_no_version() -> None:
    lost = begun().ended(Stopped())
    assert lost.begun_at(0, "Why?", "").turns[0].versions == (0,)


def test_what_a_follow_up_was_taken_to_mean_is_among_its_steps() -> None:
    shown = fold(begun(), Step("condensed", "What about fuel?"))
    assert shown.turns[0].condensed == "What about fuel?"
    assert begun().turns[0].condensed == ""


def test_a_users_error_is_told_and_a_bug_is_called_one() -> None:
    assert failure(UserError("No disk.", "Make room.")) == Failed("No disk.", "Make room.")
    assert "program itself" in failure(ValueError("x")).what
