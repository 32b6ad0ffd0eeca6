"""The list's controller: deleting with a way back, searching, exporting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.conversation_recorder import ConversationLog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import REMOVED_TITLE
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.core.requests import RemoveRequest
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import ChatId
from desktop_rag.gui.controllers.answer_decoder import INTERRUPTED
from desktop_rag.gui.controllers.conversation_export import ConversationExport, written
from desktop_rag.gui.controllers.conversation_groups import conversations_of
from desktop_rag.gui.controllers.conversations import UNDO_MS, ConversationHits
from desktop_rag.gui.controllers.jobs import Job, Lane, Work
from desktop_rag.gui.controllers.library_commands import CommandDone
from desktop_rag.gui.controllers.transcript import Failed
from testing.sample_answers import answer
from tests.catalog.stored_documents import bytes_hold
from tests.gui.controllers.conversation_setup import Talks


@pytest.fixture
def talks(qapp: QApplication, tmp_path: Path) -> Iterator[Talks]:
    made = Talks(tmp_path / "home")
    yield made
    made.close()


def titles(talks: Talks) -> list[str]:
    talks.settle()
    return [each.title for each in conversations_of(talks.conversations.rows)]


def test_what_is_deleted_can_be_brought_back_and_is_shown_again(talks: Talks) -> None:
    gone, stays = talks.tell("gone"), talks.tell("stays")
    talks.conversations.refresh()
    talks.conversations.open(gone)
    talks.settle()
    offered: list[int] = []
    talks.conversations.undoable.connect(offered.append)
    talks.conversations.delete([gone])
    assert titles(talks) == ["stays"]
    assert talks.chat.transcript.chat_id is None
    talks.conversations.undo()
    assert titles(talks) == ["stays", "gone"]
    assert talks.chat.transcript.chat_id == gone
    assert offered == [1, 0]
    assert stays in {each.id for each in talks.catalog.chats.all()}


def test_deleting_twice_brings_both_back_at_once(talks: Talks) -> None:
    first, second = talks.tell("first"), talks.tell("second")
    talks.conversations.delete([first])
    talks.conversations.delete([second, first])
    assert titles(talks) == []
    talks.conversations.undo()
    assert titles(talks) == ["second", "first"]


def test_after_a_while_it_is_gone_to_the_last_byte(talks: Talks) -> None:
    secret = talks.tell("Where is the xylophonequartz?")
    talks.conversations.delete([secret])
    talks.settle()
    assert bytes_hold(talks.home, "xylophonequartz")
    talks.conversations.bury()
    talks.conversations.undo()
    assert titles(talks) == []
    assert bytes_hold(talks.home, "xylophonequartz") == []


def test_the_way_back_is_open_for_ten_seconds_after_the_last_deletion(talks: Talks) -> None:
    chat = talks.tell("Where is the xylophonequartz?")
    (undo,) = (
        each for each in talks.conversations.findChildren(QTimer) if each.interval() == UNDO_MS
    )
    assert not undo.isActive()
    talks.conversations.delete([chat])
    talks.settle()
    assert undo.isActive()
    undo.timeout.emit()
    talks.settle()
    assert bytes_hold(talks.home, "xylophonequartz") == []


def test_closing_the_window_deletes_for_good(talks: Talks) -> None:
    secret = talks.tell("Where is the xylophonequartz?")
    talks.conversations.delete([secret])
    talks.settle()
    talks.conversations.close()
    assert bytes_hold(talks.home, "xylophonequartz") == []


def test_the_list_follows_what_others_write_and_is_told_only_of_changes(talks: Talks) -> None:
    told: list[object] = []
    talks.conversations.listed.connect(told.append)
    talks.tell("by the command line")
    for _ in range(3):
        talks.conversations.refresh()
        talks.settle()
    assert len(told) == 1
    assert titles(talks) == ["by the command line"]


def test_pinned_and_renamed_conversations_are_so_in_the_catalog(talks: Talks) -> None:
    old, new = talks.tell("old", days=50), talks.tell("new")
    talks.conversations.open(old)
    talks.settle()
    talks.conversations.pin([old], pinned=True)
    talks.conversations.rename(old, "very old")
    assert titles(talks) == ["very old", "new"]
    assert talks.chat.transcript.title == "very old"
    talks.conversations.pin([old], pinned=False)
    assert titles(talks) == ["new", "very old"]
    assert new


def test_only_the_last_of_two_searches_is_answered(talks: Talks) -> None:
    talks.tell("Ferries")
    found: list[ConversationHits | None] = []
    talks.conversations.found.connect(found.append)
    talks.conversations.search("fer")
    talks.conversations.search("ferries")
    talks.settle()
    (only,) = found
    assert only is not None
    assert (only.query, [each.title for each in only.places]) == ("ferries", ["Ferries"])
    talks.conversations.search(" ")
    assert found[-1] is None


def test_a_place_is_gone_to_on_its_own_branch(talks: Talks) -> None:
    chat = talks.tell("first", "the needle [1]")
    record = ConversationLog(talks.catalog, chat, 0).asked("again")
    record.answered(answer("hay [1]", 1))
    pointed: list[int] = []
    talks.conversations.pointed.connect(pointed.append)
    (place,) = _found(talks, "needle")
    talks.conversations.open(int(place.chat_id), place.message_id)
    talks.settle()
    (turn,) = talks.chat.transcript.turns
    assert (turn.question, pointed) == ("first", [0])


def _found(talks: Talks, query: str) -> tuple[Any, ...]:
    found: list[ConversationHits | None] = []
    talks.conversations.found.connect(found.append)
    talks.conversations.search(query)
    talks.settle()
    assert found[-1] is not None
    return found[-1].places


def test_what_cannot_be_written_is_told(talks: Talks, tmp_path: Path) -> None:
    complaints: list[UserError] = []
    talks.conversations.complained.connect(complaints.append)
    chat = talks.tell("talk")
    talks.conversations.export(
        ConversationExport((chat,), tmp_path / "nowhere" / "talk.md", "markdown")
    )
    talks.settle()
    assert "could not be written" in complaints[0].what


def test_the_next_start_deletes_what_a_kill_left(talks: Talks) -> None:
    secret = talks.tell("Where is the xylophonequartz?")
    talks.conversations.delete([secret])
    talks.settle()
    talks.catalog.close()
    workspace = open_workspace(talks.home, Settings())
    try:
        assert bytes_hold(talks.home, "xylophonequartz") == []
    finally:
        workspace.close()


def test_what_a_command_asks_in_the_shown_conversation_appears_once_answered(
    talks: Talks,
) -> None:
    chat = talks.tell("Ferries")
    talks.conversations.open(chat)
    talks.settle()
    record = ConversationLog(talks.catalog, ChatId(chat)).asked("And in winter?")
    talks.conversations.catch_up()
    talks.settle()
    assert len(talks.chat.transcript.turns) == 1, "it is still being written"
    record.answered(answer("Fewer [1].", 1))
    talks.conversations.catch_up()
    talks.settle()
    assert [turn.text for turn in talks.chat.transcript.turns] == ["So it is [1].", "Fewer [1]."]


def test_an_answer_opened_while_a_command_has_it_written_is_whole_in_the_end(
    talks: Talks,
) -> None:
    chat = talks.tell("Ferries")
    record = ConversationLog(talks.catalog, ChatId(chat)).asked("And in winter?")
    talks.conversations.open(chat)
    talks.settle()
    assert talks.chat.transcript.turns[-1].outcome == INTERRUPTED
    record.answered(answer("Fewer [1].", 1))
    talks.conversations.catch_up()
    talks.settle()
    assert talks.chat.transcript.turns[-1].text == "Fewer [1]."


def test_what_is_shown_is_not_read_again_while_nothing_was_said(talks: Talks) -> None:
    chat = talks.tell("Ferries")
    talks.conversations.open(chat)
    talks.settle()
    shown: list[object] = []
    talks.chat.transcript_changed.connect(shown.append)
    talks.conversations.catch_up()
    talks.settle()
    assert shown == []


def test_a_question_that_could_not_be_kept_stays_in_sight(talks: Talks) -> None:
    chat = talks.tell("Ferries")
    talks.conversations.open(chat)
    talks.settle()
    failed = talks.chat.transcript.begun("Of what?", "").ended(Failed("No.", "Ask again."))
    talks.chat.show(failed)
    talks.conversations.catch_up()
    talks.settle()
    assert talks.chat.transcript == failed


def test_quotes_that_were_taken_out_are_no_longer_shown(talks: Talks) -> None:
    chat = talks.tell("Ferries")
    talks.conversations.open(chat)
    talks.settle()
    assert talks.chat.transcript.turns[0].citations
    talks.catalog.quotes.forget(["/tmp/report.pdf"])
    decision = RemoveRequest("default", ("/tmp/report.pdf",), quotes="lose")
    talks.conversations.heed(CommandDone(decision, 1))
    talks.settle()
    assert talks.chat.transcript.turns[0].citations == ()


def test_what_was_brought_back_stays_though_the_window_is_closed_at_once(talks: Talks) -> None:
    precious = talks.tell("precious")
    talks.conversations.delete([precious])
    talks.settle()
    talks.conversations.undo()
    talks.conversations.close()  # the lane had no time for it
    assert [each.title for each in talks.catalog.chats.all()] == ["precious"]


def test_a_new_title_is_kept_though_the_window_is_closed_at_once(talks: Talks) -> None:
    chat = talks.tell("old")
    talks.conversations.rename(chat, "new")
    talks.conversations.pin([chat], pinned=True)
    talks.conversations.close()
    assert [(each.title, each.pinned) for each in talks.catalog.chats.all()] == [("new", True)]


def test_what_was_deleted_is_gone_though_the_window_is_closed_at_once(talks: Talks) -> None:
    secret = talks.tell("Where is the xylophonequartz?")
    talks.conversations.delete([secret])
    talks.conversations.close()
    assert talks.catalog.chats.all() == []
    assert bytes_hold(talks.home, "xylophonequartz") == []


def test_a_place_that_comes_late_does_not_push_a_new_question_away(talks: Talks) -> None:
    shown, other = talks.tell("shown"), talks.tell("other")
    talks.conversations.open(shown)
    talks.settle()
    (asked, _) = talks.catalog.chats.every_message(ChatId(other))
    talks.conversations.open(other, asked.id)
    talks.chat.ask("And then?", ("none",), "single_pass")
    talks.settle()
    turns = talks.chat.transcript.turns
    assert [turn.question for turn in turns] == ["shown", "And then?"]


def test_a_conversation_that_comes_late_does_not_push_a_new_one_away(talks: Talks) -> None:
    shown, other = talks.tell("shown"), talks.tell("other")
    talks.conversations.open(other)
    talks.chat.new()
    talks.settle()
    assert talks.chat.transcript.chat_id is None
    talks.conversations.open(shown)
    talks.settle()
    talks.conversations.open(other)
    talks.conversations.open(shown)
    talks.settle()
    assert talks.chat.transcript.chat_id == shown


def test_a_draft_is_there_after_a_question_that_could_not_be_kept(talks: Talks) -> None:
    other = talks.tell("other")
    talks.catalog.drafts.keep(other, "half a question")
    drafts: list[str] = []
    talks.chat.draft_found.connect(drafts.append)
    talks.chat.ask("Why?", ("default",), "single_pass")
    talks.chat.stop()  # before it was kept
    talks.conversations.open(other)
    talks.settle()
    assert drafts[-1:] == ["half a question"]


def test_quotes_go_from_sight_also_beside_an_answer_that_comes_or_was_interrupted(
    talks: Talks,
) -> None:
    shown = ChatId(talks.tell("first"))
    talks.conversations.open(shown)
    talks.settle()
    talks.chat.ask("And then?", ("none",), "single_pass")
    talks.catalog.quotes.forget(["/tmp/report.pdf"], [1, 2, 3])
    taken = CommandDone(RemoveRequest("default", ("/tmp/report.pdf",), "lose"), 1)
    talks.conversations.heed(taken)
    talks.settle()
    assert talks.chat.transcript.turns[0].sources[0].title == REMOVED_TITLE
    asked = talks.catalog.chats.append(shown, "user", "And then?")
    talks.catalog.chats.append(shown, "assistant", "", '{"mode": "running"}', asked)
    talks.chat.show(replace(talks.chat.transcript, turns=()))
    talks.conversations.heed(taken)
    talks.settle()
    assert talks.chat.transcript.turns[-1].outcome == INTERRUPTED


def test_an_export_keeps_no_other_reading_waiting_and_can_be_stopped(
    talks: Talks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lanes: list[Lane] = []
    start = talks.jobs.start

    def noted(lane: Lane, work: Work) -> Job:
        lanes.append(lane)
        return start(lane, work)

    monkeypatch.setattr(talks.jobs, "start", noted)
    export = ConversationExport(
        (talks.tell("first"), talks.tell("second")), tmp_path / "out.md", "markdown"
    )
    talks.conversations.export(export)
    assert lanes == [Lane.CARRY]
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        written(talks.catalog, export, token)
