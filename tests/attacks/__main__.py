"""Runs the attacks and prints their table."""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import pkgutil
import random
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import tests.attacks
from testing.narrowing import present
from tests.attacks.report import Attack, Report, Task, table, tell
from tests.network_guard import nothing_leaves

_SHOWN = 40
_LONGEST_SECONDS = {True: 150, False: 7200}  # of one attack, by whether it is quick


def main(words: Sequence[str], attacks: Sequence[Attack] | None = None) -> int:
    """Run what was asked for; return 1 if anything did not hold."""
    there = found() if attacks is None else attacks
    asked = _read(words, [each.name for each in there])
    number, of = asked.share
    chosen = [each for each in there if asked.only.lower() in each.name.lower()][number - 1 :: of]
    reports = [run(each, asked.seed, is_quick=asked.quick) for each in chosen]
    for report in reports:
        for finding in report.findings[:_SHOWN]:
            sys.stdout.write(f"{report.attack}: {finding}\n")
        if more := report.findings[_SHOWN:]:
            sys.stdout.write(f"{report.attack}: … and {len(more)} more\n")
    sys.stdout.write(f"{table(reports)}\n(seed {asked.seed})\n")
    return int(any(report.findings for report in reports))


def found() -> list[Attack]:
    """Return every attack of this package's modules, module by module."""
    names = sorted(each.name for each in pkgutil.iter_modules(tests.attacks.__path__))
    modules = [
        importlib.import_module(f"tests.attacks.{name}")
        for name in names
        if name != "__main__" and not name.startswith("test_")
    ]
    return [attack for module in modules for attack in getattr(module, "ATTACKS", ())]


def run(attack: Attack, seed: int, *, is_quick: bool) -> Report:
    """Run one attack in a folder of its own; what breaks it is a finding, too."""
    report = Report(attack.name)
    with tempfile.TemporaryDirectory(prefix="attacks-") as folder, report.timed():
        try:
            with _bounded(_LONGEST_SECONDS[is_quick]), nothing_leaves() as left:
                attack.run(report, Task(Path(folder), seed, is_quick))
            report.findings += [f"left this computer: {each}" for each in left]
            report.failed += bool(left)
        except Exception:  # noqa: BLE001 - the other attacks go on
            report.broke(traceback.format_exc())
    tell(report)
    return report


def _read(words: Sequence[str], names: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.attacks",
        description="Attack the program with hostile files, archives, servers and folders; "
        "print one table, and end with 1 if anything did not hold.",
        epilog=f"The attacks: {', '.join(names)}.",
    )
    parser.add_argument("--quick", action="store_true", help="the core that takes five minutes")
    parser.add_argument(
        "--only", default="", metavar="NAME", help="the attacks whose names hold this"
    )
    parser.add_argument(
        "--seed", type=int, default=random.SystemRandom().randrange(10**6), metavar="N",
        help="what is drawn at random follows from it; the table names the one that was taken",
    )  # fmt: skip
    parser.add_argument(
        "--share", type=_share, default=(1, 1), metavar="K/N",
        help="every Nth attack from the Kth on, so that N processes run all of them",
    )  # fmt: skip
    asked = parser.parse_args(words)
    if not any(asked.only.lower() in name.lower() for name in names):
        parser.error(f"no attack's name holds “{asked.only}”. There are: {', '.join(names)}.")
    return asked


def _share(word: str) -> tuple[int, int]:
    """Return the numbers of `2/3`."""
    number, of = map(int, word.split("/"))
    if not 1 <= number <= of:
        raise ValueError(word)
    return number, of


@contextmanager
def _bounded(seconds: float) -> Iterator[None]:
    """End this process, and say where it stood, if an attack takes longer: it may be stuck in C."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=present(sys.__stderr__))
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    # A shell's background job ignores Ctrl-C, and what is attacked would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
