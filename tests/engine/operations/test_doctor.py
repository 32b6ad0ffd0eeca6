"""What the doctor finds in the data folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import DescribeRequest
from desktop_rag.engine.operations.perform import perform
from desktop_rag.store import settings

WRONG = {"retrieval": {"candidates": 0}}


@pytest.mark.usefixtures("only_loopback")
@pytest.mark.parametrize(("stored", "status"), [(None, "ok"), ({}, "ok"), (WRONG, "warning")])
def test_settings_that_are_passed_over_are_told(
    tmp_path: Path, stored: dict[str, object] | None, status: str
) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    if stored is not None:
        (home / "settings.json").write_text(json.dumps(stored))
    workspace = open_workspace(home, settings.load(home, {"ollama.host": "http://127.0.0.1:9"}))
    try:
        events = perform(workspace, DescribeRequest("doctor"), CancelToken())
        (found,) = [each.values for each in events if each.values["name"] == "settings"]
    finally:
        workspace.close()
    assert found["status"] == status
    if status == "warning":
        assert found["detail"] == "retrieval.candidates cannot be 0."
        assert str(home / "settings.json") in str(found["remedy"])
