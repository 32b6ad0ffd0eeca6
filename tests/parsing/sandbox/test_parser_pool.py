from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.parser_pool import ParserPool
from testing import misbehaving_parser
from testing.timeouts import NEVER, eventually
from tests.parsing.sandbox.pool_helpers import outcomes, pool, status, text

__all__ = ["pool"]


def test_real_files_are_read_by_the_real_parsers(tmp_path: Path) -> None:
    good, bad = tmp_path / "a\nb 🙂.txt", tmp_path / "bad.pdf"
    good.write_text("A sentence that is long enough.")
    bad.write_text("no pdf at all")
    pool = ParserPool(1, 30.0, 1024)
    try:
        found = {path: outcome for path, outcome, _ in pool.run([good, bad], CancelToken())}
    finally:
        pool.close()
    assert text(found[good]) == "A sentence that is long enough."
    assert status(found[bad]) is FileStatus.CORRUPT


def test_files_that_come_one_by_one_are_read_by_one_process(pool: ParserPool) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    outcomes(pool, "first")
    started = {child.pid for child in psutil.Process().children(recursive=True)} - before
    outcomes(pool, "second")
    outcomes(pool, "third")
    now = {child.pid for child in psutil.Process().children(recursive=True)} - before
    assert now == started


def test_a_process_that_was_started_ahead_is_the_one_that_reads(pool: ParserPool) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    pool.get_ready()
    pool.get_ready()
    outcomes(pool, "first")
    pool.get_ready()
    started = {child.pid for child in psutil.Process().children(recursive=True)} - before
    assert len(started) == 1
    assert eventually(
        lambda: not any(each.name == "parser-start" for each in threading.enumerate())
    )
    assert {child.pid for child in psutil.Process().children(recursive=True)} - before == started


def test_closing_while_a_process_is_started_ahead_leaves_none(pool: ParserPool) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    pool.get_ready()
    pool.close()
    pool.get_ready()
    assert eventually(
        lambda: not any(each.name == "parser-start" for each in threading.enumerate())
    )
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hang", FileStatus.TIMEOUT),
        ("stall", FileStatus.TIMEOUT),
        ("crash", FileStatus.FAILED),
        ("leave", FileStatus.FAILED),
        ("swell", FileStatus.TOO_LARGE),
        ("grab", FileStatus.TOO_LARGE),
        ("stumble", FileStatus.FAILED),
        ("refuse", FileStatus.ENCRYPTED),
    ],
)
def test_trouble_costs_one_file(name: str, expected: FileStatus) -> None:
    pool = ParserPool(2, 1.0 if name in ("hang", "stall") else 30.0, 400, misbehaving_parser.answer)
    try:
        found = outcomes(pool, "first", name, "second", "third", "fourth")
    finally:
        pool.close()
    assert status(found[name]) is expected
    assert found[name].what.endswith(".")  # type: ignore[union-attr]
    assert [text(found[each]).split()[0] for each in ("first", "second", "third", "fourth")] == [
        "first", "second", "third", "fourth",
    ]  # fmt: skip


def test_trouble_on_trouble_still_gives_every_file_an_outcome(pool: ParserPool) -> None:
    names = [f"{act}-{n}" for n in range(3) for act in ("crash", "leave", "good", "stumble")]
    found = outcomes(pool, *names)
    assert sorted(found) == sorted(names)
    assert {n for n, each in found.items() if isinstance(each, ParsedDocument)} == {
        "good-0", "good-1", "good-2",
    }  # fmt: skip


def test_children_are_kept_from_file_to_file(pool: ParserPool) -> None:
    found = outcomes(pool, *(f"file{n}" for n in range(8)))
    again = outcomes(pool, *(f"file{n}" for n in range(8)))
    processes = {text(each).split()[1] for each in (*found.values(), *again.values())}
    assert 1 <= len(processes) <= 2
    assert str(os.getpid()) not in processes


def test_the_next_path_is_taken_when_a_worker_is_free(pool: ParserPool) -> None:
    taken = []

    def paths() -> Iterator[Path]:
        for n in range(20):
            taken.append(n)
            yield Path(f"file{n}")

    running = pool.run(paths(), CancelToken())
    next(running)
    assert len(taken) <= 4
    assert len(list(running)) == 19


def test_a_cancel_ends_the_reading_at_once(pool: ParserPool) -> None:
    list(pool.run([Path("warm"), Path("up")], CancelToken()))
    patient = ParserPool(2, NEVER, 400, misbehaving_parser.answer)
    token = CancelToken()
    timer = threading.Timer(1.5, token.cancel)
    timer.start()
    try:
        with pytest.raises(Cancelled):
            list(patient.run([Path("good"), Path("hang-1"), Path("hang-2")], token))
        assert text(outcomes(patient, "good")["good"]).startswith("good")
    finally:
        timer.join()
        patient.close()


def test_a_cancel_ends_a_parser_that_hangs() -> None:
    pool = ParserPool(1, NEVER, 400, misbehaving_parser.answer)
    token = CancelToken()
    list(pool.run([Path("warm")], token))
    timer = threading.Timer(0.3, token.cancel)
    timer.start()
    try:
        with pytest.raises(Cancelled):
            list(pool.run([Path("hang")], token))
    finally:
        timer.join()
        pool.close()


def test_leaving_the_loop_early_gives_the_rest_up(pool: ParserPool) -> None:
    running = pool.run([Path("good"), Path("hang"), Path("hang")], CancelToken())
    next(running)
    running.close()  # type: ignore[attr-defined]
    assert text(outcomes(pool, "later")["later"]).startswith("later")


def test_an_answer_that_is_no_document_fails_the_file() -> None:
    pool = ParserPool(1, 5.0, 400, misbehaving_parser.no_document)
    try:
        assert status(outcomes(pool, "a")["a"]) is FileStatus.FAILED
    finally:
        pool.close()


def test_closing_leaves_no_process_behind() -> None:
    pool = ParserPool(2, 5.0, 400, misbehaving_parser.answer)
    found = outcomes(pool, "a", "b", "c", "d")
    processes = {int(text(each).split()[1]) for each in found.values()}
    pool.close()
    pool.close()
    assert not any(psutil.pid_exists(each) for each in processes)


PARENT = """
import sys, time
from pathlib import Path
from desktop_rag.core.cancel import CancelToken
from desktop_rag.parsing.sandbox.parser_pool import ParserPool
from testing import misbehaving_parser as hostile

if __name__ == "__main__":
    pool = ParserPool(1, 60.0, 400, hostile.answer)
    for _, outcome, _ in pool.run([Path("a")], CancelToken()):
        print(outcome.blocks[0].text.split()[1], flush=True)
    if sys.argv[1] == "busy":
        list(pool.run([Path("litter")], CancelToken()))
    time.sleep(60)
"""


@pytest.mark.parametrize("state", ["idle", "busy"])
def test_children_end_when_their_parent_is_killed(tmp_path: Path, state: str) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    root = Path(__file__).resolve().parents[3]
    with subprocess.Popen(
        [sys.executable, str(script), state],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(root), "TMPDIR": str(tmp_path)},
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert psutil.pid_exists(child)
        if state == "busy":
            assert eventually(lambda: list(tmp_path.glob("desktop-rag-*/litter-*")))
        parent.kill()
    assert eventually(lambda: ended(child))
    assert not list(tmp_path.glob("desktop-rag-*"))


def ended(process: int) -> bool:
    try:
        return psutil.Process(process).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
