"""Raw system calls from within a real reader's process, which may get nothing through."""

from __future__ import annotations

import sys

from tests.attacks.report import Attack, Report, Task


def with_landlock(report: Report, task: Task) -> None:
    """Try as this user, on this kernel as it is."""
    _try(report, task, may_landlock=True)


def without_landlock(report: Report, task: Task) -> None:
    """Try as this user, on a kernel that is taken for one without Landlock."""
    _try(report, task, may_landlock=False)


def as_nobody(report: Report, task: Task) -> None:
    """Try both as a user without rights, where root runs the attacks."""
    if sys.platform != "linux":
        report.skipped = "The kernel holds readers on Linux."
        return
    if task.is_quick:
        report.skipped = "It is left out of the quick core."
        return
    from tests.parsing.sandbox import surroundings

    task.folder.chmod(0o755)
    found = surroundings.as_another_user(task.folder)
    if found is None:
        report.skipped = "Only root can become another user, with setpriv."
        return
    for mode, told in found.items():
        for probe, passed in told.items():
            with report.attempt(f"{probe}, {mode} Landlock"):
                report.expect(not passed, passed)


def _try(report: Report, task: Task, *, may_landlock: bool) -> None:
    if sys.platform != "linux":
        report.skipped = "The kernel holds readers on Linux."
        return
    from tests.parsing.sandbox import surroundings, syscall_probes

    for probe in syscall_probes.PROBES:
        with report.attempt(probe):
            passed = surroundings.finding(task.folder, probe, may_landlock=may_landlock)
            report.expect(not passed, passed)


ATTACKS = (
    Attack("confinement, with Landlock", with_landlock),
    Attack("confinement, without Landlock", without_landlock),
    Attack("confinement, as nobody", as_nobody),
)
