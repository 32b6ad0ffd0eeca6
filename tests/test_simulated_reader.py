"""The reader that the comparison of strategies asks: it knows no more than its prompt shows."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.simulated_reader import Hop, Plan, SimulatedReader, plans
from desktop_rag.engine.answering.prompts import Prompts
from tests.ollama_double.recorded import Recorded

SPOUSE = "Anna Benson is an American model and the former wife of the pitcher Kris Benson, it says."
TEAM = "A highly touted prospect, Benson was drafted first overall by the Pittsburgh Pirates."
QUESTION = "What team was Anna Benson's husband on?"
PLAN = Plan(
    QUESTION,
    (
        Hop("Anna Benson, spouse", "Kris Benson", SPOUSE),
        Hop("Kris Benson, team", "Pittsburgh Pirates", TEAM),
    ),
)
OTHER = Plan("Who?", (Hop("x", "Oslo", "nowhere"),))
FIRST = "As to Anna Benson, spouse, it is Kris Benson."
SECOND = "As to Kris Benson, team, it is Pittsburgh Pirates."


def asked(rules: str, *passages: str, so_far: str = "") -> Recorded:
    messages = [
        {"role": "system", "content": Prompts("en").text(rules) if rules else "Answer."},
        {"role": "user", "content": "\n".join((*passages, QUESTION))},
    ]
    if so_far:
        messages.append({"role": "assistant", "content": so_far})
    return Recorded("POST", "/api/chat", {"messages": messages}, {})


def reader(**options: object) -> SimulatedReader:
    return SimulatedReader([PLAN, OTHER], **options)  # type: ignore[arg-type]


def test_a_hop_is_said_only_where_its_passage_is_in_the_prompt() -> None:
    assert reader()(asked("ircot", SPOUSE)).text == FIRST
    assert "Kris" not in reader()(asked("ircot", TEAM)).text
    assert reader()(asked("ircot", TEAM)).text.endswith("not sure.")


def test_a_later_hop_waits_for_the_one_before_it() -> None:
    assert reader()(asked("ircot", TEAM, so_far=FIRST)).text == SECOND
    both = f"{FIRST} {SECOND}"
    assert reader()(asked("ircot", TEAM, so_far=both)).text == (
        "So the answer is: Pittsburgh Pirates."
    )


def test_a_raw_prompt_is_continued_like_a_chat() -> None:
    rules = Prompts("en").text("ircot")
    prompt = f"{rules}\n{TEAM}\n{QUESTION}<|end_header_id|>\n\n{FIRST}"
    raw = Recorded("POST", "/api/generate", {"prompt": prompt, "raw": True}, {})
    assert reader()(raw).text == SECOND


def test_what_it_hesitates_over_is_improbable() -> None:
    unsure = reader()(asked("", SPOUSE))
    doubted = [
        token
        for token, probability in zip(unsure.tokens, unsure.probabilities, strict=True)
        if probability < 0.4
    ]
    assert "".join(doubted).strip() == "not sure."
    assert unsure.text.startswith(FIRST)
    assert min(reader()(asked("", SPOUSE, TEAM)).probabilities) > 0.8


def test_a_chain_of_thought_goes_as_far_as_the_passages_do() -> None:
    assert reader()(asked("draft", SPOUSE, TEAM)).text.startswith(f"{FIRST} {SECOND} So the answer")
    short = reader()(asked("draft", SPOUSE)).text
    assert short.startswith(FIRST)
    assert "Pittsburgh" not in short


def test_follow_ups_are_asked_and_answered_in_turn() -> None:
    needed = Prompts("en").text("self_ask_labels").splitlines()[0]
    first = reader()(asked("self_ask", so_far=needed))
    assert first.text == " Yes.\nFollow up: Anna Benson, spouse?"
    told = f"{needed}{first.text}\nIntermediate answer:"
    assert reader()(asked("self_ask", SPOUSE, so_far=told)).text == FIRST


def test_the_blind_control_has_only_the_questions_words() -> None:
    said = reader(blind=True)(asked("draft", SPOUSE, TEAM)).text
    words = set(said.replace(QUESTION.rstrip("?"), "").split())
    assert not words & {"Kris", "Pittsburgh", "Pirates.", "spouse,"}


def test_noise_is_wrong_at_its_rate_and_the_same_again() -> None:
    said = [reader(noise=0.5, seed=seed)(asked("ircot", TEAM)).text for seed in range(200)]
    wrong = sum(not text.endswith("not sure.") for text in said)
    assert 60 < wrong < 140
    assert said[:5] == [
        reader(noise=0.5, seed=seed)(asked("ircot", TEAM)).text for seed in range(5)
    ]


def test_a_prompt_without_a_known_question_is_a_fault() -> None:
    request = Recorded("POST", "/api/chat", {"messages": [{"role": "user", "content": "?"}]}, {})
    with pytest.raises(ValueError, match="none of the questions"):
        reader()(request)


def test_plans_are_read_from_decompositions_and_from_evidences(tmp_path: Path) -> None:
    corpus = [
        {"id": "1", "title": "Anna Benson", "text": SPOUSE},
        {"id": "2", "title": "Kris Benson", "text": TEAM},
    ]
    parts = [
        {"question": "Anna Benson >> spouse", "answer": "Kris Benson", "support_id": 1},
        {"question": "#1 >> team", "answer": "Pittsburgh Pirates", "support_id": 2},
    ]
    facts = [["Anna Benson", "spouse", "Kris Benson"], ["Kris Benson", "team", "Pirates"]]
    rows = [
        {"question": QUESTION, "gold": ["1", "2"], "decomposition": parts},
        {"question": "Which team?", "gold": ["1", "2"], "evidences": facts},
        {"question": "Nobody knows?", "gold": ["1"], "evidences": [["Nobody", "is", "known"]]},
    ]
    for name, each in (("corpus", corpus), ("dev", rows)):
        packed = gzip.compress("\n".join(map(json.dumps, each)).encode())
        (tmp_path / f"{name}.jsonl.gz").write_bytes(packed)
    first, second = plans(tmp_path)
    assert first == PLAN
    assert [hop.question for hop in second.hops] == ["Anna Benson, spouse", "Kris Benson, team"]
