"""The reader that the comparison of strategies asks: it knows no more than its prompt shows."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from desktop_rag.generation.prompts import Prompts
from testing.ollama_double.recorded import Recorded
from testing.question_hops import Hop, HopQuestion, plans
from testing.simulated_reader import SimulatedReader

SPOUSE = "Anna Benson is an American model and the former wife of the pitcher Kris Benson, it says."
TEAM = "A highly touted prospect, Benson was drafted first overall by the Pittsburgh Pirates."
QUESTION = "What team was Anna Benson's husband on?"
PLAN = HopQuestion(
    QUESTION,
    (
        Hop("Anna Benson, spouse", "Kris Benson", SPOUSE),
        Hop("#1, team", "Pittsburgh Pirates", TEAM),
    ),
)
OTHER = HopQuestion("Who?", (Hop("x", "Oslo", "nowhere"),))
FIRST = "As to Anna Benson, spouse, it is Kris Benson."
SECOND = "As to Kris Benson, team, it is Pittsburgh Pirates."
UNSURE = "As to Anna Benson, spouse, I am not sure."


def rules_of(name: str) -> str:
    prompts = Prompts("en")
    if name in ("", "flare_instruct/search_marks"):
        manner = prompts.text(name or "answer/brief")
        return prompts.text(
            "answer/rules", scope=prompts.text("answer/documents_first"), manner=manner
        )
    if name == "iter_retgen/chain_of_thought":
        return prompts.draft(only_documents=True)
    return (
        prompts.closed_book("answer/brief") if name == "answer/closed_book" else prompts.text(name)
    )


def asked(rules: str, *passages: str, so_far: str = "") -> Recorded:
    messages = [
        {"role": "system", "content": rules_of(rules)},
        {"role": "user", "content": "\n".join((*passages, QUESTION))},
    ]
    if so_far:
        messages.append({"role": "assistant", "content": so_far})
    return Recorded("POST", "/api/chat", {"messages": messages}, {})


def reader(**options: object) -> SimulatedReader:
    return SimulatedReader([PLAN, OTHER], **options)  # type: ignore[arg-type]


def test_a_hop_is_said_only_where_its_passage_is_in_the_prompt() -> None:
    assert reader()(asked("ircot/next_sentence", SPOUSE)).text == FIRST
    assert "Kris" not in reader()(asked("ircot/next_sentence", TEAM)).text
    assert reader()(asked("ircot/next_sentence", TEAM)).text.endswith("not sure.")


def test_a_later_hop_waits_for_the_one_before_it() -> None:
    assert reader()(asked("ircot/next_sentence", TEAM, so_far=FIRST)).text == SECOND
    both = f"{FIRST} {SECOND}"
    assert reader()(asked("ircot/next_sentence", TEAM, so_far=both)).text == (
        "So the answer is: Pittsburgh Pirates."
    )


def test_a_raw_prompt_is_continued_like_a_chat() -> None:
    rules = Prompts("en").text("ircot/next_sentence")
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
    assert reader()(asked("iter_retgen/chain_of_thought", SPOUSE, TEAM)).text.startswith(
        f"{FIRST} {SECOND} So the answer"
    )
    short = reader()(asked("iter_retgen/chain_of_thought", SPOUSE)).text
    assert short.startswith(FIRST)
    assert "Pittsburgh" not in short


def test_follow_ups_are_asked_and_answered_in_turn() -> None:
    needed = Prompts("en").text("self_ask/labels").splitlines()[0]
    first = reader()(asked("self_ask/rules", so_far=needed))
    assert first.text == " Yes.\nFollow up: Anna Benson, spouse?"
    told = f"{needed}{first.text}\nIntermediate answer:"
    assert reader()(asked("self_ask/rules", SPOUSE, so_far=told)).text == FIRST


def test_it_goes_on_in_the_middle_of_its_sentence() -> None:
    for cut in (4, 20, len(FIRST) - 3):
        begun = FIRST[: FIRST.rfind(" ", 0, cut)]
        rest = reader()(asked("", SPOUSE, so_far=begun)).text
        assert f"{begun}{rest}".startswith(FIRST), begun
    begun = "As to Anna Benson, spouse, I am not"
    rest = reader()(asked("", SPOUSE, so_far=begun)).text
    assert rest.startswith(" sure. As to Anna Benson, spouse, it is Kris Benson.")


def test_what_it_begun_wrongly_is_ended_wrongly() -> None:
    begun = "As to Anna Benson, spouse, it is Os"
    said = reader()(asked("", SPOUSE, TEAM, so_far=begun)).text
    assert said.startswith("lo. As to Oslo, team,")


def test_a_part_of_a_passage_counts_where_it_holds_the_answer() -> None:
    behind = Hop("x", "Pittsburgh", "He was born far away. Pittsburgh drafted him first of all.")
    assert not behind.stands_in("He was born far away.")
    assert behind.stands_in("… Pittsburgh drafted him first of all.")


def test_it_asks_for_a_search_where_it_would_hesitate() -> None:
    assert (
        reader()(asked("flare_instruct/search_marks", SPOUSE)).text
        == f"{FIRST} [Search(Kris Benson, team)]"
    )
    assert reader()(asked("flare_instruct/search_marks")).text == "[Search(Anna Benson, spouse)]"
    assert "[" not in reader()(asked("flare_instruct/search_marks", SPOUSE, TEAM)).text


def test_without_passages_it_says_that_it_does_not_know() -> None:
    assert reader()(asked("answer/closed_book")).text == "I do not know the answer."


def steps(*observed: str, **options: object) -> list[str]:
    """Return what it writes in each step of ReAct, where its actions bring these texts."""
    request = asked("react/rules")
    said = []
    for seen in (*observed, ""):
        said.append(reader(**options)(request).text)
        turns = [{"role": "assistant", "content": said[-1]}, {"role": "user", "content": seen}]
        messages = [*request.messages, *turns]
        request = Recorded("POST", "/api/chat", {"messages": messages}, {})
    return said


def test_it_searches_for_a_hop_and_then_for_the_next_one() -> None:
    first, second, last = steps(SPOUSE, TEAM)
    assert first.endswith("Action 1: Search[Anna Benson, spouse]")
    assert second.startswith(f"Thought 2: {FIRST} I need")
    assert second.endswith("Action 2: Search[Kris Benson, team]")
    assert last == f"Thought 3: {SECOND}\nAction 3: Finish[Pittsburgh Pirates]"


def test_what_was_searched_for_in_vain_is_not_searched_for_again() -> None:
    assert steps("nothing")[1] == f"Thought 2: {UNSURE}\nAction 2: Finish[unknown]"


def test_queries_name_only_what_was_read() -> None:
    assert reader()(asked("dsp/first_query")).text == "Anna Benson, spouse"
    told = reader()(asked("dsp/next_query", SPOUSE)).text
    assert told == f"Rationale: {FIRST}\nSearch query: Kris Benson, team"
    assert reader()(asked("dsp/next_query", TEAM)).text.endswith(
        "Search query: Anna Benson, spouse"
    )


def test_sampled_queries_ask_for_any_hop_that_can_be_asked() -> None:
    both = HopQuestion(QUESTION, (Hop("one", "1871", SPOUSE), Hop("two", "1890", TEAM)))
    request = asked("dsp/first_query")
    request.body["options"] = {"temperature": 0.7}
    sampling = SimulatedReader([both])
    assert {sampling(request).text for _ in range(30)} == {"one", "two"}


def test_keywords_are_those_of_what_can_be_asked_first() -> None:
    told = Prompts("en").text("crag/keywords", question=QUESTION)
    messages = [{"role": "user", "content": told}]
    request = Recorded("POST", "/api/chat", {"messages": messages}, {})
    assert reader()(request).text == "Anna Benson spouse"


def judged(name: str, text: str, *passages: str, **options: object) -> dict[str, object]:
    segment = Prompts("en").text(
        "self_rag/segment", passages="\n".join(passages), question=QUESTION, text=text
    )
    messages = [
        {"role": "system", "content": Prompts("en").text(name)},
        {"role": "user", "content": segment.strip()},
    ]
    request = Recorded("POST", "/api/chat", {"messages": messages}, {})
    found: dict[str, object] = json.loads(reader(**options)(request).text)
    return found


def test_a_critic_would_say_the_same_of_the_passage_or_does_not_bear_it_out() -> None:
    good = {"relevant": True, "support": "fully", "useful": 4}
    assert judged("self_rag/critique", FIRST, SPOUSE) == good
    assert judged("self_rag/critique", SECOND, TEAM) == good | {"useful": 5}
    assert judged("self_rag/critique", FIRST, TEAM) == {
        "relevant": False,
        "support": "not",
        "useful": 2,
    }
    assert judged("self_rag/critique", UNSURE, SPOUSE)["support"] == "not"
    assert judged("self_rag/critique", FIRST, SPOUSE, blind=True) == judged(
        "self_rag/critique", UNSURE, TEAM, blind=True
    )


def test_passages_are_wanted_until_the_last_hop_is_written() -> None:
    assert judged("self_rag/retrieve", "") == {"retrieve": True}
    assert judged("self_rag/retrieve", FIRST) == {"retrieve": True}
    assert judged("self_rag/retrieve", f"{FIRST} {SECOND}") == {"retrieve": False}


@pytest.mark.parametrize(
    "form",
    [
        "",
        "iter_retgen/chain_of_thought",
        "ircot/next_sentence",
        "react/rules",
        "dsp/first_query",
        "dsp/next_query",
        "flare_instruct/search_marks",
        "answer/closed_book",
    ],
)
def test_in_no_form_does_the_control_know_more_than_the_question(form: str) -> None:
    said = reader(blind=True)(asked(form, SPOUSE, TEAM)).text
    words = set(re.findall(r"\w+", said.replace(QUESTION.rstrip("?"), "")))
    assert not words & {"Kris", "Pittsburgh", "Pirates", "spouse", "Oslo"}


def test_the_blind_control_has_only_the_questions_words() -> None:
    said = reader(blind=True)(asked("iter_retgen/chain_of_thought", SPOUSE, TEAM)).text
    words = set(said.replace(QUESTION.rstrip("?"), "").split())
    assert not words & {"Kris", "Pittsburgh", "Pirates.", "spouse,"}


def test_noise_is_wrong_at_its_rate_and_the_same_again() -> None:
    said = [
        reader(noise=0.5, seed=seed)(asked("ircot/next_sentence", TEAM)).text for seed in range(200)
    ]
    wrong = sum(not text.endswith("not sure.") for text in said)
    assert 60 < wrong < 140
    assert said[:5] == [
        reader(noise=0.5, seed=seed)(asked("ircot/next_sentence", TEAM)).text for seed in range(5)
    ]


def test_a_prompt_without_a_known_question_is_a_fault() -> None:
    request = Recorded("POST", "/api/chat", {"messages": [{"role": "user", "content": "?"}]}, {})
    with pytest.raises(ValueError, match="none of the questions"):
        reader()(request)


def test_a_prompt_of_an_unknown_kind_is_a_fault() -> None:
    messages = [{"role": "user", "content": f"Sing of this: {QUESTION}"}]
    request = Recorded("POST", "/api/chat", {"messages": messages}, {})
    with pytest.raises(ValueError, match="nothing that is simulated"):
        reader()(request)


def test_plans_are_read_from_decompositions_and_from_evidences(tmp_path: Path) -> None:
    corpus = [
        {"id": "1", "title": "Anna Benson", "text": SPOUSE},
        {"id": "2", "title": "Kris Benson (pitcher)", "text": TEAM},
    ]
    parts = [
        {"question": "Anna Benson >> spouse", "answer": "Kris Benson", "support_id": 1},
        {"question": "#1 >> team", "answer": "Pittsburgh Pirates", "support_id": 2},
    ]
    facts = [["Anna Benson", "spouse", "Kris Benson"], ["Kris Benson (pitcher)", "team", "Pirates"]]
    unread = [["Anna Benson", "sister", "Ida"], ["Kris Benson", "team", "Pirates"]]
    rows = [
        {"question": QUESTION, "gold": ["1", "2"], "decomposition": parts},
        {"question": "Anna Benson is whose wife?", "gold": ["1", "2"], "evidences": facts},
        {"question": "Of which team, Anna Benson?", "gold": ["1", "2"], "evidences": unread},
        {"question": "Nobody knows?", "gold": ["1"], "evidences": [["Nobody", "is", "known"]]},
    ]
    for name, each in (("corpus", corpus), ("dev", rows)):
        packed = gzip.compress("\n".join(map(json.dumps, each)).encode())
        (tmp_path / f"{name}.jsonl.gz").write_bytes(packed)
    first, second = plans(tmp_path)  # none that would ask for whom it did not read of
    assert first == PLAN
    assert [hop.question for hop in second.hops] == ["Anna Benson, spouse", "#1, team"]
