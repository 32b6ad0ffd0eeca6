import pytest

from desktop_rag.generation.question_condensing import (
    condense_messages,
    condensed,
    is_follow_up,
    join_if_follow_up,
)
from desktop_rag.models.protocols import Message

TALK = (
    Message("user", "Who wrote the lease?"),
    Message("assistant", "Anna Berg wrote it [1]."),
)


@pytest.mark.parametrize(
    "question",
    [
        "And when?",
        "When did she write it?",
        "What about a service?",
        "why",
        "那费用呢？",
        "它的面积是多少？",
        "and for the landlord?",
        "what about a dog?",
        "那其他城市呢？",
        "上海分公司呢？",
        "Which colour?",
        "What does that mean for tenants?",
    ],
)
def test_a_question_that_leans_on_the_one_before_is_recognised(question: str) -> None:
    assert is_follow_up(question)


@pytest.mark.parametrize(
    "question",
    [
        "How many justices has the Supreme Court?",
        "杭州怡宁医院的级别是什么？",
        "Why did fuel costs fall?",
        "Is there a fine for the late return of books?",
        "Who pays for the house that burnt down?",
        "What is the deposit?",
        "为什么燃料成本下降了？",
        "员工应该怎样报销餐费呢？",
        "押金是多少？",
    ],
)
def test_a_question_that_stands_alone_is_recognised(question: str) -> None:
    assert not is_follow_up(question)


def test_without_a_model_the_question_before_is_put_in_front() -> None:
    assert join_if_follow_up(TALK, "When was it?") == "Who wrote the lease? When was it?"
    alone = "How many justices has the Supreme Court?"
    assert join_if_follow_up(TALK, alone) == alone
    assert join_if_follow_up((), "When was it?") == "When was it?"


def test_the_model_is_shown_the_talk_without_its_citations() -> None:
    (message,) = condense_messages(TALK, "When?", "en", lambda _: True)
    assert "user: Who wrote the lease?" in message.content
    assert "assistant: Anna Berg wrote it." in message.content
    assert message.content.endswith("Follow-up: When?")


def test_the_oldest_messages_go_until_it_fits() -> None:
    long = (Message("user", "old " * 200), *TALK)
    (message,) = condense_messages(long, "When?", "en", lambda text: len(text) < 900)
    assert "old old" not in message.content
    assert "Anna Berg" in message.content


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("When did Anna Berg write the lease?", "When did Anna Berg write the lease?"),
        ('Question: "When did Anna write it?"\n\nI hope this helps', "When did Anna write it?"),
        ("The weather is fine today.", ""),
        ("", ""),
        ("???", ""),
        ("word " * 400, ""),
    ],
)
def test_a_question_is_read_from_the_reply_or_nothing_is(reply: str, question: str) -> None:
    assert condensed(TALK, "When?", reply) == question


@pytest.mark.parametrize(
    ("question", "reply", "searched"),
    [
        ("When was it signed?", "When was the lease signed?", "When was the lease signed?"),
        ("When was it signed?", "The Eiffel Tower.", "When was it signed? The Eiffel Tower."),
        ("何时签的？", "问题：租约是何时签的？", "租约是何时签的？"),
        ("何时签的？", "巴黎很大。", "何时签的？ 巴黎很大。"),
    ],
)
def test_a_reply_about_something_else_is_searched_beside_the_question(
    question: str, reply: str, searched: str
) -> None:
    """Taken for the question, it made a follow-up a search for something else."""
    assert condensed(TALK, question, reply) == searched
