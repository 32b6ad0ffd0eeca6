from __future__ import annotations

import time

import pytest

from desktop_rag.core.errors import UsageError
from desktop_rag.store.records import Where
from desktop_rag.store.where import parse, selects


def test_nothing_asked_lets_everything_pass() -> None:
    assert parse("  ") == Where()
    assert not parse("")
    assert parse("ext:pdf")


@pytest.mark.parametrize(
    "text", ["pdf", "kind:pdf", "ext:", "after:yesterday", 'title:"open', "after:2024-13"]
)
def test_a_part_that_is_no_filter_is_refused(text) -> None:
    with pytest.raises(UsageError):
        parse(text)


def test_a_filter_that_would_take_minutes_is_refused() -> None:
    with pytest.raises(UsageError, match="too long"):
        parse("path:" + "[" * 30_000)
    began = time.monotonic()
    assert not selects(parse("path:" + "[" * 1_900), "/a/b.md", "", 0.0)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("path:*.pdf", "/a/b/C.PDF"),
        ("path:b/*.pdf", "/a/b/c.pdf"),
        ("path:b", "/a/b/deep/c.pdf"),
        ("path:/a/b/c.pdf", "/a/b/c.pdf"),
        ("ext:.PDF", "/a/c.pdf"),
        ("title:year title:report", "/a/report.pdf"),
    ],
)
def test_a_filter_lets_pass_what_it_names(text, path) -> None:
    assert selects(parse(text), path, "The Year", 0.0)
    assert not selects(parse(text), "/x/y/z.txt", "Something", 0.0)
