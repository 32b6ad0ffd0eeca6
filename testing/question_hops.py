"""How questions over several passages are made up: single questions, answers, where those stand.

Read from MuSiQue's decompositions and 2WikiMultihopQA's facts. HotpotQA says which sentences bear
an answer out, but not by which single questions one comes to it: nothing of it is made up here.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from desktop_rag.core.sentences import sentences

_SHOWN = 60  # characters by which a sentence is known again in a prompt
_EARLIER = re.compile(r"#(\d)")


@dataclass(frozen=True, slots=True)
class Hop:
    """One of the single questions that a question is made of, its answer, and where that stands.

    `#1` in the question stands for the first hop's answer.
    """

    question: str
    answer: str
    support: str

    @property
    def earlier(self) -> tuple[int, ...]:
        """The places in the plan, from 0, of the hops that must be answered before."""
        return tuple(int(each) - 1 for each in _EARLIER.findall(self.question))

    def about(self, answers: Sequence[str]) -> str:
        """Return what is asked, once the hops before it have these answers."""
        asked = _EARLIER.sub(lambda at: answers[int(at[1]) - 1], self.question)
        return " ".join(re.sub(r"[\[\]()“”\"]", " ", asked).split()).rstrip("?.")

    def stands_in(self, prompt: str) -> bool:
        """Tell whether a prompt holds what bears the answer out."""
        return any(each in prompt for each in _bearing(self.support, self.answer))


@dataclass(frozen=True, slots=True)
class HopQuestion:
    """A question, and its hops in the order in which they can be answered."""

    question: str
    hops: tuple[Hop, ...]

    @property
    def answer(self) -> str:
        """The last hop's answer."""
        return self.hops[-1].answer


def plans(folder: Path, limit: int | None = None) -> list[HopQuestion]:
    """Return the plans of a question set's dev questions whose hops are known."""
    texts = {row["id"]: row for row in rows(folder / "corpus.jsonl.gz")}
    made = (_plan(row, texts) for row in rows(folder / "dev.jsonl.gz"))
    return [plan for plan in made if plan.hops][:limit]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a packed file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@cache
def _bearing(support: str, answer: str) -> tuple[str, ...]:
    """Return how the sentences begin that hold an answer; how its passage begins if none does.

    Of a passage a prompt may show a part: the first sentences, or those that seem to matter.
    """
    told = (span.of(support) for span in sentences(support))
    holding = [each[:_SHOWN] for each in told if answer.casefold() in each.casefold()]
    return tuple(holding) or (support[:_SHOWN],)


def _plan(row: Mapping[str, Any], texts: Mapping[str, Mapping[str, str]]) -> HopQuestion:
    made = _of_decomposition if row.get("decomposition") else _of_evidences
    return HopQuestion(row["question"].strip(), tuple(made(row, texts)))


def _of_decomposition(
    row: Mapping[str, Any], texts: Mapping[str, Mapping[str, str]]
) -> Iterator[Hop]:
    """Yield MuSiQue's hops."""
    for part in row["decomposition"]:
        asked = part["question"].replace(" >> ", ", ")
        yield Hop(asked, part["answer"], texts[str(part["support_id"])]["text"])


def _of_evidences(row: Mapping[str, Any], texts: Mapping[str, Mapping[str, str]]) -> Iterator[Hop]:
    """Yield 2WikiMultihopQA's hops, a fact each.

    None where a fact's passage is not among gold, or a fact is about what neither the question nor
    an answer before it names: to ask for that would be to know it.
    """
    gold = [texts[each] for each in row["gold"]]
    made: list[Hop] = []
    for subject, relation, thing in row.get("evidences", ()):
        bearing = [each for each in gold if each["title"].startswith(subject)]
        words = _words(subject)
        earlier = [n for n, hop in enumerate(made, start=1) if _words(hop.answer) <= words]
        if not bearing or not (earlier or words <= _words(row["question"])):
            return
        named = f"#{earlier[-1]}" if earlier else subject
        made.append(Hop(f"{named}, {relation}", thing, bearing[0]["text"]))
    yield from made


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
