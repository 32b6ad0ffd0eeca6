"""What the doctor finds in the data folder."""

from __future__ import annotations

import json
import platform
import sys
from contextlib import closing
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core import settings_file
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import ListingRow
from desktop_rag.core.requests import DescribeRequest
from desktop_rag.parsing.sandbox import child_process, linux_confinement
from desktop_rag.parsing.sandbox.confinement import ProcessLimits
from testing.narrowing import narrow
from testing.ollama_double import DoubleModel, OllamaDouble
from testing.ollama_double.models import CHAT, EMBEDDING
from testing.openai_double import LM_STUDIO, OpenAIDouble
from tests.attacks.hostile_ollama import HostileOllama

WRONG = {"retrieval": {"candidates": 0}}


def check(home: Path, name: str, host: str = "http://127.0.0.1:9") -> dict[str, object]:
    home.mkdir(mode=0o700)
    workspace = open_workspace(home, settings_file.load(home, {"ollama.host": host}))
    try:
        events = perform(workspace, DescribeRequest("doctor"), CancelToken())
        (found,) = [
            row for each in events if (row := narrow(each, ListingRow).values)["name"] == name
        ]
    finally:
        workspace.close()
    return dict(found)


def confinement(home: Path) -> dict[str, object]:
    return check(home, "confinement")


@pytest.mark.usefixtures("only_loopback")
def test_a_port_that_hangs_up_is_told_like_one_where_nothing_runs(tmp_path: Path) -> None:
    away = check(tmp_path / "away", "Ollama")
    with HostileOllama(version=lambda _: None) as taken:
        url = taken.url
        found = check(tmp_path / "taken", "Ollama", url)
    assert found["status"] == away["status"] == "warning"
    assert found["detail"] == f"What listens at {url} hangs up without an answer."
    assert "Ollama itself runs there" in str(found["remedy"])


@pytest.mark.usefixtures("only_loopback")
def test_a_model_in_the_cloud_is_marked_and_how_to_switch_it_off_is_told(tmp_path: Path) -> None:
    mine = DoubleModel("mine:latest", remote_host="https://ollama.com:443")
    with OllamaDouble(CHAT, mine) as ollama:
        ollama.version = "0.18.0"
        told = check(tmp_path / "on", "Ollama", ollama.url)
        on = check(tmp_path / "on again", "Ollama's cloud", ollama.url)
        ollama.cloud_is_off = True
        off = check(tmp_path / "off", "Ollama's cloud", ollama.url)
    assert f"{CHAT.name}, mine:latest (runs at https://ollama.com:443)" in str(told["detail"])
    assert "disable_ollama_cloud" in str(on["remedy"])
    assert (off["status"], off["detail"], off["remedy"]) == ("ok", "switched off", "")


@pytest.mark.usefixtures("only_loopback")
def test_models_are_listed_with_where_they_run(tmp_path: Path) -> None:
    mine = DoubleModel("mine:latest", remote_host="https://ollama.com:443")
    with OllamaDouble(CHAT, mine) as ollama:
        chosen = settings_file.load(tmp_path, {"ollama.host": ollama.url})
        with closing(open_workspace(tmp_path, chosen)) as workspace:
            events = list(perform(workspace, DescribeRequest("models"), CancelToken()))
    rows = {row["name"]: row for each in events if (row := narrow(each, ListingRow).values)}
    assert (rows[CHAT.name]["place"], rows[CHAT.name]["title"]) == ("", "llama 3.2B Q4_K_M")
    assert rows["mine:latest"]["place"] == "https://ollama.com:443"
    assert rows["mine:latest"]["title"].endswith("runs at https://ollama.com:443")


@pytest.mark.usefixtures("only_loopback")
def test_another_server_is_named_with_its_models(tmp_path: Path) -> None:
    with OpenAIDouble(CHAT, EMBEDDING, product=LM_STUDIO) as server:
        told = check(tmp_path / "there", "LM Studio", server.url)
        chosen = settings_file.load(tmp_path, {"ollama.host": f"{server.url}/v1"})
        with closing(open_workspace(tmp_path / "list", chosen)) as workspace:
            events = list(perform(workspace, DescribeRequest("models"), CancelToken()))
        server.models = {}
        empty = check(tmp_path / "empty", "OpenAI-compatible server", server.url)
    rows = {row["name"]: row for each in events if (row := narrow(each, ListingRow).values)}
    assert (told["status"], told["detail"]) == ("ok", f"at {server.url}; {CHAT.name}")
    assert (rows[CHAT.name]["server"], rows[CHAT.name]["kind"]) == ("lm studio", "language")
    assert EMBEDDING.name not in rows
    assert empty["status"] == "warning"
    assert "Load a model" in str(empty["remedy"])


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in {"x86_64", "aarch64"},
    reason="it is Linux that holds readers, by its numbers",
)
@pytest.mark.usefixtures("only_loopback")
def test_what_holds_readers_is_found_by_trying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = confinement(tmp_path / "here")
    if linux_confinement.landlock_version() > 0:
        assert found["status"] == "ok"
        assert f"Landlock (version {linux_confinement.landlock_version()})" in str(found["detail"])
    monkeypatch.setattr(child_process, "ProcessLimits", partial(ProcessLimits, may_landlock=False))
    found = confinement(tmp_path / "without Landlock")
    assert found["status"] == "warning"
    assert "attachments of mails are not read" in str(found["detail"])
    assert "5.13" in str(found["remedy"])
    monkeypatch.setattr(child_process, "serve", unconfined)
    found = confinement(tmp_path / "nothing")
    assert found["status"] == "warning"
    assert "socket, fork, kill, /proc/PID/mem, open, chmod" in str(found["detail"])


def unconfined(pipe: Connection, answer: child_process.RequestHandler, _: ProcessLimits) -> None:
    """Serve as a reader on a system that holds it to nothing."""
    pipe.send_bytes(b"r")
    pipe.send_bytes(b"d" + narrow(answer(pipe.recv_bytes()), bytes))


@pytest.mark.usefixtures("only_loopback")
@pytest.mark.parametrize(("stored", "status"), [(None, "ok"), ({}, "ok"), (WRONG, "warning")])
def test_settings_that_are_passed_over_are_told(
    tmp_path: Path, stored: dict[str, object] | None, status: str
) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    if stored is not None:
        (home / "settings.json").write_text(json.dumps(stored))
    workspace = open_workspace(
        home, settings_file.load(home, {"ollama.host": "http://127.0.0.1:9"})
    )
    try:
        events = perform(workspace, DescribeRequest("doctor"), CancelToken())
        (found,) = [
            row for each in events if (row := narrow(each, ListingRow).values)["name"] == "settings"
        ]
    finally:
        workspace.close()
    assert found["status"] == status
    if status == "warning":
        assert found["detail"] == "retrieval.candidates cannot be 0."
        assert str(home / "settings.json") in str(found["remedy"])
