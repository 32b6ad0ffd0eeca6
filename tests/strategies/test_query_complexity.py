from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from desktop_rag.strategies.query_complexity import query_complexity

SEVERAL = (
    "Where was the director of the film Camelia born?",
    "Who is the paternal grandfather of Lucia Graves?",
    "When was Ylenia Carrisi's father born?",
    "Which film was released first, Vino Veritas or Crime After Crime?",
    "Are Pavel Urysohn and Leonid Levin from the same country?",
    "What is the capital of the country where Damerjog lies?",
    "Which office signed the contract that was ended in 2019?",
    "The fee of the plan that Anna chose is due in which month?",
    "电影《红高粱》的导演出生在哪里？",
    "《紅高粱》的作者的父親是誰？",
    "北京和上海哪个城市更大？",
    "这两份合同的甲方是否相同？",
)
ONE = (
    "How long is the notice period?",
    "What is the name of our landlord?",
    "Who is the director of Camelia?",
    "What causes tuberculosis?",
    "How many judges are there in the united states supreme court",
    "In which year did the court open?",
    "why is the invoice higher in May",
    "《红高粱》的导演是谁？",
    "這座城市在哪一年更名？",
    "¿Cuántos puntos dejaron escapar en defensa los Panthers?",
    "OK Computer",
    "Thanks! When is the rent due?",
    "x²",
)
NONE = (
    "Hello!",
    "hi",
    "Thank you very much",
    "How are you?",
    "",
    " ?! ",
    "你好",
    "谢谢！",
    "早上好",
)


@pytest.mark.parametrize(
    ("question", "steps"),
    [(q, "several") for q in SEVERAL] + [(q, "one") for q in ONE] + [(q, "none") for q in NONE],
)
def test_the_words_of_a_question_tell_how_many_steps_it_needs(question: str, steps: str) -> None:
    assert query_complexity(question) == steps


def test_a_line_break_is_a_space() -> None:
    assert query_complexity("Where was the director\nof the film Camelia born?") == "several"


@pytest.mark.shared
@pytest.mark.parametrize(
    ("rows", "steps", "percent"),
    [
        ("multihop/hotpotqa/dev", "several", 81),
        ("multihop/2wiki/dev", "several", 97),
        ("multihop/musique/dev", "several", 90),
        ("singlehop/scifact_train/questions", "one", 95),
        ("singlehop/xquad_es/questions", "one", 99),
        ("singlehop/cmrc2018_dev/questions", "one", 99),
        ("singlehop/drcd_test/questions", "one", 99),
    ],
)
def test_questions_that_the_signs_were_not_chosen_on_are_told_right(
    shared: Path, rows: str, steps: str, percent: int
) -> None:
    with gzip.open(shared / "data" / f"{rows}.jsonl.gz", "rt", encoding="utf-8") as lines:
        questions = [json.loads(line)["question"] for line in lines]
    right = sum(query_complexity(question) == steps for question in questions)
    assert 100 * right / len(questions) >= percent
