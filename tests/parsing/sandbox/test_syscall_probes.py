"""What code that a document smuggled into a reader can do: nothing that these probes try."""

from __future__ import annotations

import platform
import re
import struct
import sys
import tempfile
from email.message import EmailMessage
from functools import partial
from pathlib import Path

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox import child_process as child_module
from desktop_rag.parsing.sandbox import seccomp_filter
from desktop_rag.parsing.sandbox.confinement import ProcessLimits
from desktop_rag.parsing.sandbox.parser_pool import ParserPool

if sys.platform != "linux" or platform.machine() not in {"x86_64", "aarch64"}:
    pytest.skip("the kernel holds readers on Linux, by its numbers", allow_module_level=True)

from tests.parsing.sandbox import surroundings, syscall_probes

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.mark.parametrize("landlock", surroundings.MODES)
@pytest.mark.parametrize("probe", sorted(syscall_probes.PROBES))
def test_a_probe_gets_nothing_through(tmp_path: Path, probe: str, landlock: str) -> None:
    assert surroundings.finding(tmp_path, probe, may_landlock=landlock == "with") == ""


def test_a_reader_may_do_what_reading_needs(tmp_path: Path) -> None:
    laid = surroundings.Scene(tmp_path)
    try:
        for is_held, found in ((True, b"1 text True"), (False, b"1 none True")):
            with surroundings.reader(may_landlock=is_held) as child:
                assert child.ask(laid.told("work"), CancelToken()) == found
    finally:
        laid.close()


def test_without_landlock_a_mail_is_read_and_its_attachments_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_module, "ProcessLimits", partial(ProcessLimits, may_landlock=False))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    mail = EmailMessage()
    mail["Subject"] = "The harbour"
    mail.set_content("It opens at six in the morning, says the letter.")
    mail.add_attachment("Ships are listed here.", filename="ships.txt")
    (tmp_path / "a.eml").write_bytes(bytes(mail))
    pool = ParserPool(1, 30.0, 1024)
    try:
        ((_, found, _),) = pool.run([tmp_path / "a.eml"], CancelToken())
        assert isinstance(found, ParsedDocument)
        assert any("opens at six" in block.text for block in found.blocks)
        (note,) = found.notes
        assert note.startswith("The attachment ships.txt was not read: This system gives its")
        assert [each.name for each in tmp_path.iterdir()] == ["a.eml"]
    finally:
        pool.close()


@pytest.mark.slow
def test_nobody_gets_more_through_than_root(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    for folder in tmp_path.parents[:2]:
        folder.chmod(0o755)
    found = surroundings.as_another_user(tmp_path)
    if found is None:
        pytest.skip("only root can become another user")
    assert {probe: told for mode in found.values() for probe, told in mode.items() if told} == {}


@pytest.mark.parametrize("machine", sorted(HEADERS))
def test_the_numbers_are_the_kernel_s_own(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("the kernel's headers are not here")
    known = numbers(HEADERS[machine].read_text())
    column = sorted(HEADERS, reverse=True).index(machine)
    listed = {**seccomp_filter.ALLOWED, **seccomp_filter.CHANGING, **seccomp_filter.CHECKED}
    listed |= syscall_probes.NUMBERS
    newer = {name for name, pair in listed.items() if (pair[column] or 0) > max(known.values())}
    told = {name: pair[column] for name, pair in listed.items() if name not in newer}
    assert told == {name: known.get(name) for name in told}
    assert known["seccomp"] == seccomp_filter.seccomp_number(machine)


def numbers(header: str) -> dict[str, int]:
    """Return the numbers that a header gives to names, by way of other names, too."""
    found = dict(re.findall(r"#define\s+(__NR\w+)\s+(\w+)", header))
    made = {}
    for name in found:
        value = name
        while value in found:
            value = found[value]
        if name.startswith("__NR_") and value.isdigit():
            made[name.removeprefix("__NR_")] = int(value)
    return made


@pytest.mark.parametrize("machine", sorted(HEADERS))
@pytest.mark.parametrize("may_write", [True, False])
def test_the_filter_decides_every_number_as_the_table_says(machine: str, may_write: bool) -> None:
    column = sorted(HEADERS, reverse=True).index(machine)
    steps = seccomp_filter.program(machine, 77, may_write=may_write)
    architecture = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[machine]
    allowed = {**seccomp_filter.ALLOWED, **(seccomp_filter.CHANGING if may_write else {})}
    free = {pair[column] for pair in allowed.values()}
    asked = {pair[column] for pair in seccomp_filter.CHECKED.values()}
    last = {"x86_64": 334, "aarch64": 293}[machine]
    for number in (*range(600), 0x40000000, 0x40000027, 0xFFFFFFFF):
        given = decided(steps, architecture, number, [0] * 6)
        if number in free:
            assert given == ALLOW, number
        elif number not in asked:
            assert given == (EPERM if number <= last else ENOSYS), number
        assert decided(steps, 0x40000003, number, [0] * 6) == EPERM


@pytest.mark.parametrize(
    ("name", "arguments", "is_allowed"),
    [
        ("clone", [0x3D0F00], True), ("clone", [17], False), ("clone", [0x4100], False),
        ("clone", [0x3D0F00 | 0x20000000], False), ("kill", [77], True), ("kill", [78], False),
        ("kill", [0], False), ("kill", [2**32 - 1], False), ("tgkill", [77], True),
        ("tgkill", [1], False), ("prlimit64", [0, 7, 0], True), ("prlimit64", [77, 7, 0], True),
        ("prlimit64", [0, 7, 4096], False), ("prlimit64", [0, 7, 2**32], False),
        ("prlimit64", [1, 7, 0], False), ("ioctl", [3, 0x5401], True),
        ("ioctl", [3, 0x5412], False), ("ioctl", [3, 0x40086602], False), ("fcntl", [3, 3], True),
        ("fcntl", [3, 6], False), ("fcntl", [3, 1024], False), ("prctl", [15], True),
        ("prctl", [4], False), ("openat", [3, 0, 0o101], True), ("openat", [3, 0, 0o1000], False),
        ("openat", [3, 0, 0o1101], True), ("openat", [3, 0, 0o2000000], True),
    ],
)  # fmt: skip
def test_arguments_decide_where_a_call_is_needed_for_some(
    name: str, arguments: list[int], is_allowed: bool
) -> None:
    for machine, architecture, column in (("x86_64", 0xC000003E, 0), ("aarch64", 0xC00000B7, 1)):
        number = seccomp_filter.CHECKED[name][column]
        assert number is not None
        steps = seccomp_filter.program(machine, 77, may_write=True)
        given = decided(steps, architecture, number, [*arguments, *[0] * 6][:6])
        assert given == (ALLOW if is_allowed else EPERM)


@pytest.mark.parametrize("flags", [0o1, 0o2, 0o3, 0o100, 0o1000, 0o101, 0o20200002])
def test_without_landlock_nothing_is_opened_for_writing(flags: int) -> None:
    steps = seccomp_filter.program("aarch64", 77, may_write=False)
    assert decided(steps, 0xC00000B7, 56, [0, 0, flags, 0, 0, 0]) == EPERM
    assert decided(steps, 0xC00000B7, 56, [0, 0, 0o2000000, 0, 0, 0]) == ALLOW


ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x50001, 0x50026


def decided(steps: bytes, architecture: int, number: int, arguments: list[int]) -> int:
    """Run a filter as the kernel does; return its decision."""
    given = struct.pack("IIQ6Q", number, architecture, 0, *arguments)
    program = list(struct.iter_unpack("HBBI", steps))
    value = at = 0
    while True:
        code, if_true, if_false, operand = program[at]
        at += 1
        if code == 0x20:
            (value,) = struct.unpack_from("I", given, operand)
        elif code == 0x54:
            value &= operand
        elif code == 0x06:
            return int(operand)
        else:
            is_true = value == operand if code == 0x15 else value >= operand
            at += if_true if is_true else if_false
