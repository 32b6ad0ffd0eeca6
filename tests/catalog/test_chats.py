from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_rag.catalog import database as database_module
from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import UserError
from desktop_rag.core.types import ChatId


def test_a_conversation_keeps_its_messages_in_order(catalog: Catalog) -> None:
    chat = catalog.chats.create("What is it?", ("default", "papers"))
    catalog.chats.append(chat, "user", "What is it?")
    catalog.chats.append(chat, "assistant", "A thing [1].", '{"citations": []}')
    messages = catalog.chats.messages(chat)
    assert [(m.role, m.text) for m in messages] == [
        ("user", "What is it?"),
        ("assistant", "A thing [1]."),
    ]
    assert messages[1].payload == '{"citations": []}'
    assert catalog.chats.get(chat).kbs == ("default", "papers")


def test_the_last_changed_conversation_comes_first(catalog: Catalog) -> None:
    old, new = catalog.chats.create("old", ()), catalog.chats.create("new", ())
    assert [c.id for c in catalog.chats.all()] == [new, old]
    catalog.chats.append(old, "user", "again")
    assert [c.id for c in catalog.chats.all()] == [old, new]


def test_a_conversation_can_be_renamed_and_deleted(catalog: Catalog) -> None:
    chat = catalog.chats.create("before", ())
    catalog.chats.append(chat, "user", "hello")
    catalog.chats.rename(chat, "after")
    assert catalog.chats.get(chat).title == "after"
    catalog.chats.delete(chat)
    assert catalog.chats.messages(chat) == []
    for act in (catalog.chats.get, lambda c: catalog.chats.append(c, "user", "more")):
        with pytest.raises(UserError, match="no conversation"):
            act(chat)


def database_file() -> Path:
    return Path(database_module.__file__)


def talk(catalog: Catalog, *texts: str) -> tuple[ChatId, list[int]]:
    """A conversation of questions and answers in turn; return it and its messages."""
    chat = catalog.chats.create("talk", ())
    roles = ("user", "assistant")
    return chat, [
        catalog.chats.append(chat, roles[number % 2], text) for number, text in enumerate(texts)
    ]


def shown(catalog: Catalog, chat: ChatId) -> list[str]:
    return [message.text for message in catalog.chats.messages(chat)]


def test_a_question_asked_anew_begins_a_branch_and_loses_nothing(catalog: Catalog) -> None:
    chat, (q1, a1, q2, a2) = talk(catalog, "q1", "a1", "q2", "a2")
    other = catalog.chats.append(chat, "user", "q2 again", parent=a1)
    catalog.chats.append(chat, "assistant", "a2 again", parent=other)
    assert shown(catalog, chat) == ["q1", "a1", "q2 again", "a2 again"]
    assert catalog.chats.versions(other) == catalog.chats.versions(q2) == (q2, other)
    assert catalog.chats.forks(chat) == {q1: (q1,), q2: (q2, other), other: (q2, other)}
    catalog.chats.select(chat, q2)
    assert shown(catalog, chat) == ["q1", "a1", "q2", "a2"]
    assert [each.id for each in catalog.chats.messages(chat, a1)] == [q1, a1]
    assert len(catalog.chats.every_message(chat)) == 6
    assert catalog.chats.messages(chat)[-1].id == a2


def test_the_first_question_too_can_be_asked_anew(catalog: Catalog) -> None:
    chat, (q1, _a1) = talk(catalog, "q1", "a1")
    other = catalog.chats.append(chat, "user", "q1 again", parent=0)
    assert shown(catalog, chat) == ["q1 again"]
    assert catalog.chats.versions(q1) == (q1, other)
    assert catalog.chats.messages(chat, 0) == []


def test_turning_to_a_branch_goes_to_where_it_was_gone_on_with_last(catalog: Catalog) -> None:
    chat, (_q1, a1, q2, a2) = talk(catalog, "q1", "a1", "q2", "a2")
    q3 = catalog.chats.append(chat, "user", "q3", parent=a2)
    catalog.chats.append(chat, "user", "q3 again", parent=a2)
    catalog.chats.append(chat, "user", "q2 again", parent=a1)
    catalog.chats.select(chat, q2)
    assert shown(catalog, chat) == ["q1", "a1", "q2", "a2", "q3 again"]
    catalog.chats.select(chat, q3)
    assert shown(catalog, chat) == ["q1", "a1", "q2", "a2", "q3"]


def test_an_answer_that_comes_late_does_not_leave_the_branch_turned_to(catalog: Catalog) -> None:
    chat, (q1, a1) = talk(catalog, "q1", "a1")
    other = catalog.chats.append(chat, "user", "q1 again", parent=0)
    catalog.chats.select(chat, q1)
    catalog.chats.append(chat, "assistant", "late", parent=other)
    assert shown(catalog, chat) == ["q1", "a1"]
    assert catalog.chats.messages(chat)[-1].id == a1


def test_a_message_of_another_conversation_is_no_place_to_ask(catalog: Catalog) -> None:
    chat, _messages = talk(catalog, "q1", "a1")
    _other, (q2, _a2) = talk(catalog, "q2", "a2")
    with pytest.raises(UserError, match="no message"):
        catalog.chats.append(chat, "user", "q", parent=q2)
    with pytest.raises(UserError, match="no message"):
        catalog.chats.select(chat, q2)
    assert shown(catalog, chat) == ["q1", "a1"]


def test_conversations_of_the_version_before_are_one_branch_each(
    catalog: Catalog, home: Path
) -> None:
    chat, messages = talk(catalog, "q1", "a1", "q2", "a2")
    database = catalog.database
    with database.write() as tx:
        step = (
            database_file().parent / "migrations" / "0002_chat_branches_drafts_consents.sql"
        ).read_text()
        updates = [s for s in step.split(";") if s.strip().startswith("UPDATE")]
        tx.execute("UPDATE messages SET parent = NULL")
        tx.execute("UPDATE chats SET head = NULL")
        for update in updates:
            tx.execute(update)
    assert [each.id for each in catalog.chats.messages(chat)] == messages


def test_pinned_conversations_come_first(catalog: Catalog) -> None:
    old, new = catalog.chats.create("old", ()), catalog.chats.create("new", ())
    catalog.chats.pin(old, pinned=True)
    assert [(c.id, c.pinned) for c in catalog.chats.all()] == [(old, True), (new, False)]
    catalog.chats.pin(old, pinned=False)
    assert [c.id for c in catalog.chats.all()] == [new, old]


def test_a_conversation_put_away_is_out_of_sight_until_it_is_brought_back(catalog: Catalog) -> None:
    chat, _messages = talk(catalog, "q", "a")
    catalog.chats.put_away([chat])
    assert catalog.chats.all() == []
    with pytest.raises(UserError, match="no conversation"):
        catalog.chats.get(chat)
    catalog.chats.bring_back([chat])
    assert shown(catalog, chat) == ["q", "a"]
    assert [c.id for c in catalog.chats.all()] == [chat]


def test_what_is_still_put_away_is_buried(catalog: Catalog) -> None:
    gone, back, stays = (talk(catalog, text)[0] for text in ("gone", "back", "stays"))
    catalog.chats.put_away([gone, back])
    catalog.chats.bring_back([back])
    assert catalog.chats.bury() == 1
    assert {c.id for c in catalog.chats.all()} == {back, stays}
    assert catalog.chats.every_message(gone) == []


def test_a_draft_is_kept_for_its_conversation_and_goes_with_it(catalog: Catalog) -> None:
    chat, _messages = talk(catalog, "q", "a")
    catalog.drafts.keep(0, "not begun")
    catalog.drafts.keep(chat, "half a quest")
    catalog.drafts.keep(chat, "half a question")
    assert (catalog.drafts.get(0), catalog.drafts.get(chat)) == ("not begun", "half a question")
    catalog.chats.delete(chat)
    catalog.drafts.keep(chat, "too late")
    catalog.drafts.keep(0, "  ")
    assert (catalog.drafts.get(0), catalog.drafts.get(chat)) == ("", "")


def test_a_branch_that_is_shown_stays_when_one_goes_to_a_message_on_it(catalog: Catalog) -> None:
    chat, (q1, a1, q2, a2) = talk(catalog, "q1", "a1", "q2", "a2")
    catalog.chats.append(chat, "user", "q2 again", parent=a1)
    catalog.chats.select(chat, q2)
    catalog.chats.select(chat, q1)
    assert [each.id for each in catalog.chats.messages(chat)] == [q1, a1, q2, a2]


def test_a_very_long_conversation_can_be_read_and_deleted(catalog: Catalog) -> None:
    chat = catalog.chats.create("long", ())
    with catalog.database.write() as tx:
        tx.executemany(
            "INSERT INTO messages (id, chat_id, role, text, payload, created, parent) "
            "VALUES (?, ?, 'user', 'text', '{}', 0, ?)",
            [(n, chat, n - 1 or None) for n in range(1, 5001)],
        )
        tx.execute("UPDATE chats SET head = 5000 WHERE id = ?", (chat,))
    assert len(catalog.chats.messages(chat)) == 5000
    catalog.chats.delete(chat)
    assert catalog.chats.every_message(chat) == []


def test_what_is_asked_is_kept_beside_the_draft_and_goes_with_its_conversation(
    catalog: Catalog,
) -> None:
    chat = catalog.chats.create("Fuel", ("default",))
    scope = '[["default", "/a.md"], ["Tea", ""]]'
    catalog.drafts.keep_scope(chat, scope)
    catalog.drafts.keep(chat, "half a question")
    catalog.drafts.keep(chat, "")
    assert (catalog.drafts.get(chat), catalog.drafts.scope(chat)) == ("", scope)
    catalog.kbs.create("Tea")
    catalog.kbs.rename("Tea", "Coffee")
    assert json.loads(catalog.drafts.scope(chat)) == [["default", "/a.md"], ["Coffee", ""]]
    catalog.chats.delete(chat)
    catalog.drafts.keep_scope(chat, scope)
    assert catalog.drafts.scope(chat) == "", "there is no such conversation"
    catalog.drafts.keep_scope(0, scope)
    catalog.drafts.keep_scope(0, "")
    assert catalog.drafts.scope(0) == ""
