from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from desktop_rag.core.paths import HOME_VARIABLE, platform_data_dir
from desktop_rag.core.program_command import client_configuration, program_command


def _args(data_dir: Path) -> list[str]:
    server = json.loads(client_configuration(data_dir))["mcpServers"]["desktop-rag"]
    return [server["command"], *server["args"]]


def test_a_client_starts_the_program_as_it_runs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _args(platform_data_dir()) == [sys.executable, "-m", "desktop_rag", "mcp"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert program_command() == [sys.executable]
    assert _args(platform_data_dir()) == [sys.executable, "mcp"]


def test_a_folder_that_the_environment_names_is_named_to_clients(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Their environment may be another one."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    assert _args(tmp_path)[-3:] == ["mcp", "--data-dir", str(tmp_path)]
