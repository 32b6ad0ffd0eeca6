"""The built-in embedder beside sentence-transformers (torch, single precision): speed and recall.

Both embed the same texts on the same cores in the same run, slice by slice in turn. What they find
is compared on a question set (JSON lines with `question` and `gold`, ids of `passages`), or,
without one, on the texts' own beginnings.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import random
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks import synthetic_bases
from benchmarks.indexing import timed
from benchmarks.result_table import Measurement
from desktop_rag.core.paths import resources
from desktop_rag.models.model_loader import BUILT_IN_EMBEDDER
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.onnx_model import available_cores

Matrix = npt.NDArray[np.float32]

_TEXTS = 900
_QUESTIONS = 200
_SLICES = 6  # dealt out in turn, so that both meet the same neighbours on a busy machine
_RIVAL = """
import json, sys, time
import numpy as np
import torch
from sentence_transformers import SentenceTransformer
folder, threads, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
torch.set_num_threads(threads)
model = SentenceTransformer(folder, device="cpu")
def embed(some):
    return model.encode(some, batch_size=32, normalize_embeddings=True, show_progress_bar=False)
embed(["warm"] * 32)
vectors = []
for line in sys.stdin:
    texts = json.loads(line)
    start = time.perf_counter()
    vectors.append(embed(texts))
    print(time.perf_counter() - start, flush=True)
np.savez(out, *vectors)
"""


@dataclass(frozen=True, slots=True)
class Rival:
    """A Python that has sentence-transformers (this one when None), and the model's folder."""

    python: Path | None
    model: Path | None


@dataclass(frozen=True, slots=True)
class Texts:
    """Where passages and questions come from; None takes made ones."""

    passages: Path | None
    questions: Path | None


@dataclass(frozen=True, slots=True)
class Trial:
    """What is embedded; `gold` holds the places of each question's texts."""

    texts: list[str]
    questions: list[str]
    gold: list[set[int]]


def measure(rival: Rival, given: Texts, folder: Path) -> list[Measurement]:
    """Embed the texts with both and return their rows; the rival's only where it is there."""
    folder.mkdir(parents=True)
    trial = _read(given) if given.passages and given.questions else _made(given)
    embedder = OnnxEmbedder(resources() / "models" / "all-minilm-l6-v2")
    embedder.embed(["warm"] * 32)
    slices = [trial.texts[at::_SLICES] for at in range(_SLICES)]
    if rival.python is None and importlib.util.find_spec("sentence_transformers") is None:
        ours = sum(timed(partial(embedder.embed, some))[0] for some in slices)
        return [
            Measurement("embed (no --rival-python)", len(trial.texts) / ours, "chunks/s"),
            _built_in(embedder, slices),
        ]
    seconds, others = _race(embedder, rival, [*slices, trial.questions], folder)
    vectors = np.concatenate([embedder.embed(some) for some in slices])
    asked = np.stack([embedder.embed_query(each) for each in trial.questions])
    mine, theirs = (len(trial.texts) / each for each in seconds)
    name = f"sentence-transformers, torch fp32, {available_cores()} threads"
    found = _first_ten(asked, vectors), _first_ten(others[-1], np.concatenate(others[:-1]))
    order = [number for at in range(_SLICES) for number in range(at, len(trial.texts), _SLICES)]
    gold = [{order.index(each) for each in some} for some in trial.gold]
    return [
        Measurement("embed", mine, "chunks/s", theirs, name, "ratio ≥ 1.8"),
        _built_in(embedder, slices),
        *_recall(gold, *found, name),
    ]


def _built_in(former: OnnxEmbedder, slices: list[list[str]]) -> Measurement:
    """Embed the texts by the built-in model and by all-MiniLM-L6-v2, slice by slice in turn."""
    embedder = OnnxEmbedder(resources() / "models" / BUILT_IN_EMBEDDER)
    embedder.embed(["warm"] * 32)
    seconds = np.zeros(2)
    for some in slices:
        seconds += [timed(partial(each.embed, some))[0] for each in (embedder, former)]
    ours, floor = (sum(map(len, slices)) / each for each in seconds)
    what = f"embed by {embedder.card.name}"
    return Measurement(what, ours, "chunks/s", floor, former.card.name, "ratio ≥ 0.6")


def _recall(
    gold: list[set[int]], mine: list[list[int]], others: list[list[int]], name: str
) -> list[Measurement]:
    """Return how much of the rival's first ten is found as well, and recall@5 of both."""
    shared = [len(set(a) & set(b)) / 10 for a, b in zip(mine, others, strict=True)]
    rows = [Measurement("embed: of the rival's first ten found", 100 * float(np.mean(shared)), "%")]
    if any(gold):
        a, b = (_recall_at_5(found, gold) for found in (mine, others))
        error = 100 * float(np.std([x - y for x, y in zip(a, b, strict=True)]) / len(a) ** 0.5)
        gate = f"equal (one standard error of the difference: {error:.1f})"
        what = f"embed: recall@5, {len(a)} questions"
        rows.append(
            Measurement(what, 100 * float(np.mean(a)), "%", 100 * float(np.mean(b)), name, gate)
        )
    return rows


def _first_ten(questions: Matrix, texts: Matrix) -> list[list[int]]:
    return [list(row[:10]) for row in np.argsort(-(questions @ texts.T), axis=1)]


def _recall_at_5(found: list[list[int]], gold: list[set[int]]) -> list[float]:
    return [
        len(wanted & set(some[:5])) / len(wanted) for some, wanted in zip(found, gold, strict=True)
    ]


def _read(given: Texts) -> Trial:
    """Return some questions, the passages that answer them, and others to fill up."""
    assert given.passages is not None
    assert given.questions is not None
    rows = _lines(given.passages)
    place = {str(row["id"]): at for at, row in enumerate(rows)}
    every = [row for row in _lines(given.questions) if row.get("gold")]
    asked = random.Random(1).sample(every, min(_QUESTIONS, len(every)))
    gold = [[place[str(each)] for each in row["gold"]] for row in asked]
    wanted = {at for some in gold for at in some}
    others = [at for at in range(len(rows)) if at not in wanted]
    more = random.Random(2).sample(others, min(len(others), max(0, _TEXTS - len(wanted))))
    chosen = sorted(wanted | set(more))
    now = {at: number for number, at in enumerate(chosen)}
    texts = [f"{rows[at].get('title', '')}\n{rows[at]['text']}".strip() for at in chosen]
    questions = [str(row["question"]) for row in asked]
    return Trial(texts, questions, [{now[at] for at in some} for some in gold])


def _made(given: Texts) -> Trial:
    chance, sentences = random.Random(3), synthetic_bases.sentences_of(given.passages)
    texts = [synthetic_bases.made_text(chance, sentences) for _ in range(_TEXTS // 3)]
    questions = [" ".join(text.split()[:12]) for text in texts[:_QUESTIONS]]
    return Trial(texts, questions, [set() for _ in questions])


def _lines(path: Path) -> list[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _race(
    embedder: OnnxEmbedder, rival: Rival, slices: list[list[str]], folder: Path
) -> tuple[tuple[float, float], list[Matrix]]:
    """Let both embed each slice in turn; return the seconds of both, without those of the last.

    The rival's vectors are returned as well.
    """
    if rival.model is None:
        raise SystemExit("Name the rival's model with --rival-model FOLDER (all-MiniLM-L6-v2).")
    out = folder / "rival.npz"
    words = [str(rival.model), str(available_cores()), str(out)]
    mine, theirs = [], []
    with subprocess.Popen(
        [rival.python or sys.executable, "-c", _RIVAL, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for some in slices:
            mine.append(timed(partial(embedder.embed, some))[0])
            process.stdin.write(json.dumps(some) + "\n")
            process.stdin.flush()
            theirs.append(float(process.stdout.readline()))
        process.stdin.close()
        process.wait()
    with np.load(out) as found:
        return (sum(mine[:-1]), sum(theirs[:-1])), [found[f"arr_{at}"] for at in range(len(slices))]
