"""A simulated reader: what a language model might say that reads well, without one.

It knows how each question is made up of hops. A hop's answer is said only where the passage that
supports it stands in the prompt, or the hop was said before; else it hesitates over it, or, at a
set rate, names something wrong and is sure of it. So strategies are proved to search for the right
thing at the right time; how well a real model writes it does not tell. A blind reader, the
control, has only the question's words: what a strategy gains with it is no gain of reading.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.engine.answering.prompts import Prompts
from tests.ollama_double.recorded import Recorded
from tests.ollama_double.script import Script
from tests.ollama_double.words import tokenize

_SURE, _UNSURE = 0.97, 0.3
_UNKNOWN = "unknown"
_OPEN = "<|end_header_id|>\n\n"  # behind it stands, in a raw prompt, what is to be continued
_SHOWN = 60  # characters by which a passage is known again in a prompt
_LIST = re.compile(r"#(\d)")


@dataclass(frozen=True, slots=True)
class Hop:
    """One of the single questions that a question is made of, its answer, and where that stands."""

    question: str
    answer: str
    support: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A question, and its hops in the order in which they can be answered."""

    question: str
    hops: tuple[Hop, ...]

    @property
    def answer(self) -> str:
        """The last hop's answer."""
        return self.hops[-1].answer


def plans(folder: Path, limit: int | None = None) -> list[Plan]:
    """Return the plans of a question set's dev questions whose hops are known."""
    texts = {row["id"]: row for row in _rows(folder / "corpus.jsonl.gz")}
    made = (_plan(row, texts) for row in _rows(folder / "dev.jsonl.gz"))
    return [plan for plan in made if plan.hops][:limit]


class SimulatedReader:
    """A reply for each request of the double's; the same seed gives the same replies.

    `noise` is how often it errs: misses what it was shown, or names something wrong. `blind` makes
    it the control.
    """

    def __init__(
        self, known: Sequence[Plan], *, noise: float = 0.0, seed: int = 0, blind: bool = False
    ) -> None:
        self._plans = sorted(known, key=lambda plan: -len(plan.question))
        self._noise, self._seed, self._blind = noise, seed, blind
        self._wrong = sorted({hop.answer for plan in known for hop in plan.hops})
        self._tasks = _tasks()

    def __call__(self, request: Recorded) -> Script:
        """Say what the rules of a request ask for."""
        raw = str(request.body.get("prompt") or "")
        told = raw or "\n".join(message["content"] for message in request.messages)
        plan = next((each for each in self._plans if each.question in told), None)
        if plan is None:
            raise ValueError("a prompt holds none of the questions that are simulated")
        return self._said(plan, told, raw.rpartition(_OPEN)[2] if raw else request.prefill)

    def _said(self, plan: Plan, told: str, so_far: str) -> Script:
        task = next((name for rules, name in self._tasks.items() if rules in told), "answer")
        dice = random.Random(f"{self._seed} {plan.question} {len(told)} {self._noise}")
        chain = self._chain(plan, told, dice, so_far)
        if task == "draft":
            return Script(" ".join(each.text for each in chain))
        if task == "self_ask":
            return self._asking(plan, told, dice, so_far)
        if task == "answer":  # a model writes on; one sentence alone would be the answer's end
            return _together(chain)
        return next(chain, Script(""))

    def _chain(self, plan: Plan, told: str, dice: random.Random, so_far: str) -> Iterator[Script]:
        """Yield the sentences to come: each hop that can be asked by now, then the answer."""
        for hop in plan.hops:
            about = self._about(plan, hop, so_far)
            if not about or f"As to {about}, it is" in so_far:
                continue
            said = self._sentence(hop, about, told, dice)
            if said.text not in so_far:
                yield said
                so_far += f" {said.text}"
        if "the answer is" not in so_far:
            yield Script(f"So the answer is: {self._said_of(plan.hops[-1], plan, so_far)}.")

    def _sentence(self, hop: Hop, about: str, told: str, dice: random.Random) -> Script:
        """Return what is said of a hop: right, wrong, or that it is not known."""
        errs = dice.random() < self._noise and not self._blind
        knows = hop.support[:_SHOWN] in told and not self._blind
        if errs and not knows:
            return Script(
                f"As to {about}, it is {dice.choice(self._wrong)}.", probabilities=(_SURE,)
            )
        if knows and not errs:
            return Script(f"As to {about}, it is {hop.answer}.", probabilities=(_SURE,))
        return _hesitant(f"As to {about}, I am", " not sure.")

    def _asking(self, plan: Plan, told: str, dice: random.Random, so_far: str) -> Script:
        """Return the next turn of Self-Ask: a follow-up question, or the last one's answer."""
        abouts = [(hop, self._about(plan, hop, so_far)) for hop in plan.hops]
        asked = [(hop, about) for hop, about in abouts if about and f"{about}?" in so_far]
        if so_far.endswith("Intermediate answer:"):
            return self._sentence(*asked[-1], told, dice) if asked else Script("Unknown.")
        begun = "" if "Yes." in so_far else " Yes."
        waiting = [about for hop, about in abouts if about and (hop, about) not in asked]
        if waiting:
            return Script(f"{begun}\nFollow up: {waiting[0]}?")
        return Script(
            f"{begun}\nSo the final answer is: {self._said_of(plan.hops[-1], plan, so_far)}."
        )

    def _about(self, plan: Plan, hop: Hop, so_far: str) -> str:
        """Return what a hop asks, with the answers said before it; "" while one is missing.

        The control has no more than the whole question to ask.
        """
        if self._blind:
            return plan.question.rstrip("?.")
        about = hop.question.rstrip("?.")
        for before in plan.hops[: plan.hops.index(hop)]:
            if before.answer in about:
                said = self._said_of(before, plan, so_far)
                if said == _UNKNOWN:
                    return ""
                about = about.replace(before.answer, said)
        return about

    def _said_of(self, hop: Hop, plan: Plan, so_far: str) -> str:
        """Return the answer that was given to a hop, right or wrong."""
        about = self._about(plan, hop, so_far)
        found = re.search(rf"As to {re.escape(about)}, it is (.+?)\.(?: |$|\n)", so_far)
        return found[1] if about and found else _UNKNOWN


def _together(said: Iterable[Script]) -> Script:
    """Return several sentences as one reply, each token with its probability."""
    tokens: list[str] = []
    probabilities: list[float] = []
    for script in said:
        own = tokenize(f" {script.text}" if tokens else script.text)
        tokens += own
        known = script.probabilities
        probabilities += [known[min(at, len(known) - 1)] for at in range(len(own))]
    return Script("".join(tokens), tokens=tuple(tokens), probabilities=tuple(probabilities))


def _hesitant(sure: str, unsure: str) -> Script:
    probabilities = [_SURE] * len(tokenize(sure)) + [_UNSURE]
    return Script(sure + unsure, probabilities=tuple(probabilities))


def _tasks() -> Mapping[str, str]:
    """Return what the rules of each prompt ask for."""
    return {Prompts("en").text(name): name for name in ("draft", "ircot", "self_ask")}


def _plan(row: dict[str, Any], texts: Mapping[str, dict[str, str]]) -> Plan:
    if row.get("decomposition"):
        return Plan(row["question"].strip(), tuple(_of_decomposition(row["decomposition"], texts)))
    return Plan(row["question"].strip(), tuple(_of_evidences(row, texts)))


def _of_decomposition(
    parts: Sequence[dict[str, Any]], texts: Mapping[str, dict[str, str]]
) -> Iterator[Hop]:
    """Yield MuSiQue's hops; `#1` in one of them stands for the first's answer."""
    answers = [part["answer"] for part in parts]
    for part in parts:
        asked = _LIST.sub(lambda at: answers[int(at[1]) - 1], part["question"])
        yield Hop(
            asked.replace(" >> ", ", "), part["answer"], texts[str(part["support_id"])]["text"]
        )


def _of_evidences(row: dict[str, Any], texts: Mapping[str, dict[str, str]]) -> Iterator[Hop]:
    """Yield 2WikiMultihopQA's hops, a fact each; none where a fact's passage is not among gold."""
    gold = [texts[each] for each in row["gold"]]
    made = []
    for subject, relation, thing in row.get("evidences", ()):
        bearing = [each for each in gold if each["title"].startswith(subject)]
        if not bearing:
            return
        made.append(Hop(f"{subject}, {relation}", thing, bearing[0]["text"]))
    yield from made


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
