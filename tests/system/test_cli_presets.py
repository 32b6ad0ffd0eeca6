"""Presets as typed: listed, asked by, set, measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from testing.ollama_double import OllamaDouble
from tests.system.terminal import Terminal

QUESTION = "How high is the monthly rent?"
SEVERAL = "Who is the owner of the house that the ferry's captain rents?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "lease.md").write_text("# Rent\n\nThe monthly rent is 1,450 francs.\n")
    (folder / "ferry.txt").write_text("The captain of the ferry Sula rents Gull House.\n")
    (folder / "gull house.md").write_text("# Gull House\n\nIt is owned by Anna Berg.\n")
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


def test_presets_are_listed_with_what_they_are_composed_of(home: Terminal) -> None:
    lines = home.type("strategies", "--json").lines
    listed = {line["name"]: line for line in lines if line["kind"] == "preset"}
    assert list(listed) == ["fast", "balanced", "thorough", "study_best", "study_balanced"]
    parts = {each["name"]: each["default"] for each in listed["thorough"]["options"]}
    assert parts == {"strategy": "linked_hops", "transforms": "multi_query, verify"}


def test_a_question_of_several_steps_is_followed_through_names_by_itself(
    terminal: Terminal,
) -> None:
    asked = terminal.type("ask", SEVERAL, "--json")
    answer = asked.lines[-1]
    assert (answer["preset"], answer["strategy"]) == ("balanced", "linked_hops")
    assert answer["llm_calls"] == 1
    simple = terminal.type("ask", QUESTION, "--json").lines[-1]
    assert (simple["preset"], simple["strategy"]) == ("balanced", "single_pass")


def test_thorough_is_asked_by_name_and_parts_of_it_are_replaced(
    terminal: Terminal, ollama: OllamaDouble
) -> None:
    ollama.say(json.dumps({"questions": ["What does the flat cost?"]}), "It is 1,450 [1].")
    ollama.say(json.dumps({"questions": []}))
    answer = terminal.type("ask", QUESTION, "--preset", "thorough", "--json").lines[-1]
    assert (answer["preset"], answer["strategy"]) == ("thorough", "linked_hops")
    assert answer["llm_calls"] == 3
    typed = ("--preset", "thorough", "--strategy", "single_pass", "--transform", "condense")
    answer = terminal.type("ask", QUESTION, *typed, "--json").lines[-1]
    assert (answer["preset"], answer["strategy"]) == ("thorough", "single_pass")
    assert answer["llm_calls"] == 1


@pytest.mark.parametrize("preset", ["fast", "balanced", "thorough"])
def test_every_preset_quotes_without_a_model_and_says_what_it_leaves_out(
    home: Terminal, preset: str
) -> None:
    asked = home.type("ask", QUESTION, "--preset", preset, "--json")
    *events, answer = asked.lines
    assert (answer["mode"], answer["preset"], answer["model"]) == ("extracted", preset, None)
    assert "1,450 francs" in answer["text"]
    told = [line["text"] for line in events if line["event"] == "notice"]
    assert any("checks no answer" in text for text in told) == (preset == "thorough")


def test_the_settings_way_may_be_a_preset(terminal: Terminal) -> None:
    chosen = ("--set", "answering.strategy=fast")
    assert terminal.type("ask", SEVERAL, *chosen, "--json").lines[-1]["preset"] == "fast"


def test_an_unknown_preset_is_told_with_those_there_are(home: Terminal) -> None:
    asked = home.type("ask", QUESTION, "--preset", "magic")
    assert asked.status == 2
    assert "magic" in asked.err
    assert "fast, balanced, thorough" in asked.err


def test_presets_are_measured_beside_strategies(home: Terminal, tmp_path: Path) -> None:
    corpus = [
        {"id": "a", "title": "Sula", "text": "The captain of the Sula lives in Gull House."},
        {"id": "b", "title": "Gull House", "text": "It was built by Anna Berg."},
        {"id": "c", "title": "Trout", "text": "A trout is a fish that lives in rivers."},
    ]
    asked = [{"id": "1", "question": SEVERAL, "answers": [], "gold": ["a", "b"]}]
    for name, rows in (("corpus", corpus), ("questions", asked)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    made = home.type(
        "eval", "retrieval", "--corpus", tmp_path / "corpus.jsonl",
        "--questions", tmp_path / "questions.jsonl", "--strategy", "fast,balanced", "--json",
    )  # fmt: skip
    assert made.status == 0, made.err
    assert [line["strategy"] for line in made.lines] == ["bm25", "fast", "balanced"]
