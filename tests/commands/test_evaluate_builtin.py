"""Answers to the built-in questions: figures, what is kept, and how a run goes on."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.answers_table import answers_table
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, NotAllowed, UsageError, UserError
from desktop_rag.core.evaluation_records import BUILTIN
from desktop_rag.core.events import Event, IndexProgress, ListingRow, Notice
from desktop_rag.core.requests import EvalRequest
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.evaluation.builtin_questions import builtin_questions
from desktop_rag.workspace import Workspace
from testing.ollama_double import OllamaDouble, Script
from testing.ollama_double.models import CHAT
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.server import refused_url

FOUR = builtin_questions(5)


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        running.otherwise = known_answer
        yield running


@pytest.fixture
def space(tmp_path: Path, ollama: OllamaDouble) -> Iterator[Workspace]:
    made = open_workspace(tmp_path / "home", Settings(ollama=Ollama(host=ollama.url)))
    yield made
    made.close()


def known_answer(request: Recorded) -> str:
    """Answer what is asked as the set knows it; what nothing answers is not found."""
    told = request.messages[-1]["content"]
    item = next(each for each in FOUR if each.question in told)
    if item.answers:
        return f"{item.answers[0]} [1]."
    return "This is not found in your documents."


def asked(*strategies: str, limit: int = 5, **more: Any) -> EvalRequest:
    return EvalRequest("answers", strategies=strategies, limit=limit, builtin=True, **more)


def run(space: Workspace, request: EvalRequest) -> list[Event]:
    return list(perform(space, request, CancelToken()))


def rows(events: list[Event]) -> dict[str, dict[str, Any]]:
    found = [event.values for event in events if isinstance(event, ListingRow)]
    return {row["strategy"]: row for row in found}


def test_a_model_that_knows_is_measured_so(space: Workspace, ollama: OllamaDouble) -> None:
    found = rows(run(space, asked("quotes", "single_pass")))
    row = found["single_pass"]
    assert (row["questions"], row["exact"], row["f1"], row["holds"]) == (5, 100.0, 100.0, 100.0)
    assert (row["refused_right"], row["refused_wrong"], row["failed"]) == (100.0, 0.0, 0)
    assert row["f1_single"] == row["f1_multi"] == row["f1_en"] == row["f1_zh"] == 100.0
    assert row["llm_calls"] == 1.0
    assert row["prompt_tokens"] > 100
    assert row["answer_tokens"] > 0
    assert row["citation_precision"] >= 50.0
    assert row["setup"]["model"] == CHAT.name
    assert row["setup"]["digest"] == CHAT.digest[:12]
    assert len(ollama.chats) == 5
    assert (found["quotes"]["llm_calls"], found["quotes"]["setup"]["model"]) == (0.0, None)
    (kept,) = space.catalog.measured.of(BUILTIN, "answers")
    assert kept.ways[1].scores == {each.id: 1.0 for each in FOUR}


def test_what_is_answered_is_not_asked_again(space: Workspace, ollama: OllamaDouble) -> None:
    steps = cast("Generator[Event]", perform(space, asked("single_pass"), CancelToken()))
    done = 0
    for event in steps:
        done += isinstance(event, IndexProgress) and event.stage == "ask"
        if done == 2:
            break
    steps.close()
    assert len(ollama.chats) == 2
    some = rows(run(space, asked("single_pass", so_far=True)))
    assert some["single_pass"]["questions"] == 2
    assert len(ollama.chats) == 2
    events = run(space, asked("single_pass"))
    (notice,) = [event.text for event in events if isinstance(event, Notice)]
    assert notice.startswith("2 of 5 were answered before")
    assert rows(events)["single_pass"]["f1"] == 100.0
    assert len(ollama.chats) == 5
    told = [each.messages[-1]["content"] for each in ollama.chats]
    assert all(sum(each.question in one for one in told) == 1 for each in FOUR)
    run(space, asked("single_pass"))
    assert len(ollama.chats) == 5
    run(space, asked("single_pass", fresh=True))
    assert len(ollama.chats) == 10


def test_another_model_setting_or_way_begins_anew(space: Workspace, ollama: OllamaDouble) -> None:
    run(space, asked("single_pass", limit=2))
    ollama.models[CHAT.name] = replace(CHAT, weights="newer")
    run(space, asked("single_pass", limit=2))
    assert len(ollama.chats) == 4
    warmer = replace(space.settings, ollama=replace(space.settings.ollama, temperature=0.5))
    run(replace(space, settings=warmer), asked("single_pass", limit=2))
    assert len(ollama.chats) == 6
    kept = replace(space.settings, ollama=replace(space.settings.ollama, keep_alive="1h"))
    run(replace(space, settings=kept), asked("single_pass", limit=2))
    assert len(ollama.chats) == 6
    run(space, asked("fast", limit=2))
    assert len(ollama.chats) == 8


def test_a_question_that_the_model_fails_on_is_counted_and_asked_again(
    space: Workspace, ollama: OllamaDouble
) -> None:
    ollama.say(Script(error="out of memory", status=500))
    row = rows(run(space, asked("single_pass", limit=2)))["single_pass"]
    assert (row["questions"], row["failed"], row["exact"]) == (2, 1, 50.0)
    row = rows(run(space, asked("single_pass", limit=2)))["single_pass"]
    assert (row["failed"], row["exact"]) == (0, 100.0)
    assert len(ollama.chats) == 3


def test_a_model_that_only_fails_ends_the_run(space: Workspace, ollama: OllamaDouble) -> None:
    ollama.say(*(Script(error="out of memory", status=500) for _ in range(9)))
    with pytest.raises(ModelUnavailable, match="out of memory"):
        run(space, asked("single_pass"))
    assert space.catalog.measured.of(BUILTIN, "answers") == []


def test_without_a_model_only_quotes_are_measured(tmp_path: Path) -> None:
    space = open_workspace(tmp_path / "home", Settings(ollama=Ollama(host=refused_url())))
    with pytest.raises(ModelUnavailable) as problem:
        run(space, asked(limit=2))
    assert "quotes" in problem.value.remedy
    row = rows(run(space, asked("quotes", limit=2)))["quotes"]
    assert (row["questions"], row["llm_calls"]) == (2, 0.0)
    space.close()


def test_a_model_of_the_cloud_is_not_asked(space: Workspace, ollama: OllamaDouble) -> None:
    cloud = replace(CHAT, name="big:120b-cloud", remote_host="https://ollama.com:443")
    ollama.models[cloud.name] = cloud
    with pytest.raises(NotAllowed):
        run(space, asked("single_pass", model=cloud.name))
    assert ollama.chats == []


def test_what_cannot_be_measured_is_told_before_anything_is_asked(
    space: Workspace, ollama: OllamaDouble, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="telepathy"):
        run(space, asked("single_pass", "telepathy"))
    with pytest.raises(UsageError):
        run(space, replace(asked("single_pass"), task="retrieval"))
    table = tmp_path / "table.md"
    table.write_text("mine", "utf-8")
    with pytest.raises(UserError, match="there already"):
        run(space, asked("single_pass", out=str(table)))
    assert table.read_text("utf-8") == "mine"
    assert ollama.chats == []


def test_the_table_can_be_sent(space: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "table.md"
    found = rows(run(space, asked("quotes", "single_pass", limit=4, out=str(file))))
    text = file.read_text("utf-8")
    assert text == answers_table(list(found.values()))
    assert f"`{CHAT.name}` ({CHAT.parameters}, Q4_K_M; digest" in text
    assert "Ollama 0.12.11, context 8192, temperature 0, no seed" in text
    assert "| quotes, without a model | 4 |" in text
    assert "| single_pass | 4 | 100.0 | 100.0 | 100.0 | 100.0–100.0 |" in text
    for private in (str(tmp_path), str(Path.home()), platform.node(), "127.0.0.1"):
        assert private not in text


def test_a_killed_run_goes_on(tmp_path: Path, ollama: OllamaDouble) -> None:
    """The command itself, killed between two answers, asks no question twice."""
    words = [sys.executable, "-m", "desktop_rag", "eval", "answers", "--real", "--limit", "5"]
    words += ["--strategy", "single_pass", "--json", "--data-dir", str(tmp_path / "home")]
    words += ["--set", f"ollama.host={ollama.url}"]
    first = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    folder = tmp_path / "home" / "evaluation" / "answers"
    deadline = time.monotonic() + 120
    while not (folder.exists() and any(each.stat().st_size for each in folder.iterdir())):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    first.kill()
    first.wait()
    answered = sum(each.read_bytes().count(b"}\n") for each in folder.iterdir())
    asked_before = len(ollama.chats)
    assert 1 <= answered <= 5
    second = subprocess.run(words, capture_output=True, check=True, encoding="utf-8")
    row = json.loads(second.stdout)
    assert (row["questions"], row["f1"]) == (5, 100.0)
    assert f"{answered} of 5 were answered before" in second.stderr
    assert len(ollama.chats) - asked_before == 5 - answered
