"""A changed export is refused in words or taken, and the knowledge bases that were there stay."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rag.core.errors import UserError
from desktop_rag.core.requests import KbRequest
from desktop_rag.workspace import Workspace
from tests.commands.export_files import (  # fmt: skip
    Parts,
    documents,
    done,
    dump,
    exported,
    found,
    indexed,
    opened,
    packed,
    parts_of,
)

LINES = ("documents.jsonl", "chunks.jsonl", "files.jsonl", "keys.jsonl", "sources.jsonl")
ODD: list[Any] = [
    None, True, -1, 0, 1, 1 << 31, 1 << 63, 1 << 80, 0.5, float("nan"), float("inf"), "", "\0",
    "\ud800", "../../etc/passwd", "/proc/version", "/", "ready", "a" * 2000, [], {}, [[[]]],
]  # fmt: skip


class Here:
    """A data folder with a knowledge base of its own, and an export that shares a document."""

    def __init__(self, workspace: Workspace, parts: Parts) -> None:
        self.workspace = workspace
        self.parts = parts


@dataclass(frozen=True)
class Change:
    """Another value somewhere in one line of one member; `place` picks among all it holds."""

    member: str
    line: int
    place: int
    value: Any


changes = st.builds(
    Change,
    st.sampled_from([*LINES, "manifest.json"]),
    st.integers(0, 50),
    st.integers(0, 200),
    st.sampled_from(ODD) | st.integers() | st.text(max_size=8),
)


def changed(parts: Parts, change: Change) -> Parts:
    whole = parts[change.member]
    lines = whole.splitlines() if change.member in LINES else [whole]
    if not lines:
        return parts
    at = change.line % len(lines)
    row = json.loads(lines[at])
    places = list(within(row))
    if places:
        holder, key = places[change.place % len(places)]
        holder[key] = change.value
    lines[at] = json.dumps(row).encode()
    return parts | {change.member: b"\n".join(lines) + b"\n"}


def within(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in a value, as what holds it and under which key."""
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in list(keys):
        yield value, key
        yield from within(value[key])


def test_a_change_reaches_what_lies_within() -> None:
    parts = {"files.jsonl": b'{"a": [1, {"b": 2}]}\n'}
    made = {changed(parts, Change("files.jsonl", 0, at, 7))["files.jsonl"] for at in range(4)}
    assert made == {
        b'{"a": 7}\n', b'{"a": [7, {"b": 2}]}\n', b'{"a": [1, 7]}\n', b'{"a": [1, {"b": 7}]}\n',
    }  # fmt: skip


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    folder = tmp_path_factory.mktemp("imports")
    with opened(folder / "other") as (workspace, _):
        indexed(workspace, documents(folder / "docs"))
        exported(workspace, folder / "good.ragkb")
    with opened(folder / "home") as (workspace, _):
        (folder / "own").mkdir()
        (folder / "own" / "harbour.md").write_bytes((folder / "docs" / "harbour.md").read_bytes())
        indexed(workspace, folder / "own")
        yield Here(workspace, parts_of(folder / "good.ragkb"))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(changes, min_size=1, max_size=2))
def test_a_changed_export_is_refused_or_taken_and_harms_nobody(
    here: Here, tmp_path: Path, several: list[Change]
) -> None:
    workspace, parts = here.workspace, here.parts
    before = dump(workspace)
    for change in several:
        parts = changed(parts, change)
    file = packed(tmp_path / "changed.ragkb", parts)
    try:
        taken = done(workspace, KbRequest("import", "taken", str(file)))
    except UserError as refused:
        told = refused
        assert told.what.endswith(".")
        assert told.remedy.endswith(".")
    else:
        assert taken
        done(workspace, KbRequest("delete", "taken"))
    assert dump(workspace) == before


def test_the_base_that_was_there_is_searched_as_before(here: Here) -> None:
    assert Path(found(here.workspace, "harbour")[0]["path"]).name == "harbour.md"
