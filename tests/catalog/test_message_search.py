"""Searching all conversations."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.message_search import MessageSearch
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import MAX_HITS
from desktop_rag.core.errors import Cancelled


@pytest.fixture
def speech(catalog: Catalog) -> MessageSearch:
    return MessageSearch(catalog.database)


def find(speech: MessageSearch, query: str) -> list[tuple[str, str]]:
    return [(said.title, said.role) for said in speech.find(query, CancelToken())]


@pytest.fixture
def talks(catalog: Catalog) -> dict[str, Any]:
    ferry = catalog.chats.create("Ferries in winter", ())
    q1 = catalog.chats.append(ferry, "user", "Why did the FUEL cost less?")
    catalog.chats.append(ferry, "assistant", "The Größe of the second ferry [1].")
    catalog.chats.append(ferry, "user", "What did power cost?", parent=0)
    hotel = catalog.chats.create("差旅", ())
    catalog.chats.append(hotel, "user", "一线城市的住宿标准是多少？")
    catalog.chats.append(hotel, "assistant", "每晚不超过600元[1]。")
    return {"ferry": ferry, "hotel": hotel, "q1": q1}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("winter FERRIES", [("Ferries in winter", "title")]),
        ("fuel", [("Ferries in winter", "user")]),
        ("GRÖSSE", [("Ferries in winter", "assistant")]),
        ("cost", [("Ferries in winter", "user"), ("Ferries in winter", "user")]),
        ("住宿标准", [("差旅", "user")]),
        ("差旅", [("差旅", "title")]),
        ("600元", [("差旅", "assistant")]),
        ("fuel winter", []),
        ("%", []),
        ("  ", []),
    ],
)
def test_words_are_found_in_titles_questions_and_answers_of_all_branches(
    speech: MessageSearch, talks: dict[str, Any], query: str, expected: list[tuple[str, str]]
) -> None:
    assert find(speech, query) == expected


def test_a_place_has_its_message_and_a_snippet_with_the_words_marked(
    speech: MessageSearch, talks: dict[str, Any]
) -> None:
    (said,) = speech.find("cost less", CancelToken())
    assert (said.chat_id, said.message_id) == (talks["ferry"], talks["q1"])
    assert [said.snippet[a:b] for a, b in said.marks] == ["cost", "less"]


def test_a_snippet_of_a_long_answer_begins_shortly_before_the_word(
    catalog: Catalog, speech: MessageSearch
) -> None:
    chat = catalog.chats.create("long", ())
    catalog.chats.append(chat, "assistant", "filler\n" * 900 + "needle " + "and more " * 90)
    (said,) = speech.find("needle", CancelToken())
    assert said.snippet.startswith("… filler")
    ((start, end),) = said.marks
    assert said.snippet[start:end] == "needle"
    assert start < 60
    assert len(said.snippet) < 200


def test_a_question_that_names_its_conversation_is_found_once(
    catalog: Catalog, speech: MessageSearch
) -> None:
    chat = catalog.chats.create("What is a kiln?", ())
    catalog.chats.append(chat, "user", "What is a\nkiln?")
    assert find(speech, "kiln") == [("What is a kiln?", "title")]


def test_a_snippet_has_no_signs_of_markdown(catalog: Catalog, speech: MessageSearch) -> None:
    chat = catalog.chats.create("marked", ())
    catalog.chats.append(chat, "assistant", "## Costs\n\nThe **fuel** is `cheap`.")
    (said,) = speech.find("fuel", CancelToken())
    assert said.snippet == "Costs The fuel is cheap."
    assert said.marks == ((10, 14),)


def test_a_conversation_put_away_is_not_found(
    catalog: Catalog, speech: MessageSearch, talks: dict[str, Any]
) -> None:
    catalog.chats.put_away([talks["ferry"]])
    assert find(speech, "ferry") == []


def test_of_ten_thousand_messages_the_newest_places_are_found(
    catalog: Catalog, speech: MessageSearch
) -> None:
    words = " ".join(f"word{n}" for n in range(150))
    with catalog.database.write() as tx:
        for number in range(1000):
            chat = (number + 1, f"chat {number}", "[]", number, number)
            tx.execute(
                "INSERT INTO chats (id, title, kbs, created, changed) VALUES (?, ?, ?, ?, ?)", chat
            )
            tx.executemany(
                "INSERT INTO messages (chat_id, role, text, payload, created) "
                "VALUES (?, 'assistant', ?, ?, 0)",
                [(number + 1, f"{words} {number} {each}", "x" * 4000) for each in range(10)],
            )
    assert speech.find("nowhere", CancelToken()) == []
    assert len(speech.find("word1", CancelToken())) == MAX_HITS


def test_a_search_that_is_no_longer_wanted_stops(
    speech: MessageSearch, talks: dict[str, Any]
) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        speech.find("fuel", token)
