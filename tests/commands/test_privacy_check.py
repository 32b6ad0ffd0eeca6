"""What the doctor says of privacy: true, too, where something was allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import ListingRow
from desktop_rag.core.requests import DescribeRequest
from desktop_rag.core.settings import Ollama, Privacy, Settings
from testing.narrowing import narrow

_HERE = Ollama(host="http://127.0.0.1:9")
_ELSEWHERE = Ollama(host="http://203.0.113.7:11434")
_CLOUD = "https://ollama.com"


def told(folder: Path, settings: Settings, *places: str) -> tuple[str, str]:
    """Return status and sentence of the check, with consent given for some places."""
    workspace = open_workspace(folder, settings)
    try:
        kb = workspace.catalog.kbs.create("default")
        for place in places:
            workspace.catalog.consents.give(kb.id, place)
        rows = [
            narrow(each, ListingRow).values
            for each in perform(workspace, DescribeRequest("doctor"), CancelToken())
        ]
        row = next(row for row in rows if row["name"] == "privacy")
        return str(row["status"]), str(row["detail"])
    finally:
        workspace.close()


@pytest.mark.usefixtures("only_loopback")
@pytest.mark.parametrize(
    ("settings", "places", "status", "words"),
    [
        (Settings(ollama=_HERE, privacy=Privacy()), (), "ok", "nothing leaves this computer"),
        (
            Settings(ollama=_HERE, privacy=Privacy()),
            (_CLOUD,),
            "warning",
            f"may be sent to {_CLOUD}",
        ),
        (
            Settings(ollama=_HERE, privacy=Privacy(block_remote=True)),
            (_CLOUD,),
            "ok",
            "nothing leaves this computer",
        ),
        (Settings(ollama=_ELSEWHERE, privacy=Privacy()), (), "ok", "not used without your consent"),
        (
            Settings(ollama=_ELSEWHERE, privacy=Privacy(block_remote=True)),
            (_ELSEWHERE.host,),
            "ok",
            "blocked",
        ),
    ],
)
def test_it_says_what_may_leave(
    tmp_path: Path, settings: Settings, places: tuple[str, ...], status: str, words: str
) -> None:
    found, sentence = told(tmp_path, settings, *places)
    assert found == status
    assert words in sentence
