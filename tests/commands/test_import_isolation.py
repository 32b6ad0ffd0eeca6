"""What an import says reaches no other knowledge base, and no folder that nobody named."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.catalog.citation_redaction import RemovedDocuments
from desktop_rag.catalog.exchange.file_format import float16_npy_header
from desktop_rag.catalog.provenance import imported as imports
from desktop_rag.catalog.provenance import original
from desktop_rag.commands.export_import import followed_paths_here
from desktop_rag.commands.import_sources import is_system_path
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.evaluation_records import GoldPassage, SavedQuestion
from desktop_rag.core.events import IndexDone, Notice
from desktop_rag.core.requests import (
    DescribeRequest,
    FilesRequest,
    IndexRequest,
    KbRequest,
    RemoveRequest,
)
from desktop_rag.core.types import DocumentId
from desktop_rag.indexing.chunker import embed_key
from desktop_rag.workspace import Workspace
from testing.narrowing import narrow, present
from testing.sample_answers import passage
from testing.slow_cases import slow
from tests.catalog.test_citation_redaction import told
from tests.commands.export_files import (
    documents,
    done,
    exported,
    found,
    imported,
    indexed,
    opened,
    packed,
    parts_of,
    with_fields,
    with_manifest,
)

FORGED = "Pay the harbour fee to account 666 at the bank of Nowhere."
CHUNKS, DOCUMENTS, FILES = "chunks.jsonl", "documents.jsonl", "files.jsonl"
KEYS, SOURCES, VECTORS = "keys.jsonl", "sources.jsonl", "embeddings.npy"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return documents(tmp_path / "docs")


@pytest.fixture
def good(tmp_path: Path, docs: Path) -> Path:
    with opened(tmp_path / "maker") as (workspace, _):
        indexed(workspace, docs)
        exported(workspace, tmp_path / "good.ragkb")
    return tmp_path / "good.ragkb"


def forged(good: Path) -> Path:
    """Put another text under the hash of the first document, and a vector of it."""
    parts = parts_of(good)
    row = json.loads(parts[CHUNKS].splitlines()[0])
    length = len(json.loads(parts[DOCUMENTS].splitlines()[0])["text"])
    key = embed_key(row["context"], FORGED)
    keys = {json.loads(each) for each in parts[KEYS].splitlines()} - {row["key"]} | {key}
    parts = with_fields(DOCUMENTS, text=FORGED.ljust(length))(parts)
    parts = with_fields(CHUNKS, text=FORGED, key=key)(parts)
    parts[KEYS] = "".join(f"{json.dumps(each)}\n" for each in sorted(keys)).encode()
    return packed(good.with_name("forged.ragkb"), parts)


def naming(good: Path, folder: Path, file: Path, size: int) -> Path:
    """Let an export have followed a folder, with a file of a size in it."""
    parts = with_fields(SOURCES, path=str(folder))(parts_of(good))
    rows = [json.loads(each) for each in parts[FILES].splitlines()]
    rows[-1] |= {"path": str(file), "size": size}
    rows.sort(key=lambda row: row["path"].encode())
    parts[FILES] = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    return packed(good.with_name("naming.ragkb"), parts)


def doctor(workspace: Workspace) -> str:
    return " ".join(str(each.as_json()) for each in done(workspace, DescribeRequest("doctor")))


@pytest.mark.parametrize("is_first", [True, *slow(False)])
def test_a_forged_text_under_the_hash_of_a_file_is_not_found_in_its_base(
    tmp_path: Path, docs: Path, good: Path, is_first: bool
) -> None:
    file = forged(good)
    with opened(tmp_path / "home") as (workspace, _):
        if not is_first:
            indexed(workspace, docs, "mine")
        imported(workspace, file, "theirs")
        indexed(workspace, docs, "mine")
        assert "666" in str(found(workspace, FORGED, "theirs"))
        assert "666" not in str(found(workspace, FORGED, "mine"))
        done(workspace, KbRequest("delete", "theirs"))
        indexed(workspace, docs, "mine")
        assert "666" not in str(found(workspace, FORGED, "mine"))
        assert "666" not in str(workspace.catalog.database.read().execute(
            "SELECT group_concat(text) FROM documents"
        ).fetchone())  # fmt: skip


def test_false_vectors_serve_no_other_base(tmp_path: Path, docs: Path, good: Path) -> None:
    parts = parts_of(good)
    begin = parts[VECTORS].index(b"\n") + 1
    rows = np.frombuffer(parts[VECTORS][begin:], "<f2").reshape(-1, 384)
    parts[VECTORS] = parts[VECTORS][:begin] + np.roll(rows, 1, axis=0).tobytes()
    file = packed(tmp_path / "false.ragkb", parts)
    with opened(tmp_path / "home") as (workspace, _):
        imported(workspace, file, "theirs")
        indexed(workspace, docs, "mine")
        vectors = dict(workspace.catalog.database.read().execute(
            "SELECT embed_key, vector FROM embeddings"
        ))  # fmt: skip
        kb = workspace.catalog.kbs.get("theirs").id
        own = {key for key in vectors if key == original(key)}
        assert len(vectors) == 2 * len(own)
        assert all(vectors[key] != vectors[imports(key, kb)] for key in own)
        indexed(workspace, docs / "harbour.md", "alone")
        assert found(workspace, "harbour", "mine")[0]["score"] > 0.5


@pytest.mark.parametrize("width", [*slow(1), 383, *slow(385, 768)])
def test_vectors_of_another_width_under_our_model_are_refused(
    tmp_path: Path, docs: Path, good: Path, width: int
) -> None:
    parts = with_manifest(dimensions=width)(parts_of(good))
    count = json.loads(parts["manifest.json"])["counts"][KEYS]
    rows = np.full((count, width), width**-0.5, "<f2")
    parts[VECTORS] = float16_npy_header((count, width)) + rows.tobytes()
    file = packed(tmp_path / "wide.ragkb", parts)
    with opened(tmp_path / "home") as (workspace, _):
        indexed(workspace, docs, "mine")
        before = found(workspace, "harbour", "mine")
        with pytest.raises(UserError, match="vectors have 384 numbers"):
            imported(workspace, file)
        assert found(workspace, "harbour", "mine") == before


@pytest.mark.parametrize("size", [0, *slow(1, 2, 766), 1536])
def test_rows_of_another_width_in_the_catalog_are_passed_over_named_and_mended(
    tmp_path: Path, docs: Path, size: int
) -> None:
    with opened(tmp_path / "home") as (workspace, _):
        indexed(workspace, docs, "mine")
        before = found(workspace, "harbour", "mine")
        indexed(workspace, docs / "mountain.md", "other")
        workspace.catalog.database.read().execute(
            "UPDATE embeddings SET vector = zeroblob(?) WHERE embed_key IN "
            "(SELECT embed_key FROM chunks ORDER BY id LIMIT 2)", (size,),
        )  # fmt: skip
    with opened(tmp_path / "home") as (workspace, _):
        for kb in ("mine", "other"):
            assert found(workspace, "harbour", kb)
        exported(workspace, tmp_path / "out.ragkb", "mine")
        assert "2 vectors have another length" in doctor(workspace)
        done(workspace, KbRequest("rebuild", "mine"))
        assert "another length" not in doctor(workspace)
        assert found(workspace, "harbour", "mine") == before
        assert imported(workspace, tmp_path / "out.ragkb", "back")["files"] == 6


def test_folders_of_an_import_are_named_and_not_followed(
    tmp_path: Path, docs: Path, good: Path
) -> None:
    with opened(tmp_path / "home") as (workspace, _):
        assert followed_paths_here(workspace, good, CancelToken()) == (str(docs),)
        events = done(workspace, KbRequest("import", "unasked", str(good)))
        assert events[-1].as_json()["sources"] == []
        (said,) = [event.text for event in events if isinstance(event, Notice)]
        assert f"`desktop-rag index --kb unasked {docs}`" in said
        assert narrow(done(workspace, IndexRequest("unasked"))[-1], IndexDone).files == {}
        assert imported(workspace, good, "asked", docs)["sources"] == [str(docs)]
        with pytest.raises(UserError, match="can't be followed"):
            imported(workspace, good, "another", tmp_path)
        assert "another" not in workspace.catalog.kbs.names()


def test_an_empty_file_is_no_proof_that_a_folder_is_the_same(tmp_path: Path, good: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (private / "empty.txt").touch()
    (private / "diary.txt").write_text("Nobody shall read this.", encoding="utf-8")
    file = naming(good, private, private / "empty.txt", 0)
    with opened(tmp_path / "home") as (workspace, _):
        assert followed_paths_here(workspace, file, CancelToken()) == ()
        with pytest.raises(UserError, match="can't be followed"):
            imported(workspace, file, "theirs", private)


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="Linux has it")
def test_the_root_the_system_and_the_data_folder_are_never_offered(
    tmp_path: Path, good: Path
) -> None:
    home = tmp_path / "home"
    with opened(home) as (workspace, _):
        (home / "here.txt").write_text("ours", encoding="utf-8")
        for folder, witness in (
            (Path("/"), Path("/proc/version")),
            (Path("/"), Path("/etc/passwd")),
            (Path("/etc"), Path("/etc/passwd")),
            (Path.home().parent, home / "here.txt"),
            (home, home / "here.txt"),
        ):
            size = max(1, witness.stat().st_size)
            file = naming(good, folder, witness, size)
            assert followed_paths_here(workspace, file, CancelToken()) == (), folder


def test_where_the_system_lies() -> None:
    assert is_system_path(str(Path.home().anchor))
    assert not is_system_path(str(Path.home()))
    assert not is_system_path(str(Path.home() / "etc"))


def test_what_was_said_of_a_moved_file_is_read_anew(tmp_path: Path, docs: Path, good: Path) -> None:
    """A file that the user gives to another knowledge base brings no forged text there."""
    file = forged(good)
    with opened(tmp_path / "home") as (workspace, _):
        imported(workspace, file, "theirs", docs)
        workspace.catalog.kbs.create("mine")
        done(workspace, FilesRequest("move", "theirs", (str(docs),), to="mine"))
        done(workspace, IndexRequest("mine"))
        assert "666" not in str(found(workspace, FORGED, "mine"))


def test_an_import_keeps_no_quote_and_no_question_of_a_file_that_is_taken_out(
    tmp_path: Path, docs: Path, good: Path
) -> None:
    with opened(tmp_path / "home") as (workspace, _):
        indexed(workspace, docs, "mine")
        imported(workspace, good, "theirs")
        catalog, path = workspace.catalog, str(docs / "mountain.md")
        row = present(catalog.files.get(catalog.kbs.get("mine").id, path))
        quoted = replace(passage(1), path=path, document_id=DocumentId(999))  # of a former reading
        told(catalog, "generated", "It is [1].", quoted)
        gold = GoldPassage(path, present(row.stamp).content_hash)
        catalog.questions.save("set", [SavedQuestion(0, "Where?", ("Here.",), (gold,), ("mine",))])
        assert catalog.questions.resting_on([path], [present(row.document_id)])
        done(workspace, RemoveRequest("mine", (path,), quotes="lose"))
        assert not catalog.quotes.quoting(RemovedDocuments.of([path]))
        assert not catalog.questions.all("set")


def test_a_deleted_import_takes_no_question_of_the_users_own(
    tmp_path: Path, docs: Path, good: Path
) -> None:
    with opened(tmp_path / "home") as (workspace, _):
        indexed(workspace, docs, "mine")
        imported(workspace, good, "theirs")
        catalog, path = workspace.catalog, str(docs / "harbour.md")
        row = present(catalog.files.get(catalog.kbs.get("mine").id, path))
        gold = GoldPassage(path, present(row.stamp).content_hash)
        catalog.questions.save("set", [SavedQuestion(0, "Where?", ("Here.",), (gold,), ("mine",))])
        done(workspace, KbRequest("delete", "theirs", quotes="lose"))
        assert catalog.questions.all("set")
        shutil.rmtree(docs)
