import pytest

from desktop_rag.generation.answer_type import answer_type_bonus, is_aggregate_question


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("How many justices are there?", "Nine justices serve.", "Justices serve for life."),
        ("What was the revenue in 2024?", "It was 41 million.", "2024 was a good year."),
        ("When did it open?", "It opened on 5 May 1902.", "It opened late."),
        ("Who leads the search?", "The search is led by Elena Brandt.", "The search is led well."),
        ("Why did it close?", "It closed because of rain.", "It closed in May."),
        ("住宿标准是多少？", "每晚不超过550元。", "由员工本人承担。"),
        ("公园是哪一年建立的？", "建于1992年。", "位于德清县。"),
        ("谁负责报销？", "请联系财务部王丽，分机8021。", "高铁二等座、飞机经济舱据实报销。"),
        ("誰發現了鐳？", "鐳由瑪麗·居禮發現。", "鐳是一種金屬。"),
        ("这家公司由谁创办？", "公司由陈明先生于1990年创办。", "公司于1990年创办。"),
    ],
)
def test_what_is_asked_for_is_worth_something(question: str, answer: str, other: str) -> None:
    assert answer_type_bonus(question, answer) > answer_type_bonus(question, other) == 0.0


def test_a_question_without_a_kind_prefers_nothing() -> None:
    assert answer_type_bonus("Describe the tower.", "It has 5 floors.") == 0.0


@pytest.mark.parametrize(
    "question",
    ["List all suppliers.", "Summarise the lease.", "列出所有医院", "How many rows are there?"],
)
def test_a_question_about_everything_is_recognised(question: str) -> None:
    assert is_aggregate_question(question)


def test_a_question_about_one_thing_is_not_about_everything() -> None:
    assert not is_aggregate_question("How many justices has the court?")
    assert not is_aggregate_question("莫干山森林公园位于哪个区县？")
