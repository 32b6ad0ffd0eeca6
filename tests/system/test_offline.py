"""The whole main job where there is no network: it works, and nothing so much as tries to leave.

Where a system gives no process a network of its own, the job runs in the common one; that no
Python process tries to leave is watched everywhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPOSITORY
from tests.network_guard import can_cut_off, cut_off
from tests.socket_audit import sitecustomize_for

SAMPLES = REPOSITORY / "resources" / "samples"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("witness") / "attempts.log"


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory, log: Path) -> tuple[dict[str, Any], list[str]]:
    home = tmp_path_factory.mktemp("home")
    python_path = sitecustomize_for(log, log.parent / "site")
    command = [sys.executable, "-m", "tests.system.offline_job", str(home), str(SAMPLES)]
    done = subprocess.run(
        cut_off(*command) if can_cut_off() else command,
        cwd=REPOSITORY,
        env=os.environ | {"PYTHONPATH": python_path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    outcome, asked = done.stdout.splitlines()
    return json.loads(outcome), json.loads(asked)


def test_every_command_works_without_a_network(job: tuple[dict[str, Any], list[str]]) -> None:
    outcome, _ = job
    failed = {name: told["err"] for name, told in outcome.items() if told["status"] != 0}
    assert failed == {}


def test_the_samples_are_read(job: tuple[dict[str, Any], list[str]]) -> None:
    (done,) = job[0]["index"]["last"]
    assert set(done["files"]) == {"ready"}
    assert done["files"]["ready"] == len(list(SAMPLES.iterdir()))


def test_the_answer_is_quoted_without_a_model_and_written_with_one(
    job: tuple[dict[str, Any], list[str]],
) -> None:
    outcome, asked = job
    (quoted,), (written,) = outcome["quoted"]["last"], outcome["written"]["last"]
    assert (quoted["mode"], quoted["model"]) == ("extracted", None)
    assert (written["mode"], written["model"]) == ("generated", "llama3.2:3b")
    assert written["citations"]
    assert asked == ["/api/chat"]


def test_no_python_process_tried_to_leave(job: tuple[dict[str, Any], list[str]], log: Path) -> None:
    lines = log.read_text(encoding="utf-8").splitlines()
    processes = [line for line in lines if line.startswith("process ")]
    assert any("multiprocessing" in line for line in processes), "the parsers are watched too"
    assert [line for line in lines if not line.startswith("process ")] == []


def test_the_witness_sees_an_attempt(tmp_path: Path) -> None:
    log = tmp_path / "attempts.log"
    program = "import socket\nsocket.create_connection(('192.0.2.1', 9), timeout=0.1)"
    subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": sitecustomize_for(log, tmp_path / "site")},
        capture_output=True,
        check=False,
    )
    assert log.read_text(encoding="utf-8").splitlines()[1:] == ["socket.connect 192.0.2.1"]


def test_onnx_runtime_prepares_no_report(tmp_path: Path) -> None:
    program = "import desktop_rag, onnxruntime"
    home = os.environ | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    home.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run([sys.executable, "-c", program], env=home, check=True)
    assert list(tmp_path.rglob("*")) == []
