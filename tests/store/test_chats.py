from __future__ import annotations

import pytest

from desktop_rag.core.errors import UserError


def test_a_conversation_keeps_its_messages_in_order(catalog) -> None:
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


def test_the_last_changed_conversation_comes_first(catalog) -> None:
    old, new = catalog.chats.create("old", ()), catalog.chats.create("new", ())
    assert [c.id for c in catalog.chats.all()] == [new, old]
    catalog.chats.append(old, "user", "again")
    assert [c.id for c in catalog.chats.all()] == [old, new]


def test_a_conversation_can_be_renamed_and_deleted(catalog) -> None:
    chat = catalog.chats.create("before", ())
    catalog.chats.append(chat, "user", "hello")
    catalog.chats.rename(chat, "after")
    assert catalog.chats.get(chat).title == "after"
    catalog.chats.delete(chat)
    assert catalog.chats.messages(chat) == []
    for act in (catalog.chats.get, lambda c: catalog.chats.append(c, "user", "more")):
        with pytest.raises(UserError, match="no conversation"):
            act(chat)
