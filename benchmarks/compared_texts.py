"""The words of the page that compares strategies."""

from __future__ import annotations

HEAD = """\
# Strategies compared

<!-- Made by `python -m benchmarks.strategies DATA --out docs/compared.md`. -->

**This is a simulation wherever a strategy asks a language model.** No language model answered
here. A simulated reader did, which knows by which single questions one comes from a question to
its answer, and says the answer of one of them only where what bears it out stands in its prompt;
else it hesitates, with improbable tokens, or, at a set rate (the "noise"), names something wrong
and is sure of it. The figures tell that a strategy searches for the right thing at the right
time. They do not tell how well any real model reads, nor how good its answers are.

What needs no language model ran as it is in the program, second stage and all.
"""

READING = """\
R@k is recall among the first k passages in the order in which a strategy hands them over; its
interval is a bootstrap of 95 %. IRCoT and all that write an answer in parts collect: what the
first search found stays in front, so that their R@5 is that of one search whatever they find
later. So "R@own" is recall among all that is handed over, as EfficientRAG reports it, and "over
one search" what that has over one search with the question among as many passages, question by
question. "Calls" are those of the language model before an answer is written; strategies that end
with one make one more. "ms" is the median of a question; where the reader is simulated it is
searching alone, as a model would take seconds a call."""

UNTIMED = 'Times were not taken: the processors had other work ("–").'

REAL = """
## Without a language model

The first dev questions of each set, over 16,451, 9,616 and 5,021 passages.
"""

SIMULATED = """
## With the simulated reader

The first dev questions of 2WikiMultihopQA with facts and of MuSiQue with decompositions; the
first search stage alone, so that thousands of searches take minutes. HotpotQA says which
sentences bear an answer out, but neither by which single questions one comes to it nor what their
answers are: made up from its answers they would hold what a reader has to find, so none of it is
simulated. `crag` and `single_pass_cot` search with no sentence of the reader's: noise changes
nothing there. `adaptive` routes by its rules; asked for a route, the reader would say "several"
of every question here.
"""

VERDICTS = """
### Who beats one search

By the interval of "over one search", which has to lie above 0:
"""

WHY = """\
Why the others do not:

- `direct` and `chain_of_thought` do not search. The reader knows nothing by heart: what no
  document bears out is not said, so that no passage is found.
- `single_pass_cot` makes the same one search; it thinks only while it answers. The same holds for
  questions that `adaptive` takes for simple.
- `crag` corrects a search in which nothing is good enough. Of these questions the first passage
  nearly always is: the search is called correct, and the strips kept are of those passages. Its
  paper's questions (PopQA, biographies) need one passage, and its corrections come from the web;
  here it must not be expected to follow chains.
- `dsp` searches twice and no more, with its own queries and never with the question. A reader
  that missed what the first search showed asks for the same again and finds nothing new; one
  that named something wrong follows the wrong name. Letting sampled queries vote (the second
  version) makes up for some of that, not for every second reading being wrong.
- `react`, `self_ask` and `previous_sentence`, under much noise, lose more than strategies that
  keep the question in each search: they search with their own words alone, and half of those name
  something wrong.

At 5 passages, `ircot`, `adaptive`, `self_rag` and the second version of `dsp` stay near one
search by their order: they hand over first what was found first."""

CONTROL = """
## The control

A blind reader has the question's words and no more: it reads nothing and knows of no single
questions. What a strategy gains with it over one search comes of searching more often, not of
reading; it should be at most one point. An interval that holds 0 is no gain that so few questions
can show.
"""

TAIL = """
## What the papers say

Recall@5 of other systems, 1,000 questions each, over corpora of 11,656, 6,119 and 9,221 passages:
not the same questions and passages as here, so that only differences from BM25 compare.

| | MuSiQue | 2Wiki | HotpotQA |
|---|---:|---:|---:|
| BM25 | 41.2 | 61.9 | 72.2 |
| Contriever | 46.6 | 57.5 | 75.5 |
| ColBERTv2 | 49.2 | 68.2 | 79.3 |
| HippoRAG (ColBERTv2) | 51.9 | 89.1 | 77.7 |
| IRCoT with ColBERTv2 | 53.7 | 74.4 | 82.0 |
| IRCoT with HippoRAG | 57.6 | 93.9 | 83.0 |
| HippoRAG 2, an embedder of 7 billion parameters | 74.7 | 90.4 | 96.3 |

EfficientRAG, recall at its own count of passages: MuSiQue about 49.5 (6.8 passages), 2Wiki 84.1
(3.7), HotpotQA 81.8 (6.4), with one call of a model; ITER-RETGEN takes three, Self-Ask 7.2.
Answers of an 8-billion model (exact match on HotpotQA and 2Wiki): standard 25.1 and 8.6,
ITER-RETGEN 27.7 and 9.9, IRCoT 30.6 and 24.2, FLARE 19.7 and 25.8, Self-RAG 17.1 and 12.1,
Adaptive-RAG 28.0 and 18.6: with a real model, too, not every one of them beats one search
everywhere.

## What is not simulated

- ReAct's `Lookup`: the next sentence with a word in it is asked for by one who knows the
  sentence. It searches only.
- Self-RAG's reflection tokens: the critic is asked in words, as with any model that was not
  trained to emit them.
- CRAG's evaluator and what grounds an answer from memory are the built-in models themselves, not
  the reader.
- FLARE's explicit queries, query transforms, and conversations.
- Sampling: what is asked for at a temperature differs by the dice of noise, and by which of
  several single questions comes first."""
