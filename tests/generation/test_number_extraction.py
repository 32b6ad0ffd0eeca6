from decimal import Decimal

import pytest

from desktop_rag.generation.number_extraction import (
    digit_numbers,
    missing_numbers,
    numbers,
    unsupported_numbers,
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Nine of 1,200 cost 3.50.", ["9", "1200", "3.5"]),
        ("twenty-five, nineteen and two hundred and six", ["25", "19", "206"]),
        ("three million four hundred thousand", ["3400000"]),
        ("on 12.05.2023", ["12", "5", "2023"]),
        ("二〇二四年十二月，三千五百万元，百分之五", ["2024", "12", "35000000", "5"]),
        ("一亿二千万，三万亿，两百", ["120000000", "3" + "0" * 12, "200"]),
        ("2 million, 500万, 3.5 亿", ["2000000", "5000000", "350000000"]),
    ],
)
def test_numbers_are_read_in_figures_and_in_words(text: str, values: list[str]) -> None:
    found = {each.value * each.scale for each in numbers(text)}
    assert found == set(map(Decimal, values))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3", "three"),
        ("2,000,000", "2 million"),
        ("03/01/2024", "3/1/2024"),
        ("41.3 million", "41.3"),
        ("五百元", "500元"),
        ("2024年5月", "二〇二四年五月"),
    ],
)
def test_a_number_is_the_same_however_it_is_written(one: str, other: str) -> None:
    assert not missing_numbers(numbers(one), numbers(other))
    assert not missing_numbers(numbers(other), numbers(one))


def test_a_million_is_no_billion() -> None:
    assert missing_numbers(numbers("2 million"), numbers("2 billion"))


def test_numbers_in_words_are_none_in_figures() -> None:
    assert {each.value for each in digit_numbers("Two of 30 in B12")} == {30, 12}


@pytest.mark.parametrize(
    ("claim", "source", "value"),
    [
        ("It ends after four months.", "It ends after three months.", 4),
        ("合同期限为四个月。", "合同期限为三个月。", 4),
        ("公司于2019年成立。", "公司于2020年成立。", 2019),
    ],
)
def test_a_number_that_the_source_does_not_say_is_new(claim: str, source: str, value: int) -> None:
    assert {each.value for each in unsupported_numbers(claim, source)} == {value}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Two ferries serve it.", "Ada and Sula serve it."),
        ("One month is left.", "Three months are left."),
        ("Room B12 and the A4-7 are free.", "Rooms are free."),
        ("公司统一管理员工。", "公司管理三个员工。"),
    ],
)
def test_what_only_looks_like_another_number_is_not_new(claim: str, source: str) -> None:
    assert unsupported_numbers(claim, source) == frozenset()
