"""The words of the page that compares peers."""

from __future__ import annotations

HEAD = """\
# Compared with peers

<!-- Made by `python -m benchmarks.peers`; see the command below. Change it there. -->

The same PDFs, the same questions and the same machine, one after the other in alternating order,
each in its own environment and in a fresh process with an empty folder in every round. Embeddings
of all are all-MiniLM-L6-v2's: the peers' from the weights as they were trained, ours from the
built-in copy in 8 bits. Models are loaded before the clock starts, and one question is asked that
is not counted. No peer reranks; this program does.
"""

READING = """
"Index" is the mean of the rounds, from the list of files until the passages can be searched and
lie on disk. Search is over all questions of all rounds. A gold page counts as found when one of
the first five passages begins on a page that the question set names, in the right file; the rule
is the same code for all, and the interval is a bootstrap of 95 % over the questions. Memory is the
most that the process and its children held (proportional set size), while indexing and while
searching. A peer that embeds fewer or shorter passages has less to do: passages are told.
"""

SETS = """
The same by question set:
"""

GOALS = """
## The goals

Each against the peer that is best at it.
"""

# What is to be said of a goal that was missed.
MISSED = {
    "indexing": """
**Indexing is short of its goal.** The peers do not embed the same: LlamaIndex's passages hold up to
1,024 tokens, of which the model reads the first 256, so that much of the text has no vector.
This program cuts its passages by the model's tokens. What it is beside each peer stands below.""",
    "searching": """
**A search takes longer than theirs.** It is the second stage: a model of the embedder's size reads
the question with each of thirty passages, where a peer only embeds the question.""",
    "finding": """
**The gold pages are not as far ahead as they should be.** Of a set of which the best peer finds
more than 80 %, nobody can be 20 points ahead. And a set may name one page where an answer stands on
several: three of four misses that were looked at in one on a single document, of 26 pages, have a
right answer among the first five, on another page. Where it can be known which page is right, the
table by question sets says how far ahead the program is.""",
}

DIFFERENCES = """
This program beside each of them:
"""

PIPELINES = """
## What each one runs
"""

DESKTOP = """
## Desktop programs

**Open WebUI**, a program for one's own computer that is used in a browser, comes as a Python
package and is in the table, as it is installed, asked through its own interface for programs. Of
those with a window none could be run without it and from a package registry, as of 2026-11:
**kotaemon** is not among PyPI's packages (it is installed from its repository); **AnythingLLM** and
**Cherry Studio** come as installers of Electron programs; **GPT4All**'s PyPI package `gpt4all` has
a language model and an embedder only, its LocalDocs is part of the program in C++. They were not
run, and nothing is claimed about them.
"""

COMMAND = """
## To do it again

```
.venv/bin/python -m benchmarks.peers.article_pdfs DATA ARTICLES --environments FOLDER
.venv/bin/python -m benchmarks.peers --documents ARTICLES FOLDER --questions ARTICLES FOLDER \\
    --model FOLDER --environments FOLDER --rounds {rounds} --out docs/peers.md
```

The first makes PDFs of articles of COVID-QA (Möller et al. 2020) that no model of this program was
trained on, with the questions whose answer stands in one place of its article. `--questions` names
folders with `manifest.jsonl` (`doc`, `question`, `pages`), `--documents` PDFs or folders of them,
`--model` all-MiniLM-L6-v2 as sentence-transformers saves it, `--environments` where the peers'
environments are kept (9 GB; made at the first run, which needs a package registry).
`--only langchain,txtai` takes some peers. These were the files: {files}.
"""
