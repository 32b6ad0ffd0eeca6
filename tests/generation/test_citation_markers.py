import pytest

from desktop_rag.generation.citation_markers import normalised, numbers_in, strip_citations


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("It is so [1, 2].", "It is so [1][2]."),
        ("It is so [1][2].", "It is so [1][2]."),
        ("It is so [1-3].", "It is so [1][2][3]."),
        ("就是这样【1】。", "就是这样[1]。"),
        ("就是这样[来源 2]。", "就是这样[2]。"),
        ("It is so [Source 1].", "It is so [1]."),
        ("It is so (passage 2).", "It is so [2]."),
        ("It is so [Sources: 1 and 3].", "It is so [1][3]."),
        ("It is so [^1].", "It is so [1]."),
        ("It is so 【1†report.pdf】.", "It is so [1]."),
    ],
)
def test_every_way_to_cite_becomes_one(written: str, meant: str) -> None:
    assert normalised(written, 3) == meant


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("It is so [7].", "It is so."),
        ("It is so [0] for sure.", "It is so for sure."),
        ("It is so [1, 9].", "It is so [1]."),
        ("It is so [2-9].", "It is so [2][3]."),
        ("[4] It is so.", "It is so."),
    ],
)
def test_a_number_that_no_source_has_is_dropped(written: str, left: str) -> None:
    assert normalised(written, 3) == left


def test_years_and_code_and_plain_brackets_are_left_alone() -> None:
    text = "In [2019] it was (3) and `a[1]` [sic]."
    assert normalised(text, 3) == text


def test_numbers_are_read_once_and_in_order() -> None:
    assert numbers_in("A [3]. B [1][3].") == [3, 1]
    assert strip_citations("A [3]. B [1][3] c.") == "A. B c."
