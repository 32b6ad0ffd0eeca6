"""The log of connections in the data folder."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.core.connection_audit import Contact, Purpose
from desktop_rag.core.connection_log import FILE_NAME, KEPT, ConnectionLog


def contact(number: int) -> Contact:
    return Contact(float(number), "127.0.0.1", 11434, Purpose.ANSWER, allowed=True)


def test_what_was_noted_is_read_again(tmp_path: Path) -> None:
    refused = Contact(2.5, "203.0.113.7", 443, Purpose.UNKNOWN, allowed=False)
    ConnectionLog(tmp_path).add(contact(1))
    ConnectionLog(tmp_path).add(refused)
    assert ConnectionLog(tmp_path).all() == [contact(1), refused]


def test_it_is_bounded_and_keeps_the_newest(tmp_path: Path) -> None:
    log = ConnectionLog(tmp_path)
    for number in range(2 * KEPT + 10):
        log.add(contact(number))
    found = ConnectionLog(tmp_path).all()
    assert len(found) == KEPT
    assert found[-1] == contact(2 * KEPT + 9)
    lines = (tmp_path / "logs" / FILE_NAME).read_text().splitlines()
    assert len(lines) <= KEPT + 10


def test_a_line_cut_by_a_kill_is_passed_over(tmp_path: Path) -> None:
    log = ConnectionLog(tmp_path)
    log.add(contact(1))
    with (tmp_path / "logs" / FILE_NAME).open("a") as file:
        file.write('[3.0, "exa\n{"a": 1}\n')
    assert log.all() == [contact(1)]


def test_it_can_be_emptied(tmp_path: Path) -> None:
    log = ConnectionLog(tmp_path)
    log.add(contact(1))
    log.clear()
    assert log.all() == []
    log.add(contact(2))
    assert log.all() == [contact(2)]


def test_a_log_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "logs" / FILE_NAME).mkdir(parents=True)
    ConnectionLog(tmp_path).add(contact(1))
