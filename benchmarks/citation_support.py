"""The check of an answer's sentences: how many wrong ones it tells, how many right ones it doubts.

python -m benchmarks.citation_support DATA [--limit 300] [--show 0]

DATA holds `multihop/2wiki` and `singlehop/scifact_train`. Statements are made of their passages: a
sentence with one part taken from elsewhere is wrong (`training/statements.py`). Each is checked as
a sentence of an answer, once with the number of its passage behind it and once without, by words
and meaning alone and with the built-in reader. Last come the claims of SciFact, freer in their
words, that are near a sentence of the abstract they are about: which of them are doubted is shown,
for whether they are right is known to nobody here.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import builtin_models
from benchmarks.extractive_answers import passage
from desktop_rag.evaluation.datasets import CorpusPassage
from desktop_rag.evaluation.metrics import interval, percent
from desktop_rag.generation.citation_support import ClaimReader, cite_sentences
from desktop_rag.models.pair_reader import PairReader
from desktop_rag.models.protocols import Embedder
from training import question_sets
from training.statements import Sentences, Statement, of_facts

_SEED = 5


def main() -> None:
    """Print a line for each kind of statement and of check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--limit", type=int, default=300, help="statements of a kind")
    parser.add_argument("--show", type=int, default=0, help="right ones that are doubted to print")
    given = parser.parse_args()
    embedder, reader = builtin_models.models()
    for kind, made in _statements(given.data, given.limit).items():
        for way, look in (
            ("words and meaning", ClaimReader()),
            ("with the reader", ClaimReader(reader.read)),
        ):
            for marker in (" [1]", ""):
                told = [_is_doubted(each, marker, embedder, look) for each in made]
                name = f"{kind}, {'with' if marker else 'without'} a number, {way}"
                print("\n".join(_told(name, made, told, given.show)), flush=True)
    claims = question_sets.measured_questions(given.data, "scifact_train")[: given.limit]
    print(
        "\n".join(
            _doubted(claims, question_sets.corpus(given.data, "scifact_train"), embedder, reader)
        )
    )


def _statements(data: Path, limit: int) -> dict[str, list[Statement]]:
    dice = random.Random(_SEED)
    facts = of_facts(
        question_sets.measured_questions(data, "2wiki"), question_sets.corpus(data, "2wiki")
    )
    told = Sentences(list(question_sets.corpus(data, "scifact_train").values()))
    return {
        "facts of 2Wiki": facts[:limit],
        "sentences of SciFact": [told.one(dice) for _ in range(limit)],
    }


def _is_doubted(made: Statement, marker: str, embedder: Embedder, look: ClaimReader) -> bool:
    sources = [passage(CorpusPassage("read", "", made.passage), 1)]
    said = f"{made.text.rstrip('.')}{marker}."
    return bool(cite_sentences(said, sources, embedder, look).from_model)


def _told(name: str, made: Sequence[Statement], told: Sequence[bool], show: int) -> Iterator[str]:
    right = [float(doubt) for each, doubt in zip(made, told, strict=True) if each.holds]
    wrong = [float(doubt) for each, doubt in zip(made, told, strict=True) if not each.holds]
    yield (
        f"{name}: of {len(wrong)} wrong ones {percent(wrong)} are told {interval(wrong)}, of "
        f"{len(right)} right ones {percent(right)} are doubted {interval(right)}"
    )
    doubted = [each for each, doubt in zip(made, told, strict=True) if each.holds and doubt]
    yield from (f"  {each.text!r}\n    {each.passage!r}" for each in doubted[:show])


def _doubted(
    claims: Sequence[question_sets.Question],
    passages: dict[str, question_sets.Passage],
    embedder: Embedder,
    reader: PairReader,
) -> Iterator[str]:
    """Say which claims are doubted with the reader, of those that are near to a sentence."""
    near, doubted = 0, []
    for claim in claims:
        sources = [passage(_entry(passages[each]), 1) for each in claim.gold][:1]
        bare = claim.text.rstrip(".")
        near += bool(cite_sentences(f"{bare}.", sources, embedder).citations)
        if cite_sentences(f"{bare} [1].", sources, embedder, ClaimReader(reader.read)).from_model:
            doubted.append(bare)
    yield f"claims of SciFact: {len(claims)}, near a sentence {near}, doubted {len(doubted)}"
    yield from (f"  {each}" for each in doubted)


def _entry(found: question_sets.Passage) -> CorpusPassage:
    return CorpusPassage(found.id, found.title, found.text)


if __name__ == "__main__":
    main()
