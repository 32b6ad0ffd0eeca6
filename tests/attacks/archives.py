"""Imports that somebody made to do harm: bombs, false vectors, forged texts, folders of others."""

from __future__ import annotations

import io
import json
import random
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

from desktop_rag.catalog.exchange.file_format import float16_npy_header
from desktop_rag.commands.export_import import followed_paths_here
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.requests import DescribeRequest, KbRequest
from desktop_rag.indexing.chunker import embed_key
from desktop_rag.workspace import Workspace
from tests.attacks.memory import Measured, measured
from tests.attacks.report import Attack, Report, Task
from tests.commands.export_files import (
    Change,
    Parts,
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
    with_fields,
    with_manifest,
)

MOST_MIB = 150  # above what a small import takes
MOST_SECONDS = 30.0  # with the program's start
_MIB = 1 << 20
_BALLAST = 5000  # vectors of noise: they keep a bomb under any sensible ratio
_FORGED = "Pay the harbour fee to account 666 at the bank of Nowhere."

Member = Iterable[bytes]


@dataclass(frozen=True, slots=True)
class Bomb:
    """What takes the place of some members of a good export, and of what its manifest says."""

    name: str
    members: Callable[[], dict[str, Member]]
    counts: dict[str, int]
    dimensions: int = 384
    is_quick: bool = False


def _repeated(piece: bytes, mebibytes: int, begin: bytes = b"", end: bytes = b"\n") -> Member:
    yield begin
    block = piece * (_MIB // len(piece))
    for _ in range(mebibytes):
        yield block
    yield end


_HEAD = b'{"hash":"%s","recipe":"1","title":"","text":"' % (b"0" * 40)
_ESCAPES = b"\\u0041\\u4e2d...."
_TAIL = b'","pages":null,"notes":[],"chunks":1}\n'


def _rows(form: str, count: int) -> Member:
    for start in range(0, count, 1000):
        yield "".join(form % each for each in range(start, min(count, start + 1000))).encode()


def _chunk_row() -> bytes:
    row = {
        "kind": "text", "text": "a", "context": "", "section": "", "big": [0, 1],
        "locator": ["line", 1, 0, 1, None, []], "key": embed_key("", "a"),
    }  # fmt: skip
    return json.dumps(row).encode() + b"\n"


_FILE_ROW = (
    '{"path":"/a/%09d","size":1,"mtime_ns":1,"hash":"00000000","status":"ready","reason":"",'
    '"document":0,"seconds":0}\n'
)
D, C, F, K, S, V = (
    "documents.jsonl", "chunks.jsonl", "files.jsonl", "keys.jsonl", "sources.jsonl",
    "embeddings.npy",
)  # fmt: skip

BOMBS = (
    Bomb("a text of 512 MB", lambda: {D: _repeated(b"a", 512, _HEAD, _TAIL)}, {D: 1}),
    Bomb("a text of 60 MB", lambda: {D: _repeated(b"a", 60, _HEAD, _TAIL)}, {D: 1}, 384, True),
    Bomb(
        "a text of 39 million signs of four bytes",
        lambda: {D: _repeated("\U0001f34e".encode() * 16, 149, _HEAD, _TAIL), C: (_chunk_row(),)},
        {D: 1, C: 2},
    ),
    Bomb("a text of escapes", lambda: {D: _repeated(_ESCAPES, 60, _HEAD, _TAIL)}, {D: 1}),
    Bomb("a title of 60 MB", lambda: {D: _repeated(b"a", 60, b'{"title":"', b'"}\n')}, {D: 1}),
    Bomb("empty lists", lambda: {D: _repeated(b"[],", 60, b'{"notes":[')}, {D: 1}, 384, True),
    Bomb(
        "empty lists behind a text",
        lambda: {D: _repeated(b"[],", 60, _HEAD + b'","notes":[')}, {D: 1},
    ),
    Bomb("empty objects in boxes", lambda: {C: _repeated(b"{},", 60, b'{"locator":[')}, {C: 1}),
    Bomb("deep lists", lambda: {C: _repeated(b"[", 60)}, {C: 1}),
    Bomb("deep objects", lambda: {D: _repeated(b'{"a":', 60)}, {D: 1}),
    Bomb("a line of blanks", lambda: {C: _repeated(b" ", 60)}, {C: 1}),
    Bomb("a line without end", lambda: {F: _repeated(b"1", 60, b"[", b"")}, {F: 1}),
    Bomb("globs by the million", lambda: {S: _repeated(b'"",', 60, b'{"exclude":[')}, {S: 1}),
    Bomb("files by the hundred thousand", lambda: {F: _rows(_FILE_ROW, 150_000)}, {F: 150_001}),
    Bomb("the same chunk for ever", lambda: {C: (_chunk_row() * 400_000,)}, {C: 400_000}),
    Bomb("keys by the million", lambda: {K: _rows('"%032x"\n', 1_700_000)}, {K: 1_700_000}),
    Bomb(
        "a matrix of 16,384 columns",
        lambda: {
            K: _rows('"%032x"\n', 2048),
            V: _repeated(b"\0", 64, float16_npy_header((2048, 16_384)), b""),
        },
        {K: 2048}, 16_384,
    ),
    Bomb("more lines than bytes", dict, {D: 1 << 39}),
    Bomb("a matrix that is not there", dict, {K: 1 << 30}),
)  # fmt: skip


def _bombs(report: Report, task: Task) -> None:
    """Import each bomb with the command line, and see what it took and what it left."""
    good = _good(task.folder)
    home = task.folder / "home"
    idle = _typed(task.folder / "idle", good).peaks["main"]
    report.note_peaks({"idle": idle})
    for bomb in (each for each in BOMBS if each.is_quick or not task.is_quick):
        file = _built(task.folder / "bomb.ragkb", good, bomb)
        with report.attempt(f"{bomb.name} ({file.stat().st_size // 1024} KiB)"):
            began = time.monotonic()
            made = _typed(home, file)
            took = time.monotonic() - began
            report.note_peaks(made.peaks)
            report.expect(made.status == 1, f"ended with {made.status}: {made.errors[-300:]}")
            report.expect("Traceback" not in made.errors, made.errors[-300:])
            report.expect(len(made.errors.strip().splitlines()) == 2, made.errors[-300:])
            above = made.peaks.get("main", 0.0) - idle
            report.expect(above <= MOST_MIB, f"took {above:.0f} MiB above a small import")
            report.expect(took <= MOST_SECONDS, f"took {took:.0f} s")
            report.expect(not any(home.glob("*.ragkb")), "left a file behind")
    with opened(home) as (workspace, _), report.attempt("what they left"):
        report.expect(not workspace.catalog.kbs.all(), "a knowledge base was left")
        report.expect(_rows_of(workspace) == 0, "rows were left in the catalog")


def _typed(home: Path, file: Path) -> Measured:
    command = [sys.executable, "-m", "desktop_rag", "kb", "import", str(file)]
    return measured([*command, "--data-dir", str(home)], 120, most_megabytes=4000)


def _rows_of(workspace: Workspace) -> int:
    tables = ("documents", "chunks", "embeddings", "files", "sources", "outbox")
    tx = workspace.catalog.database.read()
    counted = (tx.execute(f"SELECT count(*) FROM {each}") for each in tables)
    return sum(each.fetchone()[0] for each in counted)


def _good(folder: Path) -> Path:
    """Export a small knowledge base, and delete what it was made of."""
    with opened(folder / "made") as (workspace, _):
        indexed(workspace, documents(folder / "docs"))
        exported(workspace, folder / "good.ragkb")
    shutil.rmtree(folder / "docs")
    return folder / "good.ragkb"


def _built(file: Path, good: Path, bomb: Bomb) -> Path:
    parts = parts_of(good)
    manifest = json.loads(parts.pop("manifest.json"))
    manifest["counts"] |= {K: _BALLAST} | bomb.counts
    manifest["dimensions"] = bomb.dimensions
    noise = random.Random(1).randbytes(_BALLAST * 768)
    parts |= {
        K: b"".join(_rows('"%032x"\n', _BALLAST)),
        V: float16_npy_header((_BALLAST, 384)) + noise,
    }
    members = {name: (content,) for name, content in parts.items()} | bomb.members()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        for name, pieces in members.items():
            with archive.open(name, "w", force_zip64=True) as out:
                for piece in pieces:
                    out.write(piece)
    return file


def _matrices() -> Iterator[tuple[str, Change]]:
    for width in (1, 8, 383, 385, 768, 1024, 16_384):
        yield f"{width} numbers", partial(_resized, width=width)
    for name, value in (("no number", np.nan), ("infinity", np.inf), ("minus infinity", -np.inf)):
        yield name, partial(_all_of_last, value=value)
        yield f"one {name}", partial(_first_of_last, value=value)
    yield "a row of zeros", lambda m: _with_row(m, np.zeros(m.shape[1]))
    yield "a denormal row", lambda m: _with_row(m, np.full(m.shape[1], 6e-8))
    yield "a long row", lambda m: _with_row(m, np.full(m.shape[1], 60_000))
    yield "a row too few", lambda m: m[:-1]
    yield "a row too many", lambda m: np.vstack([m, m[:1]])


def _resized(matrix: np.ndarray, width: int) -> np.ndarray:
    return _unit(len(matrix), width)


def _all_of_last(matrix: np.ndarray, value: float) -> np.ndarray:
    return _with_row(matrix, np.full(matrix.shape[1], value))


def _first_of_last(matrix: np.ndarray, value: float) -> np.ndarray:
    return _with_row(matrix, _first(matrix, value))


def _unit(rows: int, width: int) -> np.ndarray:
    made = np.ones((rows, width), np.float32)
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float16)


def _with_row(matrix: np.ndarray, row: np.ndarray) -> np.ndarray:
    made = matrix.copy()
    made[-1] = row.astype(np.float16)
    return made


def _first(matrix: np.ndarray, value: float) -> np.ndarray:
    row = matrix[-1].astype(np.float32)
    row[0] = value
    return row


def _matrix_of(parts: Parts) -> np.ndarray:
    return np.load(io.BytesIO(parts[V]), allow_pickle=False)


def _with_matrix(parts: Parts, matrix: np.ndarray) -> Parts:
    """Put another matrix in; the manifest says its width, so that only that is wrong."""
    shape = (len(matrix), matrix.shape[1])
    raw = float16_npy_header(shape) + matrix.astype("<f2").tobytes()
    return with_manifest(dimensions=shape[1])(parts | {V: raw})


def _vectors(report: Report, task: Task) -> None:
    """Import vectors that are none of the model's, and search another knowledge base after each."""
    good = _good(task.folder)
    with opened(task.folder / "home") as (workspace, _):
        indexed(workspace, documents(task.folder / "docs"), "mine")
        before, rows = found(workspace, "harbour", "mine"), dump(workspace)
        for number, (name, change) in enumerate(_matrices()):
            if task.is_quick and number % 3:
                continue
            with report.attempt(name):
                parts = parts_of(good)
                parts = _with_matrix(parts, change(_matrix_of(parts)))
                _expect_refused(report, workspace, packed(task.folder / f"{number}", parts))
                report.expect(found(workspace, "harbour", "mine") == before, "it changed a search")
                report.expect(dump(workspace) == rows, "it changed the catalog")
        with report.attempt("false vectors of the right width"):
            parts = parts_of(good)
            false = np.roll(_matrix_of(parts), 1, axis=0)
            imported(workspace, packed(task.folder / "false", _with_matrix(parts, false)), "theirs")
            report.expect(found(workspace, "harbour", "mine") == before, "it changed a search")
            indexed(workspace, task.folder / "docs", "later")
            report.expect(found(workspace, "harbour", "later") == before, "a later index has them")


def _expect_refused(report: Report, workspace: Workspace, file: Path) -> None:
    try:
        imported(workspace, file)
    except UserError:
        return
    report.expect(False, "it was imported")


def _old_rows(report: Report, task: Task) -> None:
    """Put rows of another width into the catalog, as an import of before could have done."""
    with opened(task.folder / "home") as (workspace, _):
        indexed(workspace, documents(task.folder / "docs"), "mine")
        before = found(workspace, "harbour", "mine")
        indexed(workspace, task.folder / "docs" / "mountain.md", "other")
    for width in (8,) if task.is_quick else (0, 1, 8, 383, 768):
        with opened(task.folder / "home") as (workspace, _), report.attempt(f"{width} numbers"):
            tx = workspace.catalog.database.read()
            tx.execute(
                "UPDATE embeddings SET vector = zeroblob(?) WHERE embed_key IN (SELECT embed_key "
                "FROM embeddings ORDER BY embed_key LIMIT 3)",
                (width * 2,),
            )
            for kb in ("mine", "other"):
                report.expect(found(workspace, "harbour", kb), f"{kb} finds nothing")
            told = [e.as_json() for e in done(workspace, DescribeRequest("doctor"))]
            named = [row for row in told if "another length" in row["detail"]]
            report.expect(named, "the doctor does not say it")
            done(workspace, KbRequest("rebuild", "mine"))
            told = [e.as_json() for e in done(workspace, DescribeRequest("doctor"))]
            report.expect(not any("another length" in r["detail"] for r in told), "not mended")
            report.expect(found(workspace, "harbour", "mine") == before, "it finds something else")


def _forged(report: Report, task: Task) -> None:
    """Import other texts under the hash of a file that is indexed before, or afterwards."""
    good, docs = _good(task.folder), documents(task.folder / "docs")
    parts = parts_of(good)
    row = json.loads(parts[C].splitlines()[0])
    text = _FORGED.ljust(len(json.loads(parts[D].splitlines()[0])["text"]))
    key = embed_key(row["context"], _FORGED)
    keys = {json.loads(each) for each in parts[K].splitlines()} - {row["key"]} | {key}
    parts = with_fields(C, text=_FORGED, key=key)(with_fields(D, text=text)(parts))
    parts[K] = "".join(f"{json.dumps(each)}\n" for each in sorted(keys)).encode()
    file = packed(task.folder / "forged", parts)
    for when in ("before", "after", "deleted", "beside")[: 2 if task.is_quick else 4]:
        with opened(task.folder / when) as (workspace, _), report.attempt(f"indexed {when}"):
            if when == "before":
                indexed(workspace, docs, "mine")
            imported(workspace, file, "theirs")
            if when == "deleted":
                indexed(workspace, docs, "mine")
                done(workspace, KbRequest("delete", "theirs"))
            if when != "before":
                indexed(workspace, docs, "mine")
            if when == "beside":
                done(workspace, KbRequest("rebuild", "mine"))
            texts = " ".join(str(each) for each in found(workspace, _FORGED, "mine"))
            report.expect("666" not in texts, "the forged text is found in another base")
            report.expect(
                workspace.indexes.of(workspace.catalog.kbs.get("mine").id).check() is None, ""
            )


def _folders(report: Report, task: Task) -> None:
    """Import knowledge bases that name folders of this computer, each with a file that is there."""
    good, home = _good(task.folder), task.folder / "home"
    private = task.folder / "private"
    private.mkdir()
    (private / "diary.txt").write_text("Nobody shall read this.", encoding="utf-8")
    (private / "empty").touch()
    asked = (
        ("an empty file", private, private / "empty", 0),
        ("the root", Path("/"), Path("/proc/version"), 0),
        ("the root by a file", Path("/"), Path("/etc/hostname"), None),
        ("/etc", Path("/etc"), Path("/etc/passwd"), None),
        ("/proc", Path("/proc/self"), Path("/proc/self/status"), 0),
        ("above the homes", Path.home().parent, Path.home() / ".profile", None),
        ("the data folder", home, home / "catalog.db", None),
        ("a way round", private / ".." / "private", private / "diary.txt", None),
        ("a file by a way round", private, private / ".." / "private" / "diary.txt", None),
        ("another computer", Path("//server/share"), Path("//server/share/a"), None),
        ("an automatic mount", Path("/net/127.0.0.1"), Path("/net/127.0.0.1/a"), None),
    )
    with opened(home) as (workspace, _):
        for number, (name, folder, witness, size) in enumerate(asked):
            with report.attempt(name):
                there = witness.stat().st_size if size is None and witness.exists() else size or 1
                file = _naming(task.folder / f"{number}", good, (str(folder), str(witness), there))
                offered = followed_paths_here(workspace, file, CancelToken())
                report.expect(offered == (), f"it would be asked about: {offered}")
                row = imported(workspace, file, f"base {number}")
                report.expect(row["sources"] == [], f"it follows {row['sources']}")
                _expect_follow_refused(report, workspace, file, str(folder))
        with report.attempt("a folder that is there"):
            named = (
                str(private),
                str(private / "diary.txt"),
                (private / "diary.txt").stat().st_size,
            )
            file = _naming(task.folder / "there", good, named)
            report.expect(
                followed_paths_here(workspace, file, CancelToken()) == (str(private),), "not asked"
            )
            report.expect(imported(workspace, file, "there")["sources"] == [], "followed unasked")
            row = imported(workspace, file, "wanted", private)
            report.expect(row["sources"] == [str(private)], "not followed where that was wanted")


def _expect_follow_refused(report: Report, workspace: Workspace, file: Path, folder: str) -> None:
    try:
        imported(workspace, file, "followed", Path(folder))
    except UserError:
        return
    report.expect(False, "it is followed when it is named")


def _naming(file: Path, good: Path, named: tuple[str, str, int]) -> Path:
    folder, witness, size = named
    parts = with_fields(S, path=folder)(parts_of(good))
    rows = [json.loads(each) for each in parts[F].splitlines()]
    rows[-1] |= {"path": witness, "size": size}
    rows.sort(key=lambda row: row["path"].encode())
    parts[F] = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    return packed(file, parts)


def _mutations(report: Report, task: Task) -> None:
    """Change bytes of the members of a good export: each is refused in words, or does no harm."""
    chance, good = random.Random(task.seed), _good(task.folder)
    whole = parts_of(good)
    with opened(task.folder / "home") as (workspace, _):
        indexed(workspace, documents(task.folder / "docs"), "mine")
        before = found(workspace, "harbour", "mine")
        for number in range(15 if task.is_quick else 1500):
            name = chance.choice(sorted(whole))
            with report.attempt(f"{name}, mutation {number}"):
                content = bytearray(whole[name])
                for _ in range(chance.randint(1, 4)):
                    _mutate(content, chance)
                file = packed(task.folder / "mutated", whole | {name: bytes(content)})
                try:
                    row = imported(workspace, file, "theirs")
                except UserError:
                    pass
                else:
                    report.expect(row["sources"] == [], "it follows a folder")
                    report.expect(found(workspace, "harbour", "mine") == before, "another search")
                    done(workspace, KbRequest("delete", "theirs"))
                report.expect(len(workspace.catalog.kbs.all()) == 1, "it left a knowledge base")


def _mutate(content: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(content) + 1)
    kind = chance.randrange(4)
    if kind == 0 and content:
        content[at - 1] ^= 1 << chance.randrange(8)
    elif kind == 1:
        content[at:at] = chance.choice((b"0", b'"', b"[", b"{", b"\n", b"\\", b"-", b"9" * 30))
    elif kind == 2:
        del content[at : at + chance.randint(1, 40)]
    else:
        content[at:at] = content[at : at + chance.randint(1, 400)]


ATTACKS = (
    Attack("import bombs", _bombs),
    Attack("imports with vectors that are none", _vectors),
    Attack("vectors of another length in the catalog", _old_rows),
    Attack("imports with forged texts", _forged),
    Attack("imports that name folders", _folders),
    Attack("imports with changed bytes", _mutations),
)
