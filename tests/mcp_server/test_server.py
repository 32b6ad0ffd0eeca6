"""Another program asks: what it is given, what it is refused, and how it stops."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client

from testing.ollama_double import OllamaDouble, Script
from tests.mcp_server.mcp_client import in_session, refused, used
from tests.system.terminal import Terminal
from tests.system.window_process import WINDOW

LEASE = "# Lease of the workshop\n\nThe rent of the workshop is 1,250 euros a month.\n"
PAY = "# Salaries\n\nAnna Keller earns 71,000 euros a year at the observatory.\n"
TOOLS = {"list_knowledge_bases", "list_documents", "search", "ask", "read_document"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two knowledge bases: `contracts` may be asked, `private` not; both have the lease."""
    for name, text in (("contracts/lease.md", LEASE), ("private/pay.md", PAY)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "private" / "copy.md").write_text(LEASE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def terminal(folder: Path) -> Terminal:
    terminal = Terminal(folder / "home")
    terminal.type("index", folder / "private", "--kb", "private")
    terminal.type("index", folder / "contracts", "--kb", "contracts")
    served = terminal.type("kb", "serve", "contracts", "on", "--json").lines
    assert [row["is_served"] for row in served] == [True]
    return terminal


def test_a_client_lists_searches_asks_and_reads(terminal: Terminal, folder: Path) -> None:
    path = str(folder / "contracts" / "lease.md")

    async def scenario(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
        (base,) = (await used(client, "list_knowledge_bases"))["knowledge_bases"]
        assert (base["name"], base["files"], base["not_read"]) == ("contracts", 1, 0)
        documents = await used(client, "list_documents", knowledge_base="contracts")
        assert [(each["path"], each["status"]) for each in documents["documents"]] == [
            (path, "ready")
        ]
        found = (await used(client, "search", query="rent of the workshop"))["passages"]
        assert [each["path"] for each in found] == [path]
        answer = await used(client, "ask", question="How high is the rent of the workshop?")
        assert answer["mode"] == "extracted"
        assert "1,250 euros" in answer["answer"]
        assert answer["citations"][0]["place"] == "line 3"
        text = await used(client, "read_document", path=path, passage_id=found[0]["passage_id"])
        assert "1,250 euros" in text["passages"][0]["text"]
        assert (text["total"], text["next_first"]) == (1, None)

    in_session(terminal, scenario)


def test_nothing_is_told_of_a_base_without_consent(terminal: Terminal, folder: Path) -> None:
    secret = str(folder / "private" / "pay.md")

    async def scenario(client: Client) -> list[Any]:
        named = {"knowledge_bases": ["private"]}
        told = [
            await refused(client, "search", query="salary of Anna Keller", **named),
            await refused(client, "search", query="rent", knowledge_bases=["contracts", "private"]),
            await refused(client, "ask", question="What does Anna Keller earn?", **named),
            await refused(client, "list_documents", knowledge_base="private"),
        ]
        assert all("that other programs may ask" in each for each in told)
        unknown = await refused(client, "list_documents", knowledge_base="nowhere")
        assert unknown == told[-1].replace("private", "nowhere")
        assert "no text of" in await refused(client, "read_document", path=secret)
        copy = str(folder / "private" / "copy.md")
        assert "no text of" in await refused(client, "read_document", path=copy)
        for odd in ("/", "", str(folder), "file://[x", "a" * 5000, "no\0name"):
            assert "no text of" in await refused(client, "read_document", path=odd)
        return [
            await used(client, "list_knowledge_bases"),
            await used(client, "search", query="What does Anna Keller earn at the observatory?"),
            await used(client, "search", query="rent of the workshop"),
            await used(client, "ask", question="What does Anna Keller earn?"),
        ]

    given = in_session(terminal, scenario)
    assert given[-1]["mode"] == "refused"
    for word in ("private", "observatory", "71,000", "copy.md"):
        assert word not in json.dumps(given)


def test_no_way_of_asking_looks_into_a_base_without_consent(terminal: Terminal) -> None:
    """CRAG looks into other knowledge bases where the first search is judged weak."""
    told: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert (progress >= 0.0, total) == (True, None)
        told.append(message or "")

    async def scenario(client: Client) -> dict[str, Any]:
        question = {"question": "What does Anna Keller earn at the observatory?"}
        result = await client.call_tool("ask", question, progress_callback=hear)
        assert result.structured_content is not None
        return result.structured_content

    with OllamaDouble() as double:
        double.say(*["Anna Keller salary observatory [1]."] * 20)
        words = ("--set", "answering.strategy=crag")
        given = in_session(Terminal(terminal.home, double.url), scenario, *words)
        asked = json.dumps([each.messages for each in double.chats])
    assert "private" not in json.dumps([given, told])
    assert "71,000" not in json.dumps([given, told]) + asked
    assert told


def test_an_answer_is_not_given_when_consent_was_taken_back_meanwhile(terminal: Terminal) -> None:
    with OllamaDouble() as double:
        double.say(Script("The rent is 1,250 euros a month [1]. " * 20, pace=0.02))

        async def scenario(client: Client) -> None:
            async def withdraw() -> None:
                await _until(lambda: bool(double.chats))
                withdrawn = ("kb", "serve", "contracts", "off")
                await anyio.to_thread.run_sync(lambda: terminal.type(*withdrawn))

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(withdraw)
                told = await refused(client, "ask", question="How high is the rent?")
            assert "kb serve NAME on" in told

        in_session(Terminal(terminal.home, double.url), scenario)


def test_many_questions_at_once_are_all_answered(terminal: Terminal) -> None:
    """More than there are threads: those that write to the client must not wait for them."""

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert (progress >= 0.0, total) == (True, None)

    async def scenario(client: Client) -> list[str]:
        modes: list[str] = []

        async def ask() -> None:
            question = {"question": "How high is the rent of the workshop?"}
            result = await client.call_tool("ask", question, progress_callback=hear)
            modes.append((result.structured_content or {})["mode"])

        async with anyio.create_task_group() as tasks:
            for _ in range(50):
                tasks.start_soon(ask)
        return modes

    assert in_session(terminal, scenario) == ["extracted"] * 50


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_frees_the_folder(terminal: Terminal, sign: signal.Signals) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "desktop_rag", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=dict(os.environ) | {"DESKTOP_RAG_HOME": str(terminal.home)},
    )
    assert server.stdin is not None
    assert server.stdout is not None
    ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    begin = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    for message in (
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": begin},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        ask | {"params": {"name": "search", "arguments": {"query": "rent"}}},
    ):
        server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
    while b'"id":1' not in server.stdout.readline().replace(b" ", b""):
        pass
    server.send_signal(sign)
    assert server.wait(60) == 130
    server.communicate()
    assert terminal.type("search", "rent", "--kb", "contracts", "--json").lines


def test_a_consent_that_is_taken_back_counts_at_once(terminal: Terminal) -> None:
    async def scenario(client: Client) -> None:
        assert (await used(client, "search", query="rent"))["passages"]
        withdrawn = await anyio.to_thread.run_sync(
            lambda: terminal.type("kb", "serve", "contracts", "off", "--json")
        )
        assert withdrawn.status == 0, withdrawn.err
        assert "kb serve NAME on" in await refused(client, "search", query="rent")
        listed = await used(client, "list_knowledge_bases")
        assert not listed["knowledge_bases"]
        assert "kb serve NAME on" in listed["note"]

    in_session(terminal, scenario)


def test_wrong_arguments_are_told_in_words(terminal: Terminal, folder: Path) -> None:
    async def scenario(client: Client) -> None:
        assert "The query is empty." in await refused(client, "search", query=" ")
        assert "is no filter" in await refused(client, "search", query="rent", where="size:3")
        assert "count" in await refused(client, "search", query="rent", count=1000)
        path = str(folder / "contracts" / "lease.md")
        lost = await refused(client, "read_document", path=path, passage_id="999999")
        assert "no passage 999999" in lost
        assert "next_first" in await used(client, "read_document", path=path)

    in_session(terminal, scenario)


def test_long_lists_and_documents_come_in_parts(terminal: Terminal, folder: Path) -> None:
    long = "\n\n".join(f"# Part {n}\n\nThe gate of part {n} is number {n * 7}." for n in range(40))
    (folder / "contracts" / "gates.md").write_text(long * 3, encoding="utf-8")
    terminal.type("index", folder / "contracts", "--kb", "contracts")

    async def scenario(client: Client) -> None:
        name = "contracts"
        first = await used(client, "list_documents", knowledge_base=name, count=1)
        assert (first["total"], first["next_first"]) == (2, 2)
        second = await used(client, "list_documents", knowledge_base=name, count=1, first=2)
        assert second["next_first"] is None
        paths = [part["documents"][0]["path"] for part in (first, second)]
        assert paths == sorted(paths)
        path = str(folder / "contracts" / "gates.md")
        read, place = [], 1
        while place is not None:
            part = await used(client, "read_document", path=path, first=place, count=7)
            read += [each["passage_id"] for each in part["passages"]]
            place = part["next_first"]
        assert len(read) == len(set(read)) == part["total"]
        middle = read[len(read) // 2]
        around = await used(client, "read_document", path=path, passage_id=middle, count=3)
        assert [each["passage_id"] for each in around["passages"]][1] == middle

    in_session(terminal, scenario)


def test_a_language_model_writes_the_answer_and_its_steps_are_told(terminal: Terminal) -> None:
    told: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert (progress >= 0.0, total) == (True, None)
        told.append(message or "")

    async def scenario(client: Client) -> dict[str, Any]:
        question = {"question": "How high is the rent of the workshop?", "preset": "fast"}
        result = await client.call_tool("ask", question, progress_callback=hear)
        assert result.structured_content is not None
        return result.structured_content

    with OllamaDouble() as double:
        double.say("The rent is 1,250 euros a month [1].")
        answer = in_session(Terminal(terminal.home, double.url), scenario)
    assert (answer["mode"], answer["answer"]) == (
        "generated",
        "The rent is 1,250 euros a month [1].",
    )
    assert any("Searching" in each for each in told)


def test_a_client_that_stops_waiting_stops_the_work(terminal: Terminal) -> None:
    with OllamaDouble() as double:
        double.say(Script("The rent was high, " * 400, pace=0.05))

        async def scenario(client: Client) -> None:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(client.call_tool, "ask", {"question": "How high is the rent?"})
                await _until(lambda: bool(double.chats))
                tasks.cancel_scope.cancel()
            await _until(lambda: double.chats[0].abandoned)
            assert (await used(client, "search", query="rent"))["passages"]

        in_session(Terminal(terminal.home, double.url), scenario)


def test_a_window_takes_the_folder_over_and_gives_it_back(terminal: Terminal) -> None:
    async def scenario(client: Client) -> None:
        assert (await used(client, "search", query="rent"))["passages"]
        window = subprocess.Popen(
            [sys.executable, "-c", WINDOW, str(terminal.home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert window.stdout is not None
        assert await anyio.to_thread.run_sync(window.stdout.readline) == "moved in\n"
        assert (await used(client, "search", query="rent"))["passages"]
        await anyio.to_thread.run_sync(lambda: window.communicate("\n", timeout=60))
        assert window.returncode == 0
        assert (await used(client, "search", query="rent"))["passages"]

    in_session(terminal, scenario)


async def _until(is_so: Any, seconds: float = 60.0) -> None:
    give_up = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < give_up
        await anyio.sleep(0.05)
