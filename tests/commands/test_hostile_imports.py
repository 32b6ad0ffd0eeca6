"""Files that anybody may have made: each is refused in words, and nothing is changed."""

from __future__ import annotations

import json
import os
import pickle
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rag.catalog.exchange.archive import ExportArchive
from desktop_rag.catalog.exchange.file_format import FORMAT
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Event, IndexProgress
from desktop_rag.core.requests import KbRequest
from desktop_rag.workspace import Workspace
from tests.commands.export_files import (
    Parts,
    documents,
    dump,
    exported,
    imported,
    indexed,
    opened,
    packed,
    parts_of,
    with_fields,
    with_line,
    with_manifest,
    with_vectors,
)

DOCUMENTS, CHUNKS, FILES = "documents.jsonl", "chunks.jsonl", "files.jsonl"
KEYS, VECTORS, SOURCES, MANIFEST = "keys.jsonl", "embeddings.npy", "sources.jsonl", "manifest.json"


class Trap:
    """A pickle that leaves a file behind when somebody loads it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("sprung",)


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with opened(tmp_path_factory.mktemp("victim") / "home") as (workspace, _):
        workspace.catalog.kbs.create("mine")
        yield workspace


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("good")
    with opened(folder / "home") as (workspace, _):
        indexed(workspace, documents(folder / "docs"))
        exported(workspace, folder / "good.ragkb")
    return folder / "good.ragkb"


def refused(victim: Workspace, file: Path) -> UserError:
    """Import a file; it must be refused in two sentences while it is checked, with no trace."""
    before = dump(victim)
    events: list[Event] = []
    with pytest.raises(UserError) as caught:
        events.extend(perform(victim, KbRequest("import", "", str(file)), CancelToken()))
    assert {event.stage for event in events if isinstance(event, IndexProgress)} <= {"check"}
    assert dump(victim) == before
    assert caught.value.what.endswith(".")
    assert caught.value.remedy.endswith(".")
    return caught.value


def locator(at: int, value: object) -> Callable[[Parts], Parts]:
    """Change one field of the first chunk's locator: kind, value, start, end, cells, boxes."""

    def changed(row: dict[str, Any]) -> dict[str, Any]:
        row["locator"][at] = value
        return row

    return with_line(CHUNKS, changed)


def without(member: str, line: int = -1) -> Callable[[Parts], Parts]:
    def changed(parts: Parts) -> Parts:
        lines = parts[member].splitlines(keepends=True)
        del lines[line]
        return parts | {member: b"".join(lines)}

    return changed


def counted(member: str, by: int) -> Callable[[Parts], Parts]:
    def changed(parts: Parts) -> Parts:
        counts = json.loads(parts[MANIFEST])["counts"]
        return with_manifest(counts=counts | {member: counts[member] + by})(parts)

    return changed


def doubled(member: str) -> Callable[[Parts], Parts]:
    def changed(parts: Parts) -> Parts:
        first = parts[member].splitlines(keepends=True)[0]
        return counted(member, 1)(parts | {member: first + parts[member]})

    return changed


def raw(member: str, content: bytes) -> Callable[[Parts], Parts]:
    return lambda parts: parts | {member: content}


def first_nan(matrix: np.ndarray) -> np.ndarray:
    matrix[0, 0] = np.nan
    return matrix


CHANGES = {
    "no manifest": lambda parts: {k: v for k, v in parts.items() if k != MANIFEST},
    "another member": raw("../../evil.py", b"print()"),
    "an absolute member": raw("/etc/cron.d/evil", b"* * * * *"),
    "an exclusion that is no path": raw("exclusions.jsonl", b"[1]\n"),
    "an exclusion too many": raw("exclusions.jsonl", b'"/a"\n'),
    "the members of a later form": with_manifest(format=1),
    "a pickle beside": raw("indexes.pkl", pickle.dumps(Trap())),
    "a manifest that is none": raw(MANIFEST, b"[]"),
    "a manifest without end": raw(MANIFEST, b" " * 100_000),
    "deep JSON": raw(MANIFEST, b"[" * 60_000),
    "a huge number": raw(MANIFEST, b'{"format":' + b"9" * 5000 + b"}"),
    "a format of text": with_manifest(format="1"),
    "a format below one": with_manifest(format=0),
    "an unknown field": with_manifest(run="rm"),
    "a name of two lines": with_manifest(name="a\nb"),
    "an empty name": with_manifest(name=""),
    "a name of a number": with_manifest(name=5),
    "no dimensions": with_manifest(dimensions=0),
    "other dimensions": with_manifest(dimensions=383),
    "dimensions as truth": with_manifest(dimensions=True),
    "fewer documents": counted(DOCUMENTS, -1),
    "more documents": counted(DOCUMENTS, 1),
    "far more documents": counted(DOCUMENTS, 1 << 39),
    "a negative count": counted(FILES, -100),
    "fewer chunks": counted(CHUNKS, -1),
    "more chunks": counted(CHUNKS, 1),
    "fewer vectors": counted(KEYS, -1),
    "more vectors": counted(KEYS, 1),
    "a missing document": without(DOCUMENTS),
    "a missing chunk": without(CHUNKS),
    "a missing file": without(FILES),
    "a missing key": without(KEYS),
    "a document twice": doubled(DOCUMENTS),
    "a file twice": doubled(FILES),
    "a source twice": doubled(SOURCES),
    "a key twice": lambda parts: parts | {KEYS: parts[KEYS][35:70] + parts[KEYS][35:]},
    "a document that is a list": with_line(DOCUMENTS, list),
    "a document without text": with_fields(DOCUMENTS, text=None),
    "a lone surrogate": raw(
        SOURCES, b'{"path":"/a\\udc80","is_folder":true,"exclude":[]}\n'
    ),
    "a hash that is none": with_fields(DOCUMENTS, hash="'; DROP TABLE files"),
    "pages below zero": with_fields(DOCUMENTS, pages=-1),
    "pages beyond SQLite": with_fields(DOCUMENTS, pages=1 << 70),
    "notes of numbers": with_fields(DOCUMENTS, notes=[1]),
    "no chunks": with_fields(DOCUMENTS, chunks=0),
    "one chunk fewer": with_line(DOCUMENTS, lambda row: row | {"chunks": row["chunks"] - 1}),
    "a short text": with_fields(DOCUMENTS, text="short"),
    "an unknown kind": with_fields(CHUNKS, kind="script"),
    "another text under a key": with_fields(CHUNKS, text="Pay to account 666."),
    "a key that is none": with_fields(CHUNKS, key="zz"),
    "a range that is none": with_fields(CHUNKS, big=5),
    "a range of one": with_fields(CHUNKS, big=[5]),
    "a range backwards": with_fields(CHUNKS, big=[9, 3]),
    "a range below zero": with_fields(CHUNKS, big=[-1, 3]),
    "a range beyond": with_fields(CHUNKS, big=[0, 10_000_000]),
    "a range of truths": with_fields(CHUNKS, big=[False, True]),
    "no locator": with_fields(CHUNKS, locator=None),
    "a locator of text": with_fields(CHUNKS, locator="page 3"),
    "an unknown place": locator(0, "planet"),
    "line zero": locator(1, 0),
    "a line of text": locator(1, "three"),
    "a line as truth": locator(1, True),
    "a start below zero": locator(2, -1),
    "a start that is none": locator(2, None),
    "an end beyond": locator(3, 10_000_000),
    "cells of a number": locator(4, 7),
    "boxes of a number": locator(5, 7),
    "a box of three": locator(5, [[1, 2, 3]]),
    "a box beyond the text": locator(5, [[1, 2, 3, 4, 0, 10_000_000]]),
    "a box of infinity": locator(5, [[float("inf"), 2, 3, 4, 0, 1]]),
    "a box of no number": locator(5, [[float("nan"), 2, 3, 4, 0, 1]]),
    "a path of a number": with_fields(FILES, path=7),
    "a path with a null": with_fields(FILES, path="/a\0b"),
    "an empty path": with_fields(FILES, path=""),
    "an endless path": with_fields(FILES, path="/" + "a" * 40_000),
    "a size of text": with_fields(FILES, size="9"),
    "a size beyond SQLite": with_fields(FILES, size=1 << 63),
    "a time beyond SQLite": with_fields(FILES, mtime_ns=-(1 << 64)),
    "a ready file never seen": with_fields(FILES, size=None, mtime_ns=None, hash=None),
    "a queued file": with_fields(FILES, status="queued"),
    "a failed file with a document": with_fields(FILES, status="failed"),
    "an unknown state": with_fields(FILES, status="owned"),
    "a document of nobody": with_fields(FILES, document=99),
    "a document below zero": with_fields(FILES, document=-1),
    "a ready file without one": with_fields(FILES, document=None),
    "a document that no file has": with_line(
        FILES, lambda row: row | {"status": "failed", "document": None}, 3
    ),
    "endless seconds": with_fields(FILES, seconds=float("inf")),
    "a folder of text": with_fields(SOURCES, is_folder="yes"),
    "excludes of numbers": with_fields(SOURCES, exclude=[1]),
    "a key of no chunk": with_line(KEYS, lambda key: "0" * len(key)),
    "a vector of no number": with_vectors(first_nan),
    "a vector of infinity": with_vectors(lambda m: np.full_like(m, np.inf)),
    "vectors of nothing": with_vectors(lambda m: m * 0),
    "vectors of another length": with_vectors(lambda m: m * 3),
    "vectors of another type": with_vectors(lambda m: m.astype(np.float32)),
    "vectors of big ends": with_vectors(lambda m: m.astype(">f2")),
    "vectors by column": with_vectors(np.asfortranarray),
    "vectors in one row": with_vectors(np.ravel),
    "one vector fewer": with_vectors(lambda m: m[:-1]),
    "vectors that are a pickle": with_vectors(lambda _m: np.array([Trap()], dtype=object)),
    "a bare pickle": raw(VECTORS, pickle.dumps(Trap())),
    "vectors described in broken Python": lambda parts: (
        parts | {VECTORS: parts[VECTORS].replace(b"'fortran_order': F", b"'fortran_order: ((")}
    ),
    "vectors that go on": lambda parts: parts | {VECTORS: parts[VECTORS] + b"\0"},
    "lines that go on": lambda parts: parts | {FILES: parts[FILES] + b"\n"},
    "no line's end": lambda parts: parts | {FILES: parts[FILES][:-1]},
    "one endless line": raw(CHUNKS, b"[" + b" " * (1 << 25)),
    "bytes that are no text": raw(FILES, b"\xff\xfe\n"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_file_is_refused(
    victim: Workspace,
    good: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Parts], Parts],
) -> None:
    monkeypatch.chdir(tmp_path)
    before = parts_of(good)
    after = change(dict(before))
    assert after != before
    error = refused(victim, packed(tmp_path / "bad.ragkb", after))
    assert not (tmp_path / "sprung").exists()
    if "name of" not in error.what and "needs a name" not in error.what:
        assert "bad.ragkb is damaged" in error.what


def test_what_was_only_packed_again_is_taken(good: Path, tmp_path: Path) -> None:
    with opened(tmp_path / "home") as (workspace, _):
        file = packed(tmp_path / "again.ragkb", parts_of(good))
        assert imported(workspace, file)["files"] == 6


def test_a_newer_format_is_told_from_a_damaged_one(
    victim: Workspace, good: Path, tmp_path: Path
) -> None:
    parts = with_manifest(format=FORMAT + 1, new_field=1)(parts_of(good) | {"later.jsonl": b"{}\n"})
    error = refused(victim, packed(tmp_path / "new.ragkb", parts))
    assert "newer version" in error.what
    assert "Update" in error.remedy


def test_every_way_to_be_no_file_is_told(victim: Workspace, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("hello " * 100, encoding="utf-8")
    for name in ("nowhere", "empty", "text", "."):
        refused(victim, tmp_path / name)


def test_other_packings_and_doubled_members_are_refused(
    victim: Workspace, good: Path, tmp_path: Path
) -> None:
    parts = parts_of(good)
    with ZipFile(tmp_path / "bzip2", "w", ZIP_BZIP2) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    refused(victim, tmp_path / "bzip2")
    packed(tmp_path / "twice", parts)
    with (
        ZipFile(tmp_path / "twice", "a", ZIP_DEFLATED) as archive,
        pytest.warns(UserWarning, match="Duplicate"),
    ):
        archive.writestr(FILES, b"")
    refused(victim, tmp_path / "twice")
    whole = bytearray(good.read_bytes())
    whole[whole.index(b"PK\1\2") + 8] |= 1  # says: encrypted
    (tmp_path / "locked").write_bytes(whole)
    refused(victim, tmp_path / "locked")


def test_a_list_of_a_million_members_is_not_even_read(victim: Workspace, tmp_path: Path) -> None:
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 3, 20, 0, 0, 0, 0, 0, 0, 0, 0,
                        1, 0, 0, 0, 0, 0, 0) + b"x"  # fmt: skip
    listed = entry * 100_000
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 65_535, 65_535, len(listed), 0, 0)
    (tmp_path / "many").write_bytes(listed + end)
    assert "too many parts" in refused(victim, tmp_path / "many").what


def test_a_bomb_is_refused_by_its_sizes(victim: Workspace, good: Path, tmp_path: Path) -> None:
    parts = parts_of(good)
    with ZipFile(tmp_path / "bomb", "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in parts.items():
            if name != CHUNKS:
                archive.writestr(name, content)
        with archive.open(CHUNKS, "w", force_zip64=True) as out:
            for _ in range(1100):
                out.write(b" " * (1 << 20))
    assert "far more than it could hold" in refused(victim, tmp_path / "bomb").what


def test_a_member_that_lies_about_its_size_is_refused(
    victim: Workspace, good: Path, tmp_path: Path
) -> None:
    whole = bytearray(good.read_bytes())
    at = whole.index(b"PK\1\2")
    for _ in range(3):  # the chunks' entry
        at = whole.index(b"PK\1\2", at + 4)
    size = struct.unpack_from("<L", whole, at + 24)[0]
    struct.pack_into("<L", whole, at + 24, size - 5)
    (tmp_path / "liar").write_bytes(whole)
    refused(victim, tmp_path / "liar")


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(change=st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)))
def test_any_damaged_byte_or_cut_is_seen_or_harmless(
    victim: Workspace, good: Path, tmp_path: Path, change: tuple[float, int]
) -> None:
    share, bits = change
    whole = bytearray(good.read_bytes())
    at = int(share * len(whole))
    if bits:
        whole[at] ^= bits
    else:
        del whole[at:]
    file = tmp_path / "bad"
    file.write_bytes(whole)
    if not bits or _is_changed(good, file, victim):
        refused(victim, file)


def _is_changed(good: Path, bad: Path, victim: Workspace) -> bool:
    """Say whether a file can't be read or says something else; a time of day is not looked at."""
    try:
        ExportArchive(bad, victim.data_dir, 1000).close()
        return parts_of(good) != parts_of(bad)
    except Exception:  # noqa: BLE001  (whatever Python says of a broken zip)
        return True


def test_text_with_anything_in_it_goes_there_and_back(good: Path, tmp_path: Path) -> None:
    odd = "a\0b \u2028 \U0001f34e \ufeff 'quoted' \"double\" \\ \r\n\t end"
    parts = parts_of(good)
    row = json.loads(parts[DOCUMENTS].splitlines()[0])
    parts = with_fields(DOCUMENTS, text=odd + row["text"], title=odd)(parts)
    with opened(tmp_path / "home") as (workspace, _):
        imported(workspace, packed(tmp_path / "odd.ragkb", parts))
        exported(workspace, tmp_path / "back.ragkb")
    again = parts_of(tmp_path / "back.ragkb")
    kept = [json.loads(line) for line in again[DOCUMENTS].splitlines()]
    assert (odd + row["text"], odd) in [(each["text"], each["title"]) for each in kept]
    assert zlib.crc32(again[VECTORS]) == zlib.crc32(parts[VECTORS])
