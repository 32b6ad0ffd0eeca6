"""Runs the attacks and prints their table."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import random
import sys
import tempfile
import traceback
from pathlib import Path

import tests.attacks
from tests.attacks.report import Attack, Report, Task, table, tell

_SHOWN = 40


def main(words: list[str]) -> int:
    """Run what was asked for; return 1 if anything did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks")
    parser.add_argument("--quick", action="store_true", help="the core that takes five minutes")
    parser.add_argument("--only", default="", help="the attacks whose names hold this")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    asked = parser.parse_args(words)
    reports = [
        run(each, asked.seed, is_quick=asked.quick)
        for each in attacks()
        if asked.only.lower() in each.name.lower()
    ]
    for report in reports:
        for finding in report.findings[:_SHOWN]:
            sys.stdout.write(f"{report.attack}: {finding}\n")
        if more := report.findings[_SHOWN:]:
            sys.stdout.write(f"{report.attack}: … and {len(more)} more\n")
    sys.stdout.write(f"{table(reports)}\n(seed {asked.seed})\n")
    return int(any(report.findings for report in reports))


def attacks() -> list[Attack]:
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
            attack.run(report, Task(Path(folder), seed, is_quick))
        except Exception:  # noqa: BLE001 - the other attacks go on
            report.failed += 1
            report.findings.append(traceback.format_exc())
    tell(report)
    return report


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
