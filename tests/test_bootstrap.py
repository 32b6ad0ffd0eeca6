from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace, with_settings
from desktop_rag.core.errors import UserError
from desktop_rag.core.settings import Settings
from desktop_rag.core.settings_file import with_value


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("retrieval.exact_upto", 5),
        ("models.embedder", "other"),
        ("models.threads", 1),
    ],
)
def test_what_an_open_folder_cannot_change_is_not_ignored_in_silence(
    tmp_path: Path, key: str, value: object
) -> None:
    workspace = open_workspace(tmp_path, Settings())
    with pytest.raises(UserError, match="open under other settings"):
        with_settings(workspace, with_value(Settings(), key, value))
    workspace.close()


def test_the_size_of_the_window_and_what_holds_at_once_may_be_another(tmp_path: Path) -> None:
    workspace = open_workspace(tmp_path, Settings())
    changed = with_value(with_value(Settings(), "window.scale", 150), "retrieval.candidates", 80)
    changed = with_value(changed, "privacy.chroma_url", "http://127.0.0.1:8000")
    assert with_settings(workspace, changed).settings == changed
    workspace.close()


@pytest.mark.parametrize(
    ("wanted", "unwanted"),
    [
        ("import httpx", "rich"),
        ("import httpx", "pygments"),
        ("from desktop_rag.commands import kb_actions", "httpx"),
    ],
)
def test_what_is_not_needed_is_not_loaded(wanted: str, unwanted: str) -> None:
    program = f"import sys, desktop_rag\n{wanted}\nsys.exit({unwanted!r} in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
