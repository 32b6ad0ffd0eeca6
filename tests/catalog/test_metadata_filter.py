from __future__ import annotations

import time

import pytest

from desktop_rag.catalog.metadata_filter import FilterTarget, matches_filter, parse_filter
from desktop_rag.core.catalog_records import MetadataFilter
from desktop_rag.core.document_metadata import DocumentMetadata
from desktop_rag.core.errors import UsageError
from desktop_rag.core.path_filter import paths_filter


def test_nothing_asked_lets_everything_pass() -> None:
    assert parse_filter("  ") == MetadataFilter()
    assert not parse_filter("")
    assert parse_filter("ext:pdf")


@pytest.mark.parametrize(
    "text",
    [
        "pdf",
        "kind:pdf",
        "ext:",
        "after:yesterday",
        'title:"open',
        "after:2024-13",
        "min-pages:many",
        "max-pages:-1",
        "max-pages:99999999999",
        "written-after:soon",
    ],
)
def test_a_part_that_is_no_filter_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_filter(text)


def test_a_filter_that_would_take_minutes_is_refused() -> None:
    with pytest.raises(UsageError, match="too long"):
        parse_filter("path:" + "[" * 30_000)
    began = time.thread_time()
    assert not matches_filter(parse_filter("path:" + "[" * 1_900), FilterTarget("/a/b.md", "", 0.0))
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
    assert matches_filter(parse_filter(text), FilterTarget(path, "The Year", 0.0))
    assert not matches_filter(parse_filter(text), FilterTarget("/x/y/z.txt", "Something", 0.0))


_MAIL = DocumentMetadata(
    authors=("Marie Curie <marie@example.org>", "Pierre"),
    recipients=("sales@example.org",),
    keywords=("Radium", "red wine"),
    subject="Invoice of May",
    created=1_684_000_000.0,  # in May 2023
    language="fr",
)


@pytest.mark.parametrize(
    "text",
    [
        "author:curie", 'author:"curie marie"', "to:example.org", "keyword:radium",
        "language:FR,en",
        "subject:invoice", "written-after:2023", "written-before:2024", "min-pages:3 max-pages:3",
        "min-pages:2", 'author:pierre keyword:"wine red"',
    ],
)  # fmt: skip
def test_a_filter_lets_pass_what_a_document_says_of_itself(text: str) -> None:
    asked = parse_filter(text)
    assert matches_filter(asked, FilterTarget("/a.eml", "", 0.0, 3, _MAIL))
    assert not matches_filter(asked, FilterTarget("/a.eml", "", 0.0))


@pytest.mark.parametrize(
    "text",
    [
        'author:"curie pierre"', "to:curie", 'keyword:"radium wine"', "language:en", "max-pages:2",
        "written-after:2024", "written-before:2023", "min-pages:4", "subject:june",
    ],
)  # fmt: skip
def test_a_filter_holds_back_what_says_something_else(text: str) -> None:
    assert not matches_filter(parse_filter(text), FilterTarget("/a.eml", "", 0.0, 3, _MAIL))


def test_what_was_changed_last_counts_before_what_was_begun() -> None:
    begun = DocumentMetadata(created=0.0, modified=1_684_000_000.0)
    assert matches_filter(
        parse_filter("written-after:2023"), FilterTarget("", "", 0.0, None, begun)
    )


@pytest.mark.parametrize(
    "name", ["a.md", "A [1].md", "a|b.md", "a*b.md", "it's.md", "年报 2023.pdf"]
)
def test_one_of_several_paths_is_enough(name: str) -> None:
    asked = parse_filter(paths_filter((f"/docs/{name}", "/other/")))
    assert matches_filter(asked, FilterTarget(f"/docs/{name}", "", 0.0))
    assert matches_filter(asked, FilterTarget("/other/deep/x.md", "", 0.0))
    assert not matches_filter(asked, FilterTarget(f"/docs/deep/{name}", "", 0.0))
    assert not matches_filter(asked, FilterTarget("/others/x.md", "", 0.0))
    assert not matches_filter(asked, FilterTarget(f"/docs/{name}x", "", 0.0))


def test_patterns_stand_beside_each_other() -> None:
    asked = parse_filter("path:reports/*|*.pdf")
    assert matches_filter(asked, FilterTarget("/d/reports/a.md", "", 0.0))
    assert matches_filter(asked, FilterTarget("/d/b.pdf", "", 0.0))
    assert not matches_filter(asked, FilterTarget("/d/b.md", "", 0.0))


def test_a_knowledge_base_passes_beside_paths() -> None:
    asked = parse_filter(paths_filter(("/a.md",), ("Tea time",)))
    assert matches_filter(asked, FilterTarget("/a.md", "", 0.0, kb="Ferries"))
    assert matches_filter(asked, FilterTarget("/b.md", "", 0.0, kb="Tea time"))
    assert not matches_filter(asked, FilterTarget("/b.md", "", 0.0, kb="Ferries"))


def test_a_path_takes_back_what_was_said_before_it() -> None:
    asked = parse_filter(f"path:*.pdf kb:Tea {paths_filter(('/a.md',))}")
    assert not matches_filter(asked, FilterTarget("/b.pdf", "", 0.0, kb="Tea"))
    assert matches_filter(asked, FilterTarget("/a.md", "", 0.0))
