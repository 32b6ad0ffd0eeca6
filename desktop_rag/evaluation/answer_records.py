"""Answers of a long run, kept as they come, so that a run that was stopped goes on.

Each way has a file of JSON lines that is only added to; its name is made of all that its answers
depend on. The last line of a question counts, and a line that was cut by a kill is none.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from desktop_rag.core.events import Answer
from desktop_rag.evaluation.answer_metrics import GradedAnswer
from desktop_rag.evaluation.datasets import EvalQuestion

FAILED = "failed"
"""The mode of an answer that the model did not give though it was there."""


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """What figures need of one answer; `cited` are ids of the corpus, `strategy` what was run.

    `scores` stand in the place of text and citations where these are not to be kept.
    """

    question: str
    text: str
    mode: str
    cited: tuple[str, ...]
    strategy: str
    llm_calls: int
    prompt_tokens: int
    answer_tokens: int
    seconds: float
    scores: Mapping[str, float] = field(default_factory=dict)

    def graded(self, item: EvalQuestion) -> GradedAnswer:
        """Return it as an answer to its question; what a refusal says is no answer to compare."""
        answer = Answer(
            text="" if self.mode == "refused" else self.text,
            mode=self.mode,
            citations=(),
            strategy=self.strategy,
            model=None,
            llm_calls=self.llm_calls,
            searches=0,
            passages=0,
            prompt_tokens=self.prompt_tokens,
            answer_tokens=self.answer_tokens,
            seconds=self.seconds,
            from_model=(),
        )
        return GradedAnswer(item, answer, frozenset(self.cited))


class AnswerRecordFile:
    """The answers of one way; `key` is all that they depend on."""

    def __init__(self, folder: Path, key: Mapping[str, str]) -> None:
        name = hashlib.sha256(json.dumps(dict(key), sort_keys=True).encode()).hexdigest()[:24]
        self.path = folder / f"{name}.jsonl"

    def read(self) -> dict[str, AnswerRecord]:
        """Return the answers by their questions' ids, without those that failed."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return {}
        found = {each.question: each for each in map(_record, lines) if each is not None}
        return {name: each for name, each in found.items() if each.mode != FAILED}

    def add(self, record: AnswerRecord) -> None:
        """Keep an answer; it is on the disk when this returns."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps(asdict(record), ensure_ascii=True).encode()
        with self.path.open("ab") as file:
            file.write(b"\n" + line + b"\n")  # what a kill has cut ends here
            file.flush()
            os.fsync(file.fileno())

    def clear(self) -> None:
        """Forget the answers."""
        self.path.unlink(missing_ok=True)


def _record(line: bytes) -> AnswerRecord | None:
    """Return a line's answer; None for what is no whole line."""
    try:
        row = json.loads(line)
        return AnswerRecord(**row | {"cited": tuple(row["cited"])})
    except (ValueError, TypeError, KeyError):
        return None
