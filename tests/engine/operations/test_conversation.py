"""What a follow-up is told of the conversation before it."""

from __future__ import annotations

import json
from pathlib import Path

from desktop_rag.engine.operations.conversation import Conversation
from desktop_rag.store.catalog import Catalog


def test_a_refused_question_is_not_part_of_what_was_said(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    chat = catalog.chats.create("boats", ("default",))
    said = [
        ("user", "How long is the lease?", ""),
        ("assistant", "Ten years [1].", json.dumps({"mode": "generated"})),
        ("user", "Who won the cup?", ""),
        ("assistant", "Not found in your documents.", json.dumps({"mode": "refused"})),
    ]
    for role, text, payload in said:
        catalog.chats.append(chat, role, text, payload)
    history = Conversation(catalog, chat).history()
    catalog.close()
    assert [message.content for message in history] == ["How long is the lease?", "Ten years [1]."]
