"""Where entities are drawn: the same ones in the same places, and no name over another."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.derived_events import EntityNeighbour, EntityNeighbourhood
from desktop_rag.core.types import ChunkId
from desktop_rag.gui.library.entity_graph_layout import (
    EntityGraphLayout,
    lay_out_entities,
    relation_words,
)
from desktop_rag.gui.theme import scaled

SIZES = [(260.0, 200.0), (399.0, 330.0), (577.0, 340.0), (1300.0, 900.0)]


def around(count: int) -> EntityNeighbourhood:
    """Return an entity of a long name beside so many of all lengths, in both scripts."""
    names = [
        f"卑尔根港口管理局第{n}分局及其附属机构" if n % 3 else f"Harbour board {n} of the district"
        for n in range(count)
    ]
    made = [
        EntityNeighbour(
            name,
            "relation" if n % 4 == 0 else "passage",
            float(count - n),
            (ChunkId(n),),
            (f"{name} was founded by X",) * (n % 4 == 0),
        )
        for n, name in enumerate(names)
    ]
    return EntityNeighbourhood("The Royal Society of Harbours", (ChunkId(1),), tuple(made))


def laid_out(app: QApplication, count: int, size: tuple[float, float]) -> EntityGraphLayout:
    font = app.font()
    return lay_out_entities(around(count), *size, font, scaled(font, 1.0, bold=True))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 2, 15, 39])
def test_no_name_and_no_words_on_a_line_are_over_others(
    qapp: QApplication, count: int, size: tuple[float, float]
) -> None:
    made = laid_out(qapp, count, size)
    assert made == laid_out(qapp, count, size)
    boxes = [made.middle, *(each.box for each in made.places)]
    boxes += [each.row for each in made.places]
    for one, other in combinations(boxes, 2):
        assert not one.adjusted(0.5, 0.5, -0.5, -0.5).intersects(other)
    for each in boxes:
        assert each.left() >= 0
        assert each.right() <= size[0]
        assert each.bottom() <= made.height


def test_the_strongest_are_drawn_that_there_is_height_for(qapp: QApplication) -> None:
    few, all_of_them = laid_out(qapp, 39, SIZES[2]), laid_out(qapp, 39, SIZES[3])
    assert few.height == SIZES[2][1], "nothing is to be scrolled"
    assert 16 <= len(few.places) < 39
    assert len(all_of_them.places) == 39
    drawn = [each.neighbour for each in few.places]
    assert drawn == list(around(39).neighbours[: len(drawn)])


def test_a_triple_is_told_between_two_names() -> None:
    triple = "Marta Ekeland designed the Halden lighthouse"
    assert relation_words(triple, "marta ekeland", "Halden lighthouse") == ("designed the", True)
    assert relation_words(triple, "Halden lighthouse", "Marta Ekeland") == ("designed the", False)
    assert relation_words(triple, "Bergen", "Marta Ekeland") == (triple, True)
