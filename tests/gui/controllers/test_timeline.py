"""The steps of an answer as entries of a timeline."""

from __future__ import annotations

from dataclasses import replace

from desktop_rag.core.events import (
    Draft,
    Event,
    ModelCall,
    Notice,
    PassagesFound,
    SearchStarted,
    Step,
)
from desktop_rag.gui.controllers.timeline import entries, source_number, sums, unsure_words
from desktop_rag.gui.controllers.transcript import Transcript, Turn, fold_all
from testing.sample_answers import answer, passage

UNSURE = (("It", 0.9), (" fell", 0.3))
SURE = (("It", 0.9), (" rose", 0.95))
CALL = ModelCall("llama", "answer", 10, 2, (), 0.5)


def turn_of(*events: Event, strategy: str = "single_pass") -> Turn:
    return fold_all(Transcript().begun("Why?", strategy), events).turns[0]


def found(query: str, *numbers: int) -> PassagesFound:
    passages = tuple(passage(n) for n in numbers)
    return PassagesFound(query, passages, frozenset(each.chunk_id for each in passages))


def texts(draft: Draft) -> list[tuple[str, float]]:
    words = unsure_words(draft)
    return [(draft.text[word.start : word.end], word.probability) for word in words]


def test_every_step_is_an_entry_in_its_order() -> None:
    events = (SearchStarted("a", ""), found("a", 1), Step("thought", "So."), Notice("Slow."), CALL)
    assert tuple(entry.event for entry in entries(turn_of(*events))) == events


def test_searches_stand_under_the_thought_that_set_them_off() -> None:
    turn = turn_of(
        SearchStarted("a", ""),
        found("a", 1),
        Step("thought", "One."),
        SearchStarted("One.", "sentence 1"),
        found("One.", 2),
        CALL,
        Step("thought", "Two."),
    )
    made = entries(turn)
    assert [entry.depth for entry in made] == [0, 0, 0, 1, 1, 0, 0]
    assert [entry.thought for entry in made] == [0, 0, 1, 0, 0, 0, 2]


def test_a_passage_is_found_again_by_its_place_among_all() -> None:
    turn = turn_of(found("a", 1, 2), Step("thought", "So."), found("b", 3, 2))
    places = [entry.first for entry in entries(turn) if isinstance(entry.event, PassagesFound)]
    assert places == [0, 2]
    assert [turn.retrieved[at].chunk_id for at in places] == [1, 3]


def test_a_draft_is_searched_again_where_a_search_came_of_it() -> None:
    turn = turn_of(
        Draft("It fell", kept=False, tokens=UNSURE),
        SearchStarted("It", "unsure of “fell”"),
        found("It", 1),
        CALL,
        Draft("It rose", kept=True, tokens=SURE),
        Draft("It fell", kept=False, tokens=UNSURE),
    )
    made = [entry for entry in entries(turn) if isinstance(entry.event, Draft)]
    assert [entry.searched for entry in made] == [True, False, False]


def test_a_round_s_draft_is_searched_with_where_the_query_repeats_it() -> None:
    said = "Fuel fell\nbecause of the second ferry."
    turn = turn_of(Draft(said, kept=False), SearchStarted("Why? Fuel fell because of the", ""))
    assert not entries(turn)[0].searched  # only a part of what is compared
    whole = " ".join(said.split())
    turn = turn_of(Draft(said, kept=False), SearchStarted(f"Why? {whole}", "round 2"))
    assert entries(turn)[0].searched


def test_a_dropped_sentence_did_not_set_off_the_search_for_the_next_one() -> None:
    """As the model's own answer is held against the documents, sentence by sentence."""
    turn = turn_of(
        SearchStarted("One.", "a source for a sentence"),
        Draft("One.", kept=False),
        SearchStarted("Two.", "a source for a sentence"),
        Draft("Two.", kept=True),
    )
    assert [entry.searched for entry in entries(turn)] == [False] * 4
    assert [entry.depth for entry in entries(turn)] == [0] * 4


def test_a_critic_s_decision_stands_between_a_segment_and_the_next_search() -> None:
    turn = turn_of(
        Draft("It fell", kept=False, tokens=UNSURE),
        Step("decision", "relevant 1.00, supported 0.50, useful +0.20: 1.2"),
        SearchStarted("Why? It fell", ""),
    )
    assert not entries(turn)[0].searched


def test_flare_counts_sentences_and_not_what_was_written_anew() -> None:
    first, anew = Draft("It fell", kept=False, tokens=UNSURE), Draft("It rose", True, SURE)
    steps = (anew, first, SearchStarted("It", ""), anew, anew, first, SearchStarted("It", ""), anew)
    made_up = Draft("A passage that a transform made up.", kept=False)
    took = sums(turn_of(made_up, *steps, strategy="flare_direct"))
    assert (took.drafted, took.again) == (4, 2)
    from_passages = (Draft("It is.", kept=False, tokens=SURE), Draft("It was.", True, SURE))
    took = sums(turn_of(*steps, *from_passages, strategy="flare_direct"))
    assert (took.drafted, took.again) == (5, 2), "written from the passages, without a search"
    assert sums(turn_of(*steps)).drafted == 0


def test_sums_count_a_passage_once_and_calls_with_their_time() -> None:
    turn = turn_of(SearchStarted("a", ""), found("a", 1, 2), found("b", 2, 3), CALL, CALL)
    took = sums(turn)
    assert (took.searches, took.passages, took.calls) == (1, 3, 2)
    assert (took.read, took.written, took.seconds) == (20, 4, 1.0)


def test_counts_that_the_server_did_not_report_are_left_out() -> None:
    assert sums(turn_of(replace(CALL, prompt_tokens=None, answer_tokens=None))).read == 0


def test_unsure_words_are_whole_words_with_their_least_token() -> None:
    tokens = (("The", 0.9), (" Uni", 0.9), ("versity", 0.5), (" opened", 0.9), (".", 0.7))
    draft = Draft("The University opened.", kept=False, tokens=tokens)
    assert texts(draft) == [("University", 0.5), (".", 0.7)]


def test_chinese_is_tinted_a_token_at_a_time() -> None:
    tokens = (("住宿", 0.9), ("标准", 0.3), ("是", 0.95), ("五百", 0.6), ("元", 0.5), ("。", 0.9))
    draft = Draft("住宿标准是五百元。", kept=False, tokens=tokens)
    assert texts(draft) == [("标准", 0.3), ("五百", 0.6), ("元", 0.5)]


def test_the_number_of_a_source_is_no_unsure_word() -> None:
    tokens = (("It", 0.9), (" fell", 0.7), (" [", 0.1), ("2", 0.2), ("]", 0.1), (".", 0.9))
    draft = Draft("It fell [2].", kept=True, tokens=tokens)
    assert texts(draft) == [("fell", 0.7)]


def test_a_draft_without_probabilities_has_no_unsure_word() -> None:
    assert texts(Draft("Perhaps.", kept=False)) == []


def test_notices_that_were_kept_without_their_place_come_first() -> None:
    turn = replace(turn_of(SearchStarted("a", ""), Notice("Weak.")), notices=("Slow.", "Weak."))
    made = entries(turn)
    assert [getattr(each.event, "text", "") for each in made] == ["Slow.", "", "Weak."]
    assert [each.number for each in made] == [-1, 0, 1]


def test_which_source_a_passage_became_is_told_when_the_answer_is_whole() -> None:
    running = turn_of(found("a", 2, 3))
    assert source_number(running, passage(2)) == 0
    whole = turn_of(found("a", 2, 3, 9), answer("So [2].", 2))
    assert [source_number(whole, passage(n)) for n in (2, 3, 9)] == [2, 3, 0]
