"""What is told of an error: where it was, and no text of the user's."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from desktop_rag.core import safe_traceback

SECRET = "her salary is 90,000"


def failing() -> None:
    try:
        int(SECRET)
    except ValueError as error:
        raise LookupError(SECRET) from error


def test_the_whole_chain_is_told_oldest_first_without_a_message() -> None:
    with pytest.raises(LookupError) as caught:
        failing()
    told = safe_traceback.format_error(caught.value)
    assert SECRET not in told
    assert told.index("ValueError") < told.index("LookupError")
    assert "tests.core.test_safe_traceback:" in told
    assert "failing" in told
    assert safe_traceback.error_location(caught.value).endswith("failing")


def test_the_number_of_a_system_s_or_a_database_s_error_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file") as missing:
        (tmp_path / SECRET).read_text()
    assert safe_traceback.error_name(missing.value) == "FileNotFoundError (ENOENT)"
    with pytest.raises(sqlite3.OperationalError) as wrong:
        sqlite3.connect(":memory:").execute(f"SELECT '{SECRET}' FROM nothing")
    assert safe_traceback.error_name(wrong.value) == "OperationalError (SQLITE_ERROR)"
    assert SECRET not in safe_traceback.format_error(missing.value) + safe_traceback.format_error(
        wrong.value
    )


def test_a_deep_recursion_is_cut_to_its_end() -> None:
    def down(depth: int) -> int:
        return down(depth - 1) if depth else 1 // 0

    with pytest.raises(ZeroDivisionError) as caught:
        down(200)
    assert len(safe_traceback.format_error(caught.value).splitlines()) < 50


def test_an_error_that_was_never_raised_has_no_place() -> None:
    assert safe_traceback.error_location(ValueError(SECRET)) == ""
    assert safe_traceback.format_error(ValueError(SECRET)) == "ValueError"
