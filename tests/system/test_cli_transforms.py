"""Questions changed before they are researched, as typed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from testing.ollama_double import OllamaDouble
from tests.system.terminal import Terminal

QUESTION = "How high is the monthly rent?"
ANSWER = "The monthly rent is 1,450 francs [1]."


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "lease.md").write_text("# Rent\n\nThe monthly rent is 1,450 francs.\n")
    (folder / "ferry.txt").write_text("The ferry Sula runs on electricity, and is white.\n")
    made = Terminal(tmp_path_factory.mktemp("home"))
    assert made.type("index", folder).status == 0
    return made


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def terminal(home: Terminal, ollama: OllamaDouble) -> Terminal:
    return replace(home, ollama=ollama.url)


def test_several_transforms_are_typed_together(terminal: Terminal, ollama: OllamaDouble) -> None:
    ollama.say(json.dumps({"questions": ["What does the flat cost?", "francs a month"]}), ANSWER)
    asked = terminal.type(
        "ask", QUESTION, "--transform", "multi_query", "--transform", "condense",
        "--option", "multi_query.queries=2", "--json",
    )  # fmt: skip
    assert asked.status == 0
    *events, answer = asked.lines
    assert [line["query"] for line in events if line["event"] == "search"] == [
        QUESTION,
        "What does the flat cost?",
        "francs a month",
    ]
    found = [line for line in events if line["event"] == "passages"]
    assert len(found) == 4
    assert all(each["kept"] for each in found[-1]["passages"])
    assert (answer["mode"], answer["searches"], answer["llm_calls"]) == ("generated", 3, 2)
    assert answer["text"] == ANSWER
    assert answer["strategy"] == "single_pass"
    assert "1,450 francs" in answer["citations"][0]["quote"]


def test_a_follow_up_is_condensed_first_and_then_changed(
    terminal: Terminal, ollama: OllamaDouble
) -> None:
    begun = terminal.type("ask", "Who runs on electricity?", "--chat", "new", "--json").lines[-1]
    ollama.say("Which colour has the ferry Sula?", "colour ferry Sula", "It is white [1].")
    asked = terminal.type(
        "ask", "And its colour?", "--chat", str(begun["chat_id"]), "--transform", "rewrite",
        "--json",
    )  # fmt: skip
    steps = [(line["name"], line["text"]) for line in asked.lines if line["event"] == "step"]
    assert steps == [
        ("condensed", "Which colour has the ferry Sula?"),
        ("rewritten", "colour ferry Sula"),
    ]
    assert [line["query"] for line in asked.lines if line["event"] == "search"] == [
        "colour ferry Sula"
    ]


def test_a_filter_that_the_question_names_keeps_to_its_files(
    terminal: Terminal, ollama: OllamaDouble
) -> None:
    ollama.say('{"filter": "ext:txt", "query": "rent"}')
    asked = terminal.type("ask", QUESTION, "--transform", "self_query", "--json")
    (found,) = [line for line in asked.lines if line["event"] == "passages"]
    assert {Path(each["path"]).name for each in found["passages"]} == {"ferry.txt"}
    ollama.say('{"filter": "ext:pdf", "query": "rent"}', ANSWER)
    asked = terminal.type("ask", QUESTION, "--transform", "self_query", "--json")
    assert any("ext:pdf" in line["text"] for line in asked.lines if line["event"] == "notice")
    assert asked.lines[-1]["text"] == ANSWER


def test_hyde_searches_with_a_real_vector(terminal: Terminal, ollama: OllamaDouble) -> None:
    ollama.say(*["A white ferry crosses the fjord, driven by electricity."] * 8, ANSWER)
    asked = terminal.type(
        "ask", QUESTION, "--transform", "hyde", "--option", "hyde.passages=8", "--json"
    )
    (found,) = [line for line in asked.lines if line["event"] == "passages"]
    first = min(found["passages"], key=lambda each: each["dense_rank"])
    assert Path(first["path"]).name == "ferry.txt"
    assert found["query"] == QUESTION


def test_without_ollama_every_transform_ends_in_quotes(home: Terminal) -> None:
    names = ["rewrite", "hyde", "query2doc", "multi_query", "step_back", "decompose",
             "self_query", "utility", "verify", "condense"]  # fmt: skip
    words = [word for name in names for word in ("--transform", name)]
    asked = home.type("ask", QUESTION, *words, "--json")
    assert asked.status == 0
    assert asked.lines[-1]["mode"] == "extracted"
    assert "1,450" in asked.lines[-1]["text"]
    assert [line["query"] for line in asked.lines if line["event"] == "search"] == [QUESTION]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--transform", "magic"], "magic"),
        (["--option", "hyde.passages=2"], "--transform hyde"),
        (["--transform", "hyde", "--option", "hyde.passages=9"], "1 to 8"),
    ],
)
def test_a_wrong_transform_is_told_in_two_lines(
    home: Terminal, words: list[str], told: str
) -> None:
    asked = home.type("ask", QUESTION, *words)
    assert asked.out == ""
    assert told in asked.err
    assert len(asked.err.splitlines()) == 2
    assert asked.status in (1, 2)


def test_transforms_are_listed_with_their_options(home: Terminal) -> None:
    lines = home.type("strategies", "--json").lines
    listed = {line["name"]: line for line in lines if line["kind"] == "transform"}
    assert {"condense", "rewrite", "hyde", "query2doc", "multi_query", "step_back", "decompose",
            "self_query", "utility", "verify"} == set(listed)  # fmt: skip
    (passages, temperature) = listed["hyde"]["options"]
    assert (passages["name"], passages["default"], passages["high"]) == ("passages", 1, 8)
    assert (temperature["name"], temperature["default"]) == ("temperature", 0.7)
    assert listed["verify"]["needs"] == ["llm"]
