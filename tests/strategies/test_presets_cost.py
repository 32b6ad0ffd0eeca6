"""What a preset may cost: Balanced hardly more than a single pass, where one search is enough.

The questions are real ones of one step, those among them too that look like several. The same
figures of a whole set are printed by `desktop-rag eval answers --strategy single_pass,balanced`.
"""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import evaluate
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import ListingRow
from desktop_rag.core.requests import EvalRequest
from desktop_rag.core.settings import Ollama, Retrieval, Settings
from desktop_rag.strategies.query_complexity import SEVERAL, query_complexity
from testing.ollama_double import OllamaDouble

_PLAIN, _LIKE_SEVERAL, _AROUND = 4, 2, 6
_MOST_CALLS, _MOST_TOKENS = 1, 1.3


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("questions", ["pubmedqa", "xquad_es"])
def test_balanced_costs_hardly_more_than_a_single_pass_on_questions_of_one_step(
    shared: Path, tmp_path: Path, questions: str
) -> None:
    asked = _few(shared / "data" / "singlehop" / questions, tmp_path)
    with OllamaDouble() as double:
        workspace = open_workspace(tmp_path / "home", _quick(double.url))
        events = list(evaluate.run(workspace, asked, CancelToken()))
        workspace.close()
    rows = {each.values["strategy"]: each.values for each in events if isinstance(each, ListingRow)}
    single, balanced, fast = (rows[name] for name in asked.strategies)
    assert 0 < single["llm_calls"] <= 1  # without evidence none is made
    assert balanced["llm_calls"] <= single["llm_calls"] + _MOST_CALLS
    assert 0 < balanced["prompt_tokens"] <= _MOST_TOKENS * single["prompt_tokens"]
    assert fast["llm_calls"] <= single["llm_calls"]
    assert fast["prompt_tokens"] < single["prompt_tokens"]


def _quick(host: str) -> Settings:
    """Return settings under which less is read: how much is read changes no call and no prompt."""
    rules = Retrieval(rerank_candidates=8)
    return Settings(ollama=Ollama(host=host), retrieval=rules)


def _few(folder: Path, into: Path) -> EvalRequest:
    """Write some questions with their passages and others around them; return how they are asked.

    Of those that look like several steps there are more than their share: they cost most.
    """
    every = list(_rows(folder / "questions.jsonl.gz"))
    harder = [each for each in every if query_complexity(each["question"]) == SEVERAL][
        :_LIKE_SEVERAL
    ]
    plain = [each for each in every if each not in harder][:_PLAIN]
    gold = {name for each in (*plain, *harder) for name in each["gold"]}
    corpus = list(_rows(folder / "corpus.jsonl.gz"))
    others = islice((each for each in corpus if each["id"] not in gold), _AROUND)
    kept = [*(each for each in corpus if each["id"] in gold), *others]
    for name, rows in (("corpus", kept), ("questions", [*plain, *harder])):
        (into / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    files = str(into / "corpus.jsonl"), str(into / "questions.jsonl")
    return EvalRequest("answers", *files, ("single_pass", "balanced", "fast"))


def _rows(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
