from __future__ import annotations

from desktop_rag.gui.controllers.open_document import TextHit
from desktop_rag.gui.viewer.search_hits import SearchHits


def hits(*starts: int) -> list[TextHit]:
    return [TextHit(start, start + 1) for start in starts]


def test_places_that_come_out_of_order_are_counted_in_order() -> None:
    found: SearchHits[TextHit] = SearchHits()
    found.begin()
    assert found.add(hits(50, 60), done=False)
    assert not found.add(hits(10, 20), done=True)
    assert [each.start for each in found.places] == [10, 20, 50, 60]
    assert (found.index, found.done) == (2, True)


def test_stepping_goes_round() -> None:
    found: SearchHits[TextHit] = SearchHits()
    found.begin()
    assert found.step(1) is None
    found.add(hits(1, 2, 3), done=True)
    seen = [found.step(by) for by in (1, 1, 1, -1)]
    assert [each.start for each in seen if each is not None] == [2, 3, 1, 3]


def test_the_place_after_what_is_read_is_preferred() -> None:
    found: SearchHits[TextHit] = SearchHits()
    found.begin()
    found.add(hits(1, 20, 30), done=True)
    found.prefer((15, 0))
    assert found.index == 1
    found.prefer((99, 0))
    assert found.index == 0
