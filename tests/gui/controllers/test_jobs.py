"""The thread boundary."""

from __future__ import annotations

import ast
import re
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication

import desktop_rag
from desktop_rag.core.cancel import CancelToken, current_token
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.gui.controllers.jobs import InlineRunner, Job, JobRunner, Lane, Operation
from testing.timeouts import NEVER, SOON
from testing.window_driver import pause, wait_for


class Ear(QObject):
    """Remembers what a job says, and in which thread it heard it."""

    def __init__(self) -> None:
        super().__init__()
        self.values: list[object] = []
        self.errors: list[Exception] = []
        self.finished = 0
        self.threads: set[QThread] = set()

    def listen(self, job: Job) -> Job:
        job.yielded.connect(self.hear)
        job.refused.connect(self.fail)
        job.broke.connect(self.fail)
        job.succeeded.connect(self.finish)
        return job

    @Slot(object)
    def hear(self, value: object) -> None:
        self.values.append(value)
        self.threads.add(QThread.currentThread())

    @Slot(object)
    def fail(self, error: Exception) -> None:
        self.errors.append(error)

    @Slot()
    def finish(self) -> None:
        self.finished += 1


@pytest.fixture
def runner(qapp: QApplication) -> Iterator[JobRunner]:
    made = JobRunner()
    yield made
    made.close()
    made.deleteLater()


def count(upto: int) -> Callable[[CancelToken], Iterator[object]]:
    def work(token: CancelToken) -> Iterator[object]:
        yield from range(upto)

    return work


def test_values_arrive_in_order_in_the_gui_thread(runner: JobRunner) -> None:
    ear = Ear()
    ear.listen(runner.start(Lane.CHAT, count(500)))
    wait_for(lambda: ear.finished)
    assert ear.values == list(range(500))
    assert ear.threads == {QThread.currentThread()}


def test_work_runs_in_the_thread_of_its_lane(runner: JobRunner) -> None:
    def name(token: CancelToken) -> Iterator[object]:
        yield threading.current_thread().name

    ear = Ear()
    for lane in Lane:
        ear.listen(runner.start(lane, name))
    wait_for(lambda: ear.finished == len(Lane))
    assert sorted(map(str, ear.values)) == sorted(f"lane-{lane.value}" for lane in Lane)


def test_after_cancel_nothing_is_delivered_not_even_what_was_on_its_way(runner: JobRunner) -> None:
    reached = threading.Event()

    def work(token: CancelToken) -> Iterator[object]:
        yield "on its way"
        reached.set()
        token.wait(2 * SOON)
        yield "too late"

    ear = Ear()
    job = ear.listen(runner.start(Lane.CHAT, work))
    assert reached.wait(SOON)
    job.cancel()
    pause(100)
    assert (ear.values, ear.finished) == ([], 0)


def test_an_error_after_cancel_counts_as_cancelled(runner: JobRunner) -> None:
    begun = threading.Event()

    def work(token: CancelToken) -> Iterator[object]:
        begun.set()
        token.wait(2 * SOON)
        raise ValueError("half closed")
        yield None

    ear = Ear()
    job = ear.listen(runner.start(Lane.CHAT, work))
    assert begun.wait(SOON)
    job.cancel()
    pause(100)
    assert ear.errors == []


def test_an_error_is_delivered_once_and_the_lane_goes_on(runner: JobRunner) -> None:
    def work(token: CancelToken) -> Iterator[object]:
        yield 1
        raise UserError("broken", "Mend it.")

    ear = Ear()
    ear.listen(runner.start(Lane.READ, work))
    ear.listen(runner.start(Lane.READ, count(1)))
    wait_for(lambda: ear.finished)
    assert [str(error) for error in ear.errors] == ["broken Mend it."]
    assert ear.values == [1, 0]


def test_a_job_that_was_cancelled_before_its_turn_never_begins(runner: JobRunner) -> None:
    begun: list[str] = []

    def slow(token: CancelToken) -> Iterator[object]:
        begun.append("slow")
        token.wait(0.1)
        yield None

    def other(token: CancelToken) -> Iterator[object]:
        begun.append("other")
        yield None

    ear = Ear()
    ear.listen(runner.start(Lane.CHAT, slow))
    runner.start(Lane.CHAT, other).cancel()
    ear.listen(runner.start(Lane.CHAT, count(1)))
    wait_for(lambda: ear.finished == 2)
    assert begun == ["slow"]


def test_the_generator_is_closed_when_its_job_is_cancelled(runner: JobRunner) -> None:
    closed = threading.Event()

    def work(token: CancelToken) -> Iterator[object]:
        try:
            while True:
                yield 1
        finally:
            closed.set()

    ear = Ear()
    job = ear.listen(runner.start(Lane.CHAT, work))
    wait_for(lambda: ear.values)
    job.cancel()
    assert closed.wait(SOON)


def test_close_cancels_everything_and_runs_the_last_thing_in_the_ingest_lane(
    qapp: QApplication,
) -> None:
    runner = JobRunner()
    ear, last = Ear(), []

    def forever(token: CancelToken) -> Iterator[object]:
        yield "begun"
        token.wait(60)

    def close() -> bool:
        last.append(threading.current_thread().name)
        return True

    for lane in Lane:
        ear.listen(runner.start(lane, forever))
    wait_for(lambda: len(ear.values) == len(Lane))
    assert runner.close(close)
    assert last == ["lane-ingest"]


def test_close_does_not_wait_longer_than_it_was_told(qapp: QApplication) -> None:
    runner = JobRunner()
    begun, release = threading.Event(), threading.Event()

    def stubborn(token: CancelToken) -> Iterator[object]:
        begun.set()
        release.wait(NEVER)
        yield None

    runner.start(Lane.CHAT, stubborn)
    assert begun.wait(SOON)
    assert not runner.close(seconds=0.3)
    release.set()


def test_nothing_is_delivered_after_close(qapp: QApplication) -> None:
    runner, ear = JobRunner(), Ear()
    ear.listen(runner.start(Lane.CHAT, count(100_000)))
    runner.close()
    seen = len(ear.values)
    pause(50)
    assert len(ear.values) == seen


def test_the_inline_runner_runs_nothing_until_it_is_drained() -> None:
    runner, ear = InlineRunner(), Ear()
    ear.listen(runner.start(Lane.CHAT, count(3)))
    assert ear.values == []
    runner.drain()
    assert (ear.values, ear.finished) == ([0, 1, 2], 1)


def test_the_inline_runner_is_silent_after_cancel_like_the_real_one() -> None:
    runner, ear = InlineRunner(), Ear()
    job = ear.listen(runner.start(Lane.CHAT, count(3)))
    job.yielded.connect(job.cancel)
    runner.drain()
    assert (ear.values, ear.finished) == ([0], 0)


def test_a_lane_that_does_not_end_takes_no_time_from_what_is_done_last(qapp: QApplication) -> None:
    runner = JobRunner()
    begun, free, done = threading.Event(), threading.Event(), threading.Event()

    def deaf(token: CancelToken) -> Iterator[object]:
        begun.set()
        free.wait(2 * SOON)
        yield None

    def last() -> bool:
        time.sleep(0.3)
        done.set()
        return True

    runner.start(Lane.INGEST, count(1))
    runner.start(Lane.READ, deaf)
    assert begun.wait(SOON)
    assert not runner.close(last, seconds=0.3)
    assert done.is_set()
    free.set()


@pytest.mark.parametrize("error", [UserError("unheard", ""), ValueError("unheard")])
def test_an_error_that_nobody_listens_for_is_raised(qapp: QApplication, error: Exception) -> None:
    def work(token: CancelToken) -> None:
        raise error

    runner = InlineRunner()
    runner.start(Lane.READ, work)
    with pytest.raises(type(error), match="unheard"):
        runner.drain()


def test_a_bug_is_raised_though_somebody_heard_of_it(qapp: QApplication) -> None:
    def work(token: CancelToken) -> None:
        raise ValueError("heard")

    runner, ear = InlineRunner(), Ear()
    ear.listen(runner.start(Lane.READ, work))
    with pytest.raises(ValueError, match="heard"):
        runner.drain()
    assert [str(error) for error in ear.errors] == ["heard"]


def test_a_stop_that_comes_as_an_error_is_raised_nowhere(qapp: QApplication) -> None:
    def work(token: CancelToken) -> None:
        raise Cancelled

    runner = InlineRunner()
    runner.start(Lane.READ, work)
    runner.drain()


class Told(QObject):
    """Remembers what an operation told, in its order."""

    bell = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[str, object]] = []
        self.bell.connect(self.ring)

    def of(self, operation: Operation[Any]) -> Operation[Any]:
        operation.on_success(self.succeed).on_value(self.take).on_end(self.end)
        return operation.on_user_error(self.refuse).on_bug(self.break_down)

    @Slot()
    def end(self) -> None:
        self.heard.append(("end", None))

    @Slot(object)
    def take(self, value: object) -> None:
        self.heard.append(("value", value))

    @Slot(object)
    def succeed(self, result: object) -> None:
        self.heard.append(("success", result))

    @Slot(object)
    def refuse(self, error: UserError) -> None:
        self.heard.append(("user error", error.what))

    @Slot(object)
    def break_down(self, error: Exception) -> None:
        self.heard.append(("bug", str(error)))

    @Slot(object)
    def ring(self, value: object) -> None:
        self.heard.append(("bell", value))


def test_an_operation_tells_what_its_function_returns(qapp: QApplication) -> None:
    runner, told = InlineRunner(), Told()
    told.of(Operation(lambda _token: (1, 2))).start(runner, Lane.READ)
    runner.drain()
    assert told.heard == [("end", None), ("success", (1, 2))]


def test_an_operation_tells_what_its_generator_yields_and_returns(qapp: QApplication) -> None:
    def work(token: CancelToken) -> Generator[int, None, str]:
        yield 1
        yield 2
        return "whole"

    runner, told = InlineRunner(), Told()
    told.of(Operation(work)).start(runner, Lane.READ)
    runner.drain()
    values: list[tuple[str, object]] = [("value", 1), ("value", 2)]
    assert told.heard == [*values, ("end", None), ("success", "whole")]


def test_an_operation_tells_an_error_of_the_user_and_raises_no_such(qapp: QApplication) -> None:
    def work(token: CancelToken) -> None:
        raise UserError("The disk is full.", "Make room.")

    runner, told = InlineRunner(), Told()
    told.of(Operation(work)).start(runner, Lane.READ)
    runner.drain()
    assert told.heard == [("end", None), ("user error", "The disk is full.")]


def test_an_operation_tells_a_bug_before_it_is_raised(qapp: QApplication) -> None:
    def work(token: CancelToken) -> None:
        raise ValueError("broken")

    runner, told = InlineRunner(), Told()
    told.of(Operation(work)).start(runner, Lane.READ)
    with pytest.raises(ValueError, match="broken"):
        runner.drain()
    assert told.heard == [("end", None), ("bug", "broken")]


def test_an_operation_tells_signals_too_and_nothing_to_what_is_gone(qapp: QApplication) -> None:
    runner, told, gone = InlineRunner(), Told(), Told()
    for each in (told, gone):
        Operation(lambda _token: 1).on_success(each.bell).on_success(each.succeed).start(
            runner, Lane.READ
        )
    shiboken6.delete(gone)
    runner.drain()
    assert told.heard == [("bell", 1), ("success", 1)]
    assert gone.heard == []


def test_an_operation_that_takes_the_place_of_a_job_silences_it(qapp: QApplication) -> None:
    runner, told = InlineRunner(), Told()
    first = told.of(Operation(lambda _token: "first")).start(runner, Lane.READ)
    told.of(Operation(lambda _token: "second")).start(runner, Lane.READ, instead_of=first)
    runner.drain()
    assert told.heard == [("end", None), ("success", "second")]


def test_an_unheard_error_reaches_the_hook_that_shows_errors(
    runner: JobRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(token: CancelToken) -> Iterator[object]:
        raise ValueError("unheard")
        yield None

    caught: list[str] = []

    def hook(kind: type[BaseException], error: BaseException, traced: object) -> None:
        caught.append(str(error))

    monkeypatch.setattr(sys, "excepthook", hook)
    runner.start(Lane.READ, work)
    wait_for(lambda: caught)
    assert caught == ["unheard"]


def test_nobody_waits_for_ever_for_a_job_that_failed() -> None:
    """Whoever keeps a job to know that it runs must hear of its end, however it ends."""
    for path in sorted((Path(desktop_rag.__file__).parent / "gui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            text = ast.unparse(node)
            if re.search(r"self\._\w+(\[kind\])? = \w+.*\.start\(self\._jobs", text):
                is_heard = re.search(r"on_end|on_bug|instead_of|\.cancel\(", text)
                assert is_heard, f"{path.name}, line {node.lineno}"


def test_work_that_floods_waits_for_the_window(runner: JobRunner) -> None:
    made: list[int] = []
    beats: list[float] = []

    def flood(token: CancelToken) -> Iterator[object]:
        for number in range(20_000):
            made.append(number)
            yield number

    class Slow(Ear):
        @Slot(object)
        def hear(self, value: object) -> None:
            self.values.append(value)
            time.sleep(0.001)

    ear = Slow()
    job = ear.listen(runner.start(Lane.CHAT, flood))
    heart = QTimer()
    heart.timeout.connect(lambda: beats.append(time.monotonic()))
    heart.start(5)
    wait_for(lambda: len(ear.values) > 500)
    ahead = len(made) - len(ear.values)
    job.cancel()
    heart.stop()
    assert ahead <= 40
    assert len(beats) > 10, "the event loop must have its turn"
    assert ear.values == made[: len(ear.values)]


def test_work_knows_its_token_though_nobody_hands_it_on(runner: JobRunner) -> None:
    ear = Ear()
    seen: list[bool] = []

    def work(token: CancelToken) -> Iterator[object]:
        seen.append(current_token() is token)
        yield 1

    ear.listen(runner.start(Lane.CHAT, work))
    wait_for(lambda: ear.finished)
    assert seen == [True]
    assert current_token() is not current_token()
