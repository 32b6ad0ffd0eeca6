"""A knowledge base taken out into one file and brought in elsewhere: nothing made anew, or lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.catalog.metadata_filter import parse_filter
from desktop_rag.commands import export_import
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.core.events import IndexDone, IndexProgress, Notice
from desktop_rag.core.requests import IndexRequest, KbRequest
from desktop_rag.core.settings import Ingest
from desktop_rag.core.types import FileStatus
from testing.narrowing import narrow
from testing.slow_cases import slow
from tests.commands.export_files import (
    documents,
    done,
    dump,
    exported,
    found,
    imported,
    indexed,
    opened,
    packed,
    parts_of,
)
from tests.conftest import REPOSITORY

QUERIES = ("What of the harbour?", "mountain", "差旅报销", "price of the trout")


def test_what_is_imported_is_found_as_before_and_nothing_is_embedded(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _), opened(tmp_path / "two") as (two, counting):
        indexed(one, docs)
        said = exported(one, file)
        assert said["file"] == str(file)
        row = imported(two, file, "", docs)
        assert counting.embedded == []
        assert not two.lazy_parsers.take()
        assert {k: row[k] for k in ("files", "chunks", "states", "sources")} == {
            k: said[k] for k in ("files", "chunks", "states", "sources")
        }
        for query in QUERIES:
            assert found(two, query) == found(one, query)
        kb = two.catalog.kbs.get("default").id
        assert two.indexes.of(kb).check() is None
        for before, after in zip(
            one.catalog.files.under(one.catalog.kbs.get("default").id),
            two.catalog.files.under(kb),
            strict=True,
        ):
            assert (before.path, before.stamp, before.status, before.reason, before.chunks) == (
                after.path, after.stamp, after.status, after.reason, after.chunks,
            )  # fmt: skip
        assert narrow(done(two, IndexRequest("default"))[-1], IndexDone).files == {
            "unchanged": 5,
            "empty": 1,
        }
        assert counting.embedded == []
        exported(two, tmp_path / "back.ragkb")
        assert parts_of(tmp_path / "back.ragkb") == parts_of(file)


def test_an_export_is_plain_text_and_one_matrix(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "home") as (workspace, _):
        indexed(workspace, docs)
        exported(workspace, file)
    parts = parts_of(file)
    manifest = json.loads(parts.pop("manifest.json"))
    assert manifest["format"] == 5
    (tmp_path / "m.npy").write_bytes(parts.pop("embeddings.npy"))
    matrix = np.load(tmp_path / "m.npy", allow_pickle=False)
    assert (str(matrix.dtype), matrix.shape) == (
        "float16", (manifest["counts"]["keys.jsonl"], manifest["dimensions"]),
    )  # fmt: skip
    for member, content in parts.items():
        rows = [json.loads(line) for line in content.splitlines()]
        assert len(rows) == manifest["counts"][member]
    if os.name == "posix":
        assert file.stat().st_mode & 0o077 == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "docs", "home", "m.npy", "taken.ragkb",
    ]  # fmt: skip


def test_what_documents_say_of_themselves_goes_with_them(tmp_path: Path) -> None:
    docs, file = tmp_path / "docs", tmp_path / "taken.ragkb"
    docs.mkdir()
    (docs / "a.md").write_text(f"---\nauthor: Ann\n---\n\n{'The harbour is deep. ' * 9}", "utf-8")
    with opened(tmp_path / "one") as (one, _), opened(tmp_path / "two") as (two, _):
        indexed(one, docs)
        exported(one, file)
        imported(two, file, "", docs)
        kb = two.catalog.kbs.get("default").id
        found = two.catalog.documents.select([kb], parse_filter("author:ann language:en"))
        assert [two.catalog.metadata.of(each).authors for each in found or ()] == [("Ann",)]


@pytest.mark.slow
def test_documents_that_are_there_already_stay_apart(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _), opened(tmp_path / "two") as (two, _):
        indexed(one, docs)
        exported(one, file)
        indexed(two, docs / "harbour.md", "mine")
        tx = two.catalog.database.read()
        mine = "SELECT documents.id, content_hash, recipe, embed_key FROM documents JOIN chunks "
        mine += "ON documents.id = document_id WHERE instr(recipe, '#') = 0"
        before = tx.execute(mine).fetchall()
        imported(two, file)
        assert tx.execute(mine).fetchall() == before
        assert tx.execute("SELECT count(*) FROM documents").fetchone() == (5,)
        for kb in ("mine", "default"):
            assert two.indexes.of(two.catalog.kbs.get(kb).id).check() is None
        done(two, KbRequest("delete", "default"))
        assert tx.execute(mine).fetchall() == before
        assert tx.execute("SELECT count(*) FROM documents").fetchone() == (1,)
        assert found(two, "harbour", "mine")


def test_a_file_of_an_import_that_is_read_here_takes_the_place_of_what_was_said_of_it(
    tmp_path: Path,
) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _), opened(tmp_path / "two") as (two, _):
        indexed(one, docs)
        exported(one, file)
        imported(two, file, "", docs)
        os.utime(docs / "harbour.md", ns=(1, 1))  # touched: the same bytes
        seen = narrow(done(two, IndexRequest("default"))[-1], IndexDone).files
        assert seen == {"unchanged": 4, "empty": 1, "ready": 1}
        tx = two.catalog.database.read()
        own = "SELECT path FROM files JOIN documents ON documents.id = document_id "
        own += "WHERE instr(recipe, '#') = 0"
        assert tx.execute(own).fetchall() == [(str(docs / "harbour.md"),)]
        exported(two, tmp_path / "back.ragkb")
        assert parts_of(tmp_path / "back.ragkb")["documents.jsonl"].count(b"\n") == 4
        assert imported(two, tmp_path / "back.ragkb", "third")["files"] == 6


def test_the_deleted_import_of_a_base_leaves_nothing(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _):
        indexed(one, docs)
        before = dump(one)
        exported(one, file)
        imported(one, file, "again")
        assert [kb.name for kb in one.catalog.kbs.all()] == ["again", "default"]
        done(one, KbRequest("delete", "again"))
        assert dump(one) == before


def test_a_name_that_is_taken_is_refused_and_another_may_be_given(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _):
        indexed(one, docs)
        exported(one, file)
        before = dump(one)
        with pytest.raises(UserError, match="already a knowledge base") as caught:
            imported(one, file)
        assert "another name" in caught.value.remedy
        assert dump(one) == before
        assert imported(one, file, "second")["name"] == "second"


def test_a_name_that_is_taken_gets_a_number_where_that_is_asked_for(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _):
        indexed(one, docs)
        exported(one, file)
        request = KbRequest("import", "", str(file), numbers=True)
        names = [done(one, request)[-1].as_json()["name"] for _ in range(2)]
        assert names == ["default (2)", "default (3)"]
        assert found(one, "harbour", "default (3)")


def test_an_export_overwrites_no_file(tmp_path: Path) -> None:
    precious = tmp_path / "lease.pdf"
    precious.write_bytes(b"precious")
    with opened(tmp_path / "home") as (workspace, _):
        workspace.catalog.kbs.create("default")
        with pytest.raises(UserError, match="already a file"):
            exported(workspace, precious)
        with pytest.raises(UserError, match="can't be written"):
            exported(workspace, tmp_path / "nowhere" / "x.ragkb")
    assert precious.read_bytes() == b"precious"


def test_a_text_longer_than_is_allowed_is_refused_and_the_setting_allows_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    monkeypatch.setattr(export_import, "Ingest", lambda: Ingest(max_characters=100))
    with opened(tmp_path / "one") as (one, _), opened(tmp_path / "two") as (two, _):
        indexed(one, docs)
        exported(one, file)
        short = replace(two.settings, ingest=replace(two.settings.ingest, max_characters=100))
        with pytest.raises(UserError, match="more than 100 characters") as caught:
            imported(replace(two, settings=short), file, "", docs)
        assert "ingest.max_characters" in caught.value.remedy
        assert [kb.name for kb in two.catalog.kbs.all()] in ([], ["default"])
        assert imported(two, file, "", docs)["chunks"]


def test_an_empty_knowledge_base_goes_the_same_way(tmp_path: Path) -> None:
    with opened(tmp_path / "home") as (workspace, _):
        workspace.catalog.kbs.create("empty")
        exported(workspace, tmp_path / "empty.ragkb", "empty")
        row = imported(workspace, tmp_path / "empty.ragkb", "other")
    assert (row["files"], row["chunks"]) == (0, 0)


@pytest.mark.slow
def test_folders_of_another_computer_are_not_followed(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _), opened(tmp_path / "two") as (two, _):
        indexed(one, docs)
        exported(one, file)
        shutil.rmtree(docs)
        docs.mkdir()
        (docs / "harbour.md").write_text("Another file at the same place.", encoding="utf-8")
        events = done(two, KbRequest("import", "", str(file)))
        (said,) = [event.text for event in events if isinstance(event, Notice)]
        assert said.startswith("1 of 1 followed folders and files are not on this computer.")
        assert events[-1].as_json()["sources"] == []
        assert narrow(done(two, IndexRequest("default"))[-1], IndexDone).files == {}
        assert found(two, "harbour")[0]["path"].startswith(str(docs))


def test_a_base_of_another_embedding_model_is_embedded_anew(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, other), opened(tmp_path / "two") as (two, counting):
        indexed(one, docs)
        other.fingerprint = "another model"  # its vectors are under this name from now on
        tx = one.catalog.database.read()
        tx.execute("UPDATE embeddings SET fingerprint = 'another model'")
        exported(one, file)
        events = done(two, KbRequest("import", "", str(file)))
        assert any("another embedding model" in e.text for e in events if isinstance(e, Notice))
        kb = two.catalog.kbs.get("default").id
        assert len(counting.embedded) == len(set(counting.embedded)) > 0
        assert two.indexes.of(kb).check() is None
        kept = two.catalog.database.read().execute("SELECT DISTINCT fingerprint FROM embeddings")
        assert kept.fetchall() == [(two.models.embedder.fingerprint,)]


@pytest.mark.parametrize("action", [*slow("export"), "import"])
def test_a_stop_at_any_moment_leaves_nothing_behind(tmp_path: Path, action: str) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    name = "default" if action == "export" else "new"
    with opened(tmp_path / "one") as (one, _):
        indexed(one, docs)
        if action == "import":
            exported(one, file)
        before, around = dump(one), sorted(tmp_path.iterdir())
        count = stops = 0
        while True:
            token, seen = CancelToken(), 0
            try:
                for event in perform(one, KbRequest(action, name, str(file)), token):
                    if isinstance(event, IndexProgress):
                        seen += 1
                        if seen > count:
                            token.cancel()
            except Cancelled:
                stops += 1
                count += 1
                assert dump(one) == before
                assert sorted(tmp_path.iterdir()) == around
                continue
            break
        assert stops >= (1 if action == "export" else 3)


def test_a_stop_while_the_indexes_are_made_leaves_nothing_behind(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _):
        indexed(one, docs)
        exported(one, file)
        before, shelves = dump(one), sorted((tmp_path / "one" / "indexes").iterdir())
        token = CancelToken()
        events = perform(one, KbRequest("import", "new", str(file)), token)
        while getattr(next(events), "stage", "") != "index":
            pass
        token.cancel()
        with pytest.raises(Cancelled):
            next(events)
        assert dump(one) == before
        assert sorted((tmp_path / "one" / "indexes").iterdir()) == shelves


def test_an_import_that_is_renamed_and_then_stopped_is_taken_back_all_the_same(
    tmp_path: Path,
) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _):
        indexed(one, docs)
        exported(one, file)
        token = CancelToken()
        events = perform(one, KbRequest("import", "new", str(file)), token)
        while getattr(next(events), "stage", "") != "index":
            pass
        one.catalog.kbs.rename("new", "newer")
        token.cancel()
        with pytest.raises(Cancelled):
            next(events)
        assert list(one.catalog.kbs.names()) == ["default"]


def test_a_reader_that_goes_away_leaves_nothing_behind(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _):
        indexed(one, docs)
        exported(one, file)
        before = dump(one)
        events = perform(one, KbRequest("import", "new", str(file)), CancelToken())
        for event in events:
            if isinstance(event, IndexProgress) and event.stage == "import":
                break
        events.close()  # type: ignore[attr-defined]
        assert dump(one) == before
        one.catalog.kbs.create("new")  # nobody holds the catalog


@pytest.mark.slow
def test_what_is_queued_is_exported_as_it_was_read(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _), opened(tmp_path / "two") as (two, _):
        indexed(one, docs)
        kb = one.catalog.kbs.get("default").id
        one.catalog.files.enqueue(kb, [str(docs / "harbour.md"), str(docs / "new.md")])
        exported(one, file)
        imported(two, file)
        counts = two.catalog.files.counts(two.catalog.kbs.get("default").id)
        assert counts == {FileStatus.READY: 5, FileStatus.EMPTY: 1}


KILLED = """
import os, signal, sys
from pathlib import Path
from desktop_rag.core.events import IndexProgress
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import KbRequest
from desktop_rag.commands.dispatch import perform
from tests.commands.export_files import opened
with opened(Path(sys.argv[1])) as (workspace, _):
    request = KbRequest("import", "new", sys.argv[2])
    for event in perform(workspace, request, CancelToken()):
        if isinstance(event, IndexProgress) and (event.stage, event.done) >= (sys.argv[3], 3):
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX's")
@pytest.mark.parametrize("stage", [*slow("check"), "import"])
def test_a_kill_in_the_middle_of_an_import_leaves_nothing_half(tmp_path: Path, stage: str) -> None:
    docs, file, home = documents(tmp_path / "docs"), tmp_path / "taken.ragkb", tmp_path / "home"
    with opened(home) as (workspace, _):
        indexed(workspace, docs)
        exported(workspace, file)
        before = dump(workspace)
    command = [sys.executable, "-c", KILLED, str(home), str(file), stage]
    assert subprocess.run(command, cwd=REPOSITORY, check=False).returncode == -9
    with opened(home) as (workspace, counting):
        assert dump(workspace) == before
        imported(workspace, file, "new")
        assert counting.embedded == []
        assert workspace.indexes.of(workspace.catalog.kbs.get("new").id).check() is None


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX's")
def test_a_kill_after_the_import_is_mended_by_the_next_start(tmp_path: Path) -> None:
    docs, file, home = documents(tmp_path / "docs"), tmp_path / "taken.ragkb", tmp_path / "home"
    with opened(tmp_path / "one") as (workspace, _):
        indexed(workspace, docs)
        exported(workspace, file)
    code = KILLED.replace("(event.stage, event.done) >= (sys.argv[3], 3)", 'event.stage == "index"')
    command = [sys.executable, "-c", code, str(home), str(file), ""]
    assert subprocess.run(command, cwd=REPOSITORY, check=False).returncode == -9
    with opened(home) as (workspace, counting):
        assert workspace.indexes.of(workspace.catalog.kbs.get("new").id).check() is None
        assert found(workspace, "harbour", "new")
        assert counting.embedded == []


@pytest.mark.slow
def test_what_stays_out_below_a_followed_folder_stays_out_in_an_import(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    out = str(docs / "差旅报销.md")
    with opened(tmp_path / "one") as (one, _), opened(tmp_path / "two") as (two, _):
        indexed(one, docs)
        mine = one.catalog.kbs.get("default").id
        one.catalog.choices.exclude(mine, [out, str(tmp_path / "docs2" / "elsewhere.md")])
        one.catalog.files.remove(mine, [out])
        one.indexes.of(mine).sync()
        exported(one, file)
        imported(two, file, "", docs)
        assert two.catalog.choices.excluded(two.catalog.kbs.get("default").id) == [out]
        assert narrow(done(two, IndexRequest("default"))[-1], IndexDone).files == {
            "unchanged": 4,
            "empty": 1,
        }


def test_an_export_of_the_first_form_can_be_imported(tmp_path: Path) -> None:
    docs, file = documents(tmp_path / "docs"), tmp_path / "taken.ragkb"
    with opened(tmp_path / "one") as (one, _), opened(tmp_path / "two") as (two, _):
        indexed(one, docs)
        exported(one, file)
        parts = parts_of(file)
        manifest = json.loads(parts["manifest.json"])
        for later in ("exclusions", "preparations", "prepared", "derived", "adaptation"):
            del parts[f"{later}.jsonl"], manifest["counts"][f"{later}.jsonl"]
        older = json.dumps(manifest | {"format": 1}).encode()
        imported(two, packed(tmp_path / "older.ragkb", parts | {"manifest.json": older}))
        assert found(two, "harbour", "default")
