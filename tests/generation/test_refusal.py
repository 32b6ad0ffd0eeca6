import pytest

from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.refusal import says_not_found


@pytest.mark.parametrize(
    "reply",
    [
        "Not found in your documents.",
        "**Not found in your documents**",
        "在您的文档中没有找到答案。",
        "The passages do not mention the fee.",
        "I could not find any information about this in the passages.",
        "The provided documents don't contain that.",
        "There is no information about the fee.",
        "I don't know.",
        "文档中没有提到这个问题。",
        "根据提供的段落，无法确定答案。",
        "The answer could not be found in the provided passages.",
        "The fee is not mentioned in the passages.",
        "Unfortunately, I was unable to find this.",
        "The context provides no information about that.",
        "No mention of it.",
        "未找到相关信息。",
        "抱歉，我无法回答。",
        "没有提到。",
    ],
)
def test_a_reply_that_found_nothing_is_recognised(reply: str) -> None:
    assert says_not_found(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "The fee is 5 dollars [1].",
        "The passages do not mention children, but adults pay 5 dollars [1].",
        "The fee is 5 dollars.",
        "Smoking is not allowed in the documents room.",
        "费用是五元。",
        "The auditors did not find any irregularities.",
        "The police were unable to determine the cause.",
        "He was not found guilty.",
        "He received no answer.",
        "The lease is not available in Spanish.",
        "The deposit is not mentioned in the contract.",
        "该合同没有提及违约金。",
        "审计师没有找到任何违规行为。",
        "没有找到任何违规行为。",
        "经过调查，法院无法确定责任。",
        "One. Two. Three. The passages do not mention the rest.",
    ],
)
def test_an_answer_is_no_refusal(reply: str) -> None:
    assert not says_not_found(reply)


def test_the_refusal_is_in_the_questions_language() -> None:
    assert Prompts("en").not_found == "Not found in your documents."
    assert Prompts("zh").not_found == "在您的文档中没有找到答案。"
    assert Prompts("xx").not_found == Prompts("en").not_found
