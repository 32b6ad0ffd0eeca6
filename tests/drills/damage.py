"""Indexes damaged in every way: searches stay right, and are mended without embedding again."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.drills.consistency_check import Census, census, differing
from tests.drills.documents import Documents
from tests.drills.program import Program
from tests.drills.report import Score

Blow = Callable[[Path], None]
_SECTIONS = 580  # of two chunks: enough for Chroma to write its graph with all its files
_FEW = 10  # kills below which a drill is a short one
_FEW_SECTIONS = 60
_SMALL = ("--set", "small_tokens=32", "--set", "overlap_tokens=0")


@dataclass(frozen=True, slots=True)
class _Way:
    """A drill's blows, the sections of its long document, and whether Chroma is asked."""

    blows: dict[str, Blow]
    sections: int = _SECTIONS
    asks_chroma: bool = False


def chroma(score: Score, root: Path, kills: int, seed: int) -> None:
    """Damage the vector index, each way after a clean end and after an unclean one."""
    _drill(score, root, seed, _Way(_some(_chroma_blows(), kills)))


def chroma_asked(score: Score, root: Path, kills: int, seed: int) -> None:
    """Damage the vector index where searches ask it, as in a large knowledge base.

    Of so few vectors Chroma writes no graph; those are damaged in `chroma`, and searched in
    tests/catalog. What the graph that it makes at each start misses, the census puts in: a search
    of the sound folder, too, does not find it at one start and finds it at another.
    """
    blows = _some(_database_blows(), kills)
    _drill(score, root, seed, _Way(blows, _FEW_SECTIONS, asks_chroma=True))


def tantivy(score: Score, root: Path, kills: int, seed: int) -> None:
    """Damage the word index."""
    _drill(score, root, seed, _Way(_some(_tantivy_blows(), kills)))


def _some(blows: Iterator[tuple[str, Blow]], kills: int) -> dict[str, Blow]:
    """Return all blows, or as many as asked for where that is a few."""
    return dict(list(blows)[:kills] if kills < _FEW else blows)


def _drill(score: Score, root: Path, seed: int, way: _Way) -> None:
    with score.timed():
        documents = Documents(root / "documents", 8, seed)
        documents.add_sections(way.sections if len(way.blows) >= _FEW else _FEW)
        sound = Program(root / "sound", score)
        sound.must("index", documents.folder, *_SMALL)
        sound.let_chroma_hold(0 if way.asks_chroma else _chunks(sound))
        sound.must("index", documents.folder, *_SMALL)
        wanted = census(sound, documents.queries())
        for name, blow in way.blows.items():
            for is_clean in (True, False):
                with score.round(name if is_clean else f"{name}, unclean end"):
                    home = root / "home"
                    shutil.rmtree(home, ignore_errors=True)
                    shutil.copytree(sound.home, home)
                    blow(home)
                    if not is_clean:
                        for seal in home.glob("indexes/*/*sealed.json"):
                            seal.unlink()
                    _look(Program(home, score), documents, wanted)


def _chunks(program: Program) -> int:
    """Return how many chunks there are: that many are compared, and Chroma holds them."""
    return int(program.must("kb", "list", "--json").lines[0]["chunks"])


def _look(program: Program, documents: Documents, wanted: Census) -> None:
    """Search, ask the doctor, and compare everything; nothing may be embedded for it.

    The catalog is the same, its chunks have the same numbers: every answer must be the same.
    """
    score, queries = program.score, documents.queries()
    before = embedded(program.home)
    orders = [("search", "--json", queries[0]), ("doctor", "--json")]
    for words in orders if score.rounds % 2 else reversed(orders):
        done = program.must(*words)
        score.expect(done.out, f"{words[0]} printed nothing")
        if words[0] == "doctor":
            odd = [e for e in done.lines if e["status"] == "error"]
            score.expect(not odd, f"the doctor says {odd}")
    found = census(program, queries)
    if not found:
        return
    score.lost += found["lost"]
    score.doubled += found["doubled"]
    score.expect(found["contents"] == wanted["contents"], "the contents changed")
    for kind in ("answers", "by_scores"):
        answers = zip(found[kind]["default"], wanted[kind]["default"], strict=True)
        for query, (one, other) in zip(queries, answers, strict=True):
            if difference := differing(one, other):
                score.wrong.append(f"“{query}”, {kind}: {difference}")
    score.expect(embedded(program.home) == before, "something was embedded again")


def embedded(home: Path) -> tuple[int, int]:
    """Return how many embeddings there are, and the number of the last: it grows with each."""
    with closing(sqlite3.connect(home / "catalog.sqlite")) as connection:
        query = "SELECT count(*), max(rowid) FROM embeddings"
        count, last = connection.execute(query).fetchone()
    return int(count), int(last)


def _chroma_blows() -> Iterator[tuple[str, Blow]]:
    yield from _database_blows()
    files = ("index_metadata.pickle", "data_level0.bin", "header.bin", "link_lists.bin")
    yield from _to_files(*files, "length.bin")
    yield "graph folder deleted", _delete_graph


def _database_blows() -> Iterator[tuple[str, Blow]]:
    """Yield what may happen whether or not there is a graph."""
    yield "pages of chroma.sqlite3 garbled", _each("dense-*", "chroma.sqlite3", _garble_within)
    yield from _to_files("chroma.sqlite3")
    yield "folder deleted", _on_half("dense-*", shutil.rmtree)
    yield "folder emptied", _on_half("dense-*", _empty_folder)
    yield "folder replaced by a file", _on_half("dense-*", _replace)
    yield "all indexes deleted", _delete_all
    yield "all indexes replaced by a file", _replace_all
    yield "what is in use forgotten", _forget


def _to_files(*patterns: str) -> Iterator[tuple[str, Blow]]:
    for pattern in patterns:
        yield f"{pattern} cut", _each("dense-*", pattern, _cut)
        yield f"{pattern} emptied", _each("dense-*", pattern, _empty)
        yield f"{pattern} garbled", _each("dense-*", pattern, _garble)
        yield f"{pattern} zeroed", _each("dense-*", pattern, _zero)
        yield f"{pattern} deleted", _each("dense-*", pattern, Path.unlink)


def _tantivy_blows() -> Iterator[tuple[str, Blow]]:
    yield "folder deleted", _on_half("lexical-*", shutil.rmtree)
    yield "folder emptied", _on_half("lexical-*", _empty_folder)
    yield "folder replaced by a file", _on_half("lexical-*", _replace)
    for pattern in ("meta.json", ".managed.json", "*.term", "*.idx", "*.fast", "*.store"):
        yield f"{pattern} cut", _each("lexical-*", pattern, _cut)
        yield f"{pattern} garbled", _each("lexical-*", pattern, _garble)
        yield f"{pattern} deleted", _each("lexical-*", pattern, Path.unlink)


def _each(half: str, pattern: str, blow: Blow) -> Blow:
    """Return a blow at every file of a half that is named so."""

    def strike(home: Path) -> None:
        struck = list(home.glob(f"indexes/*/{half}/**/{pattern}"))
        assert struck, f"there is no {pattern} to damage"
        for file in struck:
            blow(file)

    return strike


def _on_half(half: str, blow: Blow) -> Blow:
    def strike(home: Path) -> None:
        for folder in home.glob(f"indexes/*/{half}"):
            blow(folder)

    return strike


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _garble(file: Path) -> None:
    file.write_bytes(random.Random(file.name).randbytes(file.stat().st_size))


def _garble_within(file: Path) -> None:
    """Leave SQLite's first page as it is, so that the damage is met only later."""
    content = bytearray(file.read_bytes())
    content[4096:] = random.Random(1).randbytes(len(content) - 4096)
    file.write_bytes(content)


def _zero(file: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def _empty_folder(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def _replace(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("not a folder")


def _delete_graph(home: Path) -> None:
    for header in home.glob("indexes/*/dense-*/*/header.bin"):
        shutil.rmtree(header.parent)


def _delete_all(home: Path) -> None:
    shutil.rmtree(home / "indexes")


def _replace_all(home: Path) -> None:
    _replace(home / "indexes")


def _forget(home: Path) -> None:
    for name in ("in-use.json", "chroma.json"):
        for file in home.glob(f"indexes/*/{name}"):
            file.write_text("{")
            os.utime(file)
