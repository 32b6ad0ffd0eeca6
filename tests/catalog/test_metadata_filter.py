from __future__ import annotations

import time

import pytest

from desktop_rag.catalog.metadata_filter import matches_filter, parse_filter
from desktop_rag.core.catalog_records import MetadataFilter
from desktop_rag.core.errors import UsageError


def test_nothing_asked_lets_everything_pass() -> None:
    assert parse_filter("  ") == MetadataFilter()
    assert not parse_filter("")
    assert parse_filter("ext:pdf")


@pytest.mark.parametrize(
    "text", ["pdf", "kind:pdf", "ext:", "after:yesterday", 'title:"open', "after:2024-13"]
)
def test_a_part_that_is_no_filter_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_filter(text)


def test_a_filter_that_would_take_minutes_is_refused() -> None:
    with pytest.raises(UsageError, match="too long"):
        parse_filter("path:" + "[" * 30_000)
    began = time.thread_time()
    assert not matches_filter(parse_filter("path:" + "[" * 1_900), "/a/b.md", "", 0.0)
    assert time.thread_time() - began < 5


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
def test_a_filter_lets_pass_what_it_names(text: str, path: str) -> None:
    assert matches_filter(parse_filter(text), path, "The Year", 0.0)
    assert not matches_filter(parse_filter(text), "/x/y/z.txt", "Something", 0.0)
