"""The table of the attacks counts what did not hold, and the run says so."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from tests.attacks.__main__ import found, main
from tests.attacks.report import HEADINGS, Attack, Report, Task, table
from tests.conftest import REPOSITORY


def holding(report: Report, task: Task) -> None:
    with report.attempt("one"):
        report.note_peaks({"main": 100.4, "parser": 50.0})
        report.note_peaks({"parser": 70.0})
    report.notes.append(f"seed {task.seed}, quick {task.is_quick}, {any(task.folder.iterdir())}")


def failing(report: Report, _task: Task) -> None:
    for name in ("one", "two"):
        with report.attempt(name):
            report.expect(name == "one", "it got in")
            report.expect(name == "one", "it stayed in")


def breaking(_report: Report, _task: Task) -> None:
    raise ValueError("not what was thought")


def skipping(report: Report, _task: Task) -> None:
    report.skipped = "No such kernel."


def leaving(_report: Report, _task: Task) -> None:
    try:
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    except OSError:
        return


ATTACKS = [
    Attack("Holds", holding),
    Attack("Fails", failing),
    Attack("Breaks", breaking),
    Attack("Skips", skipping),
    Attack("Leaves", leaving),
]


def test_a_finding_counts_its_try_once_and_names_it() -> None:
    report = Report("made up")
    failing(report, Task(REPOSITORY, 1, True))
    assert (report.tried, report.failed) == (2, 1)
    assert report.findings == ["two: it got in", "two: it stayed in"]


def test_a_raise_is_a_finding_and_the_next_try_goes_on() -> None:
    report = Report("made up")
    with report.attempt("first"):
        raise OSError("no way")
    with report.attempt("second"):
        pass
    assert (report.tried, report.failed) == (2, 1)
    assert report.findings == ["first: OSError: no way"]


def test_an_expectation_outside_of_a_try_is_one_by_itself() -> None:
    report = Report("made up")
    report.expect(True, "never")
    report.expect(False, "a file was left")
    assert (report.tried, report.failed, report.findings) == (2, 1, ["a file was left"])


def test_the_table_has_its_columns_and_the_notes_below() -> None:
    report, skipped = Report("made up"), Report("other", skipped="No such kernel.")
    holding(report, Task(REPOSITORY, 7, True))
    heading, row, empty, note, reason, _, title, by_try = table([report, skipped]).splitlines()
    assert heading.split() == " ".join(HEADINGS).split()
    assert row.split() == ["made", "up", "1", "1", "0", "main", "100,", "parser", "70", "0"]
    assert empty.split() == ["other", "0", "0", "0", "-", "0"]
    assert note.startswith("made up: seed 7, quick True")
    assert reason == "other: not run. No such kernel."
    assert title == "The peaks of each try, MiB:"
    assert by_try == "made up, one: main 100, parser 70"


@pytest.mark.parametrize(
    ("only", "status"), [("hold", 0), ("fail", 1), ("break", 1), ("skip", 0), ("leave", 1)]
)
def test_the_status_says_whether_all_held(
    only: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--only", only, "--quick", "--seed", "5"], ATTACKS) == status
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if line.lower().startswith(f"{only}s  "))
    assert ("  1  " in row) == (only != "skip")
    assert out.endswith("(seed 5)\n")


def test_only_what_is_asked_for_is_run_in_a_folder_that_is_empty(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["--only", "HOLDS", "--seed", "5"], ATTACKS)
    out = capsys.readouterr().out
    assert "Holds: seed 5, quick False, False" in out
    assert "Fails" not in out


def test_a_break_is_told_with_its_place_and_the_others_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--seed", "5"], ATTACKS) == 1
    out = capsys.readouterr().out
    assert "ValueError: not what was thought" in out
    assert "left this computer: socket.connect 192.0.2.1" in out
    for each in ATTACKS:
        assert any(line.startswith(f"{each.name}  ") for line in out.splitlines())


def test_a_name_that_no_attack_has_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--only", "weather"], ATTACKS)
    assert ended.value.code == 2
    assert "Holds, Fails, Breaks" in capsys.readouterr().err


def test_the_help_names_every_attack() -> None:
    helped = subprocess.run(
        [sys.executable, "-m", "tests.attacks", "--help"],
        cwd=REPOSITORY, capture_output=True, text=True, check=True,
    )  # fmt: skip
    words = " ".join(helped.stdout.split())
    names = [each.name for each in found()]
    assert len(names) == len(set(names)) > 0
    assert [name for name in names if name not in words] == []
    assert {"--quick", "--only", "--seed"} <= set(words.replace(",", " ").split())


def test_shares_are_all_attacks_each_once(capsys: pytest.CaptureFixture[str]) -> None:
    ran: list[str] = []

    def noted(name: str) -> Attack:
        return Attack(name, lambda report, _: ran.append(report.attack))

    attacks = [noted(f"attack {number}") for number in range(5)]
    assert [main(["--share", share], attacks) for share in ("1/2", "2/2")] == [0, 0]
    assert sorted(ran) == [each.name for each in attacks]
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["--share", "3/2"], attacks)
