"""A tree of processes is watched: its peaks by what each is, and its end where it runs away."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import psutil

from tests.attacks.memory import measured, peaks_of

GROWN = "held = bytearray({megabytes} << 20); held[:: 4096] = bytes(len(held[:: 4096])); "
PARENT = (
    "import multiprocessing, time\n"
    "def grow(): " + GROWN.format(megabytes=120) + "time.sleep(0.5)\n"
    "if __name__ == '__main__':\n"
    "    one = multiprocessing.get_context('spawn').Process(target=grow)\n"
    "    one.start(); one.join(); print('done')\n"
)


def test_the_peak_of_a_short_growth_is_seen_after_it_was_given_back() -> None:
    grown = GROWN.format(megabytes=200) + "del held; import time; time.sleep(0.3); print('end')"
    seen = measured([sys.executable, "-c", grown], 30)
    assert (seen.status, seen.output, seen.grew_too_large) == (0, "end\n", False)
    assert 200 <= seen.peaks["main"] < 300


def test_a_parser_is_told_from_its_parent(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PARENT)
    seen = measured([sys.executable, str(program)], 60)
    assert seen.output == "done\n"
    assert 120 <= seen.peaks["parser"] < 250
    assert seen.peaks["main"] < 100


def test_a_runaway_is_killed_with_what_it_started(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    program = (
        "import subprocess, sys, time\n"
        "one = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(note)!r}, 'w').write(str(one.pid))\n"
        "time.sleep(0.3)\n"
        "held = []\n"
        "while True: held.append(bytearray(b'x' * (8 << 20))); time.sleep(0.005)\n"
    )
    began = time.monotonic()
    seen = measured([sys.executable, "-c", program], 50, most_megabytes=300)
    assert seen.grew_too_large
    assert seen.status != 0
    assert time.monotonic() - began < 40
    assert has_ended(int(note.read_text()))


def test_what_takes_too_long_is_killed_with_a_child_that_lost_its_parent(tmp_path: Path) -> None:
    note, start = tmp_path / "pid", "import subprocess, sys, time; subprocess.Popen"
    child = f"import os; open({str(note)!r}, 'w').write(str(os.getpid())); import time; "
    between = f"{start}([sys.executable, '-c', {child + 'time.sleep(60)'!r}]); time.sleep(1)"
    program = f"{start}([sys.executable, '-c', {between!r}]).wait(); time.sleep(60)"
    seen = measured([sys.executable, "-c", program], 4)
    assert seen.status is None
    assert has_ended(int(note.read_text()))


def test_the_peaks_of_this_process_are_kept_while_it_works() -> None:
    before = bytearray(300_000_000)
    del before
    with peaks_of(os.getpid()) as peaks:
        time.sleep(0.2)
        now = psutil.Process().memory_info().rss / 2**20
    assert 10 < peaks["main"] < now + 100


def has_ended(pid: int) -> bool:
    for _ in range(100):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.05)
    return False
