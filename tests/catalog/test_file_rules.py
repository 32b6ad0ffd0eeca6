"""What the user decided of files."""

from __future__ import annotations

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.file_rules import PAUSED
from desktop_rag.core.types import KbId
from tests.catalog.stored_documents import document, put


def test_exclusions_are_kept_by_knowledge_base_and_taken_back(catalog: Catalog, kb: KbId) -> None:
    other = catalog.kbs.create("other").id
    catalog.choices.exclude(kb, ["/d/b", "/d/a", "/d/a", "/d/not\udce9utf8"])
    assert catalog.choices.excluded(kb) == ["/d/a", "/d/b", "/d/not\udce9utf8"]
    assert catalog.choices.excluded(other) == []
    catalog.choices.include(kb, ["/d/a"])
    assert catalog.choices.excluded(kb) == ["/d/b", "/d/not\udce9utf8"]
    catalog.kbs.delete(catalog.kbs.all()[0].name)


def test_the_later_wish_comes_first_and_is_over_once_the_file_is_read(
    catalog: Catalog, kb: KbId
) -> None:
    catalog.files.enqueue(kb, ["/d/a", "/d/b/c", "/d/b/d", "/d/bx"])
    assert catalog.choices.read_first(kb, ["/d/bx"]) == 1
    assert catalog.choices.read_first(kb, ["/d/b"]) == 2
    assert catalog.files.queued(kb) == ["/d/b/c", "/d/b/d", "/d/bx", "/d/a"]
    assert catalog.choices.wanted_first(kb) == ["/d/b/c", "/d/b/d", "/d/bx"]
    put(catalog, kb, "/d/b/c", document("text"))
    assert catalog.choices.wanted_first(kb) == ["/d/b/d", "/d/bx"]


def test_what_does_not_wait_is_not_put_first(catalog: Catalog, kb: KbId) -> None:
    put(catalog, kb, "/d/a", document("text"))
    assert catalog.choices.read_first(kb, ["/d/a"]) == 0


def test_a_figure_is_nought_until_it_is_noted(catalog: Catalog) -> None:
    assert catalog.choices.figure(PAUSED) == 0
    catalog.choices.note(PAUSED, 1)
    assert catalog.choices.figure(PAUSED) == 1
