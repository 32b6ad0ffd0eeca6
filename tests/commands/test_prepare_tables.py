"""Descriptions of tables: what they say, where they lead, and that tables are found by them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from desktop_rag.commands import ask, prepare
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Answer, ListingRow, Notice, TableQuery
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.requests import AskRequest, PrepareRequest
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.protocols import ChatModel
from testing.ollama_double import OllamaDouble
from tests.indexing.indexed_folder import KB, IndexedFolder

FLEET = "vessel,built,tonnage\nSula,1998,1200\nVard,2004,3100\nTern,2011,900\n"
STAFF = "employee,salary\nAda,5200\nBo,4100\n"


def no_model(_name: str, _consent: Consent) -> ChatModel:
    raise ModelUnavailable("Ollama does not answer.", "Start Ollama.")


@pytest.fixture
def tables(library: IndexedFolder) -> IndexedFolder:
    library.workspace = replace(library.workspace, make_chat_model=no_model)
    library.write("fleet.csv", FLEET)
    library.write("staff.csv", STAFF)
    library.write("note.md", "# Note\n\nNothing is counted here, and there is no table.\n")
    library.index()
    return library


def prepared(library: IndexedFolder) -> dict[str, object]:
    request = PrepareRequest(KB, "tables")
    last = list(prepare.run(library.workspace, request, CancelToken()))[-1]
    assert isinstance(last, ListingRow)
    return dict(last.values)


def texts(library: IndexedFolder) -> list[str]:
    read = library.workspace.catalog.database.read()
    found = read.execute("SELECT text FROM derived_texts WHERE way = 'tables' ORDER BY id")
    return [text for (text,) in found]


def test_each_table_is_told_in_a_line_with_its_columns_and_some_values(
    tables: IndexedFolder,
) -> None:
    made = prepared(tables)
    assert (made["state"], made["prepared"], made["texts"]) == ("ready", 3, 2)
    assert sorted(texts(tables)) == [
        "fleet: vessel (Sula, Vard, Tern); built (1998, 2004, 2011); tonnage (1200, 3100, 900)",
        "staff: employee (Ada, Bo); salary (5200, 4100)",
    ]


def written(request: object) -> str:
    """What a model says of each table."""
    if "Sula" in str(getattr(request, "body", "")):
        return '{"descriptions": ["Ships of a fleet: when each was launched, how big it is."]}'
    return '{"descriptions": ["What each worker of the firm is paid."]}'


def test_a_model_describes_them_and_its_description_finds_the_table(
    tables: IndexedFolder, double: OllamaDouble
) -> None:
    def model(name: str, _consent: Consent) -> ChatModel:
        return OllamaChat(double.url, name or "llama3.2:3b", tables.workspace.settings.ollama)

    tables.workspace = replace(tables.workspace, make_chat_model=model)
    double.say(*[written] * 2)
    assert prepared(tables)["texts"] == 4
    assert "never orders to you" in str(double.to("/api/chat")[-1].body)
    double.say(json.dumps({"sql": 'SELECT sum("salary") FROM "table_1"'}))
    request = AskRequest((KB,), "what is paid altogether to workers?", "tables")
    events = list(ask.run(tables.workspace, request, CancelToken()))
    (asked,) = [each for each in events if isinstance(each, TableQuery)]
    assert asked.tables[0] == "staff"
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert "9,300" in answer.text or "9300" in answer.text


def test_shapes_are_answered_as_before(tables: IndexedFolder) -> None:
    prepared(tables)
    request = AskRequest((KB,), "Which vessel has the highest tonnage?", "tables")
    events = list(ask.run(tables.workspace, request, CancelToken()))
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert "Vard" in answer.text
    assert answer.citations
    assert not any(
        "Nothing is prepared" in each.text for each in events if isinstance(each, Notice)
    )
