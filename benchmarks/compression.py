"""Shortened passages: how many tokens of the prompt they save, and whether the answer stays in it.

python -m benchmarks.compression DATA [--sets hotpotqa,2wiki,musique] [--split train] [--limit 30]
                                    [--shares 0.2,0.35,0.5,0.7] [--methods sentences,tokens]

DATA is a folder of question sets, as `benchmarks.extractive_answers` reads them. The five passages
that a question is answered from are put into the prompt of an answer whole, and shortened to a
share of their text: to the best sentences, or to the words that the reader holds for useful. Tokens
are those of the whole prompt, rules and question with it, and of its passages alone, counted by the
built-in embedder's tokenizer. Left out are questions answered by yes or no, and those whose answer
stands in none of the five: what is kept is a share of the others.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import builtin_models
from benchmarks.extractive_answers import SETS, Corpus, fit, holds
from desktop_rag.core.language import language
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import Passage
from desktop_rag.evaluation.datasets import EvalQuestion, read_corpus, read_questions
from desktop_rag.evaluation.metrics import percent
from desktop_rag.generation.extractive_compression import CompressedPassages, excerpts, prompt_text
from desktop_rag.generation.prompt_builder import PromptBuilder
from desktop_rag.generation.token_pruning import prune_tokens
from desktop_rag.models.pair_reader import PairReader
from desktop_rag.models.protocols import Embedder

METHODS = ("sentences", "tokens")
_CONTEXT = 8192


@dataclass(frozen=True, slots=True)
class Counted:
    """A language model as far as a prompt asks: its context, and the embedder's tokens."""

    embedder: Embedder
    context_tokens: int = _CONTEXT

    def estimate_tokens(self, text: str) -> int:
        """Return how many tokens a text takes."""
        return self.embedder.count_tokens([text])[0]


@dataclass(frozen=True, slots=True)
class Told:
    """One prompt: its tokens, those of its passages, and whether these hold the answer."""

    tokens: int
    of_passages: int
    holds: float


def main() -> None:
    """Print a line a set and share."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--split", default="train")
    parser.add_argument("--limit", type=int, default=30, help="questions of a set")
    parser.add_argument("--shares", default="0.2,0.35,0.5,0.7")
    parser.add_argument("--methods", default=",".join(METHODS))
    given = parser.parse_args()
    embedder, reader = builtin_models.models()
    for name in given.sets.split(","):
        folder = given.data / name
        items = fit(read_questions(folder / f"{given.split}.jsonl.gz"))[: given.limit]
        snapshot = Corpus(read_corpus(folder / "corpus.jsonl.gz"), reader)
        found = [(each, snapshot.passages(each)) for each in items]
        cases = [
            (method, float(share))
            for method in given.methods.split(",")
            for share in given.shares.split(",")
        ]
        for line in _lines(found, cases, embedder, reader):
            print(f"{name}, {line}", flush=True)


def _lines(
    found: Sequence[tuple[EvalQuestion, tuple[Passage, ...]]],
    cases: Sequence[tuple[str, float]],
    embedder: Embedder,
    reader: PairReader,
) -> Iterator[str]:
    """Yield what each method and share saves and keeps of the questions whose answer was found."""
    whole = [_told(item, passages, {}, embedder) for item, passages in found]
    fine = [at for at, each in enumerate(whole) if each.holds]
    before = [whole[at] for at in fine]
    yield f"n {len(fine)}: {_mean(before)} tokens a prompt, of them {_of_passages(before)} passages"
    for method, share in cases:
        now = []
        for item, passages in (found[at] for at in fine):
            short = (
                excerpts(item.question, passages, share, embedder)
                if method == METHODS[0]
                else prune_tokens(item.question, passages, share, reader.read)
            )
            now.append(_told(item, passages, short, embedder))
        fewer = 1 - sum(e.tokens for e in now) / sum(e.tokens for e in before)
        less = 1 - sum(e.of_passages for e in now) / sum(e.of_passages for e in before)
        yield (
            f"{method} {share:g}: {_mean(now)} tokens a prompt ({100 * fewer:.0f} % fewer; of the "
            f"passages' {100 * less:.0f} %), {percent([e.holds for e in now])} hold the answer"
        )


def _told(
    item: EvalQuestion, passages: Sequence[Passage], short: CompressedPassages, embedder: Embedder
) -> Told:
    model, text = Counted(embedder), item.question
    composer = PromptBuilder(model, Settings(), text, language(text), shorter=short)
    prompt = composer.answer(passages, "answer/brief")
    count = sum(model.estimate_tokens(each.content) for each in prompt.messages)
    shown = "\n".join(prompt_text(each, short).text for each in passages)
    return Told(count, model.estimate_tokens(shown), holds(shown, item.answers))


def _mean(prompts: Sequence[Told]) -> str:
    return f"{sum(each.tokens for each in prompts) / max(1, len(prompts)):.0f}"


def _of_passages(prompts: Sequence[Told]) -> str:
    return f"{sum(each.of_passages for each in prompts) / max(1, len(prompts)):.0f}"


if __name__ == "__main__":
    main()
