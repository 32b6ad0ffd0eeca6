from __future__ import annotations

from datetime import UTC, datetime

import pytest

from desktop_rag.core.document_metadata import LONGEST_VALUE, MOST_NAMES
from desktop_rag.parsing import metadata_values


def _seconds(year: int, month: int, day: int, *clock: int) -> float:
    hour, minute, second = clock or (0, 0, 0)
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2023-07-31T12:00:05Z", (2023, 7, 31, 12, 0, 5)),
        ("2023-07-31T12:00:05.250+02:00", (2023, 7, 31, 10, 0, 5)),
        ("2023-07-31 12:00:05 UTC", (2023, 7, 31, 12, 0, 5)),
        ("20230731", (2023, 7, 31)),
        ("2023-07", (2023, 7, 1)),
        ("2023", (2023, 1, 1)),
    ],
)
def test_a_date_of_iso_8601_is_told(text: str, moment: tuple[int, int, int]) -> None:
    assert metadata_values.iso_date(text) == _seconds(*moment)


@pytest.mark.parametrize("text", ["", None, "soon", "0000-01-01", "2023-13-01", "1601-01-01"])
def test_what_is_no_date_is_none(text: str | None) -> None:
    assert metadata_values.iso_date(text) is None
    assert metadata_values.pdf_date(text) is None or text == "2023-13-01"
    assert metadata_values.mail_date(text) is None


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("D:20230731120005+02'00'", (2023, 7, 31, 10, 0, 5)),
        ("D:20230731120005Z", (2023, 7, 31, 12, 0, 5)),
        ("D:202307", (2023, 7, 1)),
        ("20230731", (2023, 7, 31)),
    ],
)
def test_a_date_of_a_pdf_is_told(text: str, moment: tuple[int, int, int]) -> None:
    assert metadata_values.pdf_date(text) == _seconds(*moment)


def test_a_mails_date_is_told_in_either_form() -> None:
    assert metadata_values.mail_date("Mon, 31 Jul 2023 12:00:05 +0200") == _seconds(
        2023, 7, 31, 10, 0, 5
    )
    assert metadata_values.mail_date("2023-07-31 12:00:05 UTC") == _seconds(2023, 7, 31, 12, 0, 5)


def test_windows_moments_are_unix_seconds() -> None:
    assert metadata_values.file_time(116_444_736_000_000_000) == 0.0
    assert metadata_values.file_time(0) is None
    assert metadata_values.file_time(2**64 - 1) is None


def test_people_of_mails_have_name_and_address() -> None:
    found = metadata_values.mail_people('"Curie, Marie" <m@x.org>, b@x.org', None, "undisclosed")
    assert found == ("Curie, Marie <m@x.org>", "b@x.org", "undisclosed")


def test_a_mail_s_head_of_comments_without_end_is_told_as_it_stands() -> None:
    (found,) = metadata_values.mail_people("Ann " + "(" * 5000)
    assert found.startswith("Ann ((((")


def test_names_come_once_and_not_without_end() -> None:
    assert metadata_values.people("Ann; Bob\nAnn; --") == ("Ann", "Bob")
    assert metadata_values.keywords("a, b；c", "b") == ("a", "b", "c")
    many = metadata_values.names(str(number) for number in range(10_000))
    assert len(many) == MOST_NAMES
    assert len(metadata_values.one_line("word " * 10_000)) == LONGEST_VALUE
