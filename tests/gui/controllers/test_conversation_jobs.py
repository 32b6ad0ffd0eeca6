"""Conversations out of the catalog."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.stored_answer import passage_row
from desktop_rag.commands.conversation_recorder import ConversationLog
from desktop_rag.core.catalog_records import ChatMessage
from desktop_rag.core.events import (
    Chain,
    Draft,
    LinkedPassage,
    ModelCall,
    Notice,
    PassagesFound,
    QuestionStored,
    SearchStarted,
    Step,
    Token,
)
from desktop_rag.core.types import Box, ChunkId, Locator, LocatorKind
from desktop_rag.gui.controllers import conversation_jobs
from desktop_rag.gui.controllers.answer_decoder import INTERRUPTED, decode_answer
from desktop_rag.gui.controllers.transcript import Answered, Stopped, Transcript, Turn, fold_all
from desktop_rag.strategies.research_context import ResearchState
from testing.sample_answers import answer, passage


def test_a_conversation_comes_back_with_its_sources_and_citations(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        said = answer("Fuel fell [2].", 2)
        ConversationLog(catalog, chat).asked("Why did fuel fall?").answered(said)
        shown = conversation_jobs.load_transcript(catalog, chat)
    finally:
        catalog.close()
    (turn,) = shown.turns
    assert (shown.chat_id, shown.title) == (chat, "Fuel")
    assert (turn.question, turn.text) == ("Why did fuel fall?", "Fuel fell [2].")
    assert turn.sources == said.sources
    assert [c.quote for c in turn.citations] == ["quote 2"]
    assert [b.y0 for b in turn.citations[0].locator.boxes] == [102.0]
    assert turn.outcome == Answered("generated", "llama3.2:3b", 1.5, 1, 1, 950)


def test_a_stopped_answer_comes_back_as_stopped(tmp_path: Path) -> None:
    tally = ResearchState(written="Fuel fe [1]", shown=(passage(1),))
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        ConversationLog(catalog, chat).asked("Why did fuel fall?").stopped(tally, "single_pass")
        (turn,) = conversation_jobs.load_transcript(catalog, chat).turns
    finally:
        catalog.close()
    assert (turn.text, turn.outcome) == ("Fuel fe [1]", Stopped())
    assert turn.sources == (passage(1),)


def test_a_question_without_an_answer_counts_as_stopped(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        catalog.chats.append(chat, "user", "Why did fuel fall?")
        (turn,) = conversation_jobs.load_transcript(catalog, chat).turns
    finally:
        catalog.close()
    assert turn.outcome == Stopped()


def test_an_old_conversation_shows_its_steps(tmp_path: Path) -> None:
    """The turn that comes back is the one that was folded while it was answered."""
    found = (replace(passage(2), rank=1), replace(passage(4), rank=2))
    steps = [
        Step("condensed", "Why did fuel fall in 2024?"),
        SearchStarted("fuel 2024", "the question"),
        PassagesFound("fuel 2024", found, frozenset({2})),
        Draft("Perhaps.", kept=False, tokens=(("Per", 0.5), ("haps", 0.25))),
        ModelCall("llama3.2:3b", "answer", 900, None, ("one passage",), 1.5),
        Notice("The passages match only weakly."),
    ]
    said = answer("Fuel fell [2].", 2)
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        record = ConversationLog(catalog, chat).asked("Why did fuel fall?")
        for each in steps:
            record.take(each, ResearchState())
        record.answered(said)
        (turn,) = conversation_jobs.load_transcript(catalog, chat).turns
    finally:
        catalog.close()
    folded = fold_all(Transcript().begun("Why did fuel fall?", "single_pass"), (*steps, said))
    live = folded.turns[0]
    assert turn.trace == live.trace
    assert turn.notices == live.notices
    assert turn.from_model == live.from_model
    assert [each.chunk_id for each in turn.retrieved] == [2, 4]
    assert turn.also_retrieved() == live.also_retrieved()


def test_the_steps_come_back_with_their_times_scores_and_chains(tmp_path: Path) -> None:
    first = replace(passage(2), rerank_score=4.5, fused_rank=7)
    again = replace(passage(2), rank=3, rerank_score=-1.25, fused_rank=1, score=0.1)
    follow = LinkedPassage(ChunkId(4), "Report 4", "name", "the Second Report", 0.82)
    steps = [
        SearchStarted("fuel", "the question", at=0.1),
        PassagesFound("fuel", (first, passage(4)), frozenset({2, 4}), at=0.4),
        PassagesFound("ferry", (again,), frozenset({2}), at=0.9),
        Chain(ChunkId(2), "Report 2", 0.6, (follow,), at=1.0),
        Notice("The match is weak.", at=1.5),
    ]
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        record = ConversationLog(catalog, chat).asked("Why did fuel fall?")
        for each in steps:
            record.take(each, ResearchState())
        record.answered(answer("Fuel fell [2].", 2))
        (turn,) = conversation_jobs.load_transcript(catalog, chat).turns
    finally:
        catalog.close()
    assert turn.trace == tuple(steps)
    assert [each.at for each in turn.trace] == [0.1, 0.4, 0.9, 1.0, 1.5]


def test_a_conversation_that_an_older_version_kept_opens_with_its_steps() -> None:
    whole = [passage_row(passage(2)), passage_row(passage(4))]
    found = {"event": "passages", "query": "q", "passages": [[2, 1, True], [4, 2, False]]}
    trace = [
        {"event": "search", "query": "q", "why": "the question"},
        found,
        {"event": "step", "name": "chain", "text": "One → Two (82%)"},
        found,
    ]
    payload = {"mode": "generated", "retrieved": whole, "trace": trace, "notices": ["Slow."]}
    message = ChatMessage(1, "assistant", "Fuel fell.", json.dumps(payload), 0.0, 0)
    turn = decode_answer(Turn("Why?", ""), message)
    assert [type(each) for each in turn.trace] == [
        SearchStarted,
        PassagesFound,
        Step,
        PassagesFound,
    ]
    assert [each.at for each in turn.trace] == [None] * 4
    assert turn.notices == ("Slow.",)
    scores = [each.rerank_score for each in turn.retrieved]
    assert scores == [0.5, 0.5, None, None]  # of the second search they are not known


def test_an_answer_that_a_kill_interrupted_is_there_as_far_as_it_came(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        record = ConversationLog(catalog, chat).asked("Why did fuel fall?")
        record.take(Token("Fuel fe"), ResearchState(written="Fuel fe", shown=(passage(1),)))
        (turn,) = conversation_jobs.load_transcript(catalog, chat).turns
    finally:
        catalog.close()
    assert (turn.question, turn.text, turn.outcome) == (
        "Why did fuel fall?",
        "Fuel fe",
        INTERRUPTED,
    )


def test_a_turn_knows_its_messages_and_its_versions(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        (first,) = ConversationLog(catalog, chat).asked("Why?").place()
        (second,) = ConversationLog(catalog, chat, 0).asked("Why did fuel fall?").place()
        (turn,) = conversation_jobs.load_transcript(catalog, chat).turns
    finally:
        catalog.close()
    assert isinstance(first, QuestionStored)
    assert isinstance(second, QuestionStored)
    assert (turn.question_id, turn.answer_id) == (second.question_id, second.answer_id)
    assert turn.versions == (first.question_id, second.question_id)


def test_a_draft_comes_back_with_its_conversation_and_before_it_has_begun(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        catalog.drafts.keep(chat, "And the price of")
        catalog.drafts.keep(0, "What about")
        drafts = [conversation_jobs.load_transcript(catalog, number).draft for number in (chat, 0)]
    finally:
        catalog.close()
    assert drafts == ["And the price of", "What about"]


def test_of_a_passage_only_the_boxes_are_kept_that_mark_its_match(tmp_path: Path) -> None:
    lines = tuple(Box(72.0, 10.0 * n, 300.0, 10.0 * n + 8, 50 * n, 50 * n + 49) for n in range(20))
    where = Locator(LocatorKind.PAGE, 1, 0, 1000, lines)
    source = replace(passage(1), locator=where, match=(100, 180))
    said = replace(answer("So [1].", 1), sources=(source,))
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        ConversationLog(catalog, chat).asked("Why?").answered(said)
        (turn,) = conversation_jobs.load_transcript(catalog, chat).turns
    finally:
        catalog.close()
    (read,) = turn.sources
    assert read.locator.boxes == lines[2:4]
    assert replace(read, locator=where) == source


def test_a_conversation_of_the_version_before_is_read(tmp_path: Path) -> None:
    old = {"mode": "generated", "text": "So [1].", "sources": [asdict(passage(1))]}
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        catalog.chats.append(chat, "user", "Why?")
        catalog.chats.append(chat, "assistant", "So [1].", json.dumps(old))
        (turn,) = conversation_jobs.load_transcript(catalog, chat).turns
    finally:
        catalog.close()
    assert turn.sources == (passage(1),)


def test_an_answer_whose_rest_cannot_be_read_shows_its_text(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        catalog.chats.append(chat, "user", "Why?")
        catalog.chats.append(chat, "assistant", "So.", '{"sources": [')
        (turn,) = conversation_jobs.load_transcript(catalog, chat).turns
    finally:
        catalog.close()
    assert (turn.text, turn.sources) == ("So.", ())
