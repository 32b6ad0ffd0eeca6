"""Measures what the pair reader says besides its score: answers, labels, tags and filters.

    python -m training.measure_heads DATA WORK OUT [--on dev|held-out] [--limit 60]

OUT is what training has reached, over what `training.cache_first_stage` kept in WORK; or the
shipped model's folder, which is read as the program reads it, over the first stage itself, and
needs no torch.

Reading: each question with its gold passages among the first stage's best; the answer is taken from
the passage where score and span agree best; "in chains" also from what each passage says once one
of the best two is known. Then once more without the gold passages: how often
"no answer here" is said of those, and how rarely of the others.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.models.model_card import read_model_card
from desktop_rag.models.onnx_model import OnnxModel
from training import question_sets
from training.chains import Neighbourhood
from training.examples import END, KEPT, START, TAGS, USEFUL, Example, filters, labels, taught
from training.first_stage import FirstStage
from training.first_stage_cache import CachedFirstStage, Stage, kept_at
from training.metrics import interval, log_softmax, plain, precision_at, token_f1
from training.question_sets import MULTIHOP, Question
from training.statements import Sentences, Statement, of_facts
from training.token_pairs import Cut, PairTokenizer

_PASSAGES = 10  # read for a question: its gold ones and the best others
_BEAM = 2  # passages that are read on from
_LONGEST = 30  # tokens of an answer
_ENOUGH = 0.0  # a token is marked whose logit is above
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Read:
    """What was said of one pair: its score, marks `(length, 4)` and tags `(4,)`."""

    score: float
    marks: Floats
    tags: Floats


@dataclass(frozen=True, slots=True)
class Answer:
    """The best span of a passage, and by how much its logits pass those of "no answer here".

    `told` is that and the passage's score; `score` the logarithm of its share among the others'.
    """

    text: str
    margin: float
    score: float
    told: float


_NO_ANSWER: dict[str, Callable[[Answer], float]] = {
    "margin": lambda each: each.margin,
    "margin and score": lambda each: each.told,
}
Reads = Callable[[Sequence[Cut]], list[Read]]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("work", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--on", choices=("dev", "held-out"), default="held-out")
    asked.add_argument("--limit", type=int, default=0)
    asked.add_argument("--sets", default=",".join((*MULTIHOP, "covidqa")))
    asked.add_argument("--half", action="store_true")
    asked.add_argument("--device", default="cpu")
    asked.add_argument("--together", type=int, default=32, help="pairs read at once")
    given = asked.parse_args()
    shipped = (given.out / "card.json").exists()
    cutter = PairTokenizer()
    if shipped:
        reads = of_shipped(given.out)
    else:
        reads = of_torch(given.out, given.device, given.together, half=given.half)
    for name in given.sets.split(","):
        held_out = given.on == "held-out" or name not in MULTIHOP
        if held_out:
            asking = question_sets.training_questions(given.data, name, held_out=True)
        else:
            asking = question_sets.measured_questions(given.data, name)
        stage: Stage = (
            FirstStage(question_sets.corpus(given.data, name), given.work / name)
            if shipped
            else CachedFirstStage(kept_at(given.work, name))
        )
        near = Neighbourhood.of(given.data, name, stage)
        told = reading(near, asking, cutter, reads, given.limit or None)
        print(json.dumps({"set": name, "held out": held_out} | told), flush=True)
    folder, limit = given.data / "efficientrag", given.limit or None
    marked = marking(list(labels(folder / "labeler.dev.jsonl.gz"))[:limit], cutter, reads)
    print(json.dumps({"labeler": marked}), flush=True)
    kept = marking(list(filters(folder / "filter.dev.jsonl.gz"))[:limit], cutter, reads)
    print(json.dumps({"filter": kept}), flush=True)
    for name, made in statements(given.data).items():
        told = support(made[:limit], cutter, reads)
        print(json.dumps({"support": name} | told), flush=True)


def of_shipped(folder: Path) -> Reads:
    """Return a reader of cut pairs: the program's own model, each pair by itself."""
    parts = OnnxModel(read_model_card(folder)).get()

    def one(cut: Cut) -> Read:
        ids = np.array([cut.ids], np.int64)
        segments = np.array([cut.segments], np.int64)
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": segments}
        score, marks, tags = parts.session.run(None, fed)
        return Read(float(score[0]), marks[0], tags[0])

    return lambda cuts: list(parts.pool.map(one, cuts))


def of_torch(out: Path, device: str, together: int, *, half: bool) -> Reads:
    """Return a reader of cut pairs: what training has reached."""
    import torch

    from training.encoder import Batch, use_half
    from training.measure_ranking import trained

    model = trained(out, device)
    use_half(model, half=half)

    def read(cuts: Sequence[Cut]) -> list[Read]:
        made: dict[int, Read] = {}
        order = sorted(range(len(cuts)), key=lambda at: len(cuts[at].ids))
        with torch.inference_mode():
            for begin in range(0, len(order), together):
                some = order[begin : begin + together]
                said = model.reader(Batch.of([cuts[at] for at in some]).to(device))
                parts = (each.float().cpu() for each in (said.score, said.marks, said.tags))
                for at, score, marks, tags in zip(some, *parts, strict=True):
                    made[at] = Read(float(score), marks.numpy(), tags.numpy())
        return [made[at] for at in range(len(cuts))]

    return read


def reading(
    near: Neighbourhood,
    asking: Sequence[Question],
    cutter: PairTokenizer,
    reads: Reads,
    limit: int | None,
) -> dict[str, object]:
    """Return exact match and F1 in percent, and how "no answer here" is said."""
    spoken = [q for q in asking if any(taught(q.answers, near.passages[g].read) for g in q.gold)]
    answers = partial(_answers, near, cutter, reads)
    marked: dict[str, list[float]] = defaultdict(list)
    with_gold: dict[str, list[float]] = defaultdict(list)
    without: dict[str, list[float]] = defaultdict(list)
    for question in spoken[:limit]:
        others = [h.id for h in near.stage.search(question.text, 30) if h.id not in question.gold]
        wrong = [
            each for each in others if taught(question.answers, near.passages[each].read) == ()
        ]
        ids = [*question.gold, *wrong][:_PASSAGES]
        found = answers([(question.text, each) for each in ids])
        _mark(marked, "", found, question)
        found_on = _second(near, question, ids, found, answers)
        _mark(marked, " in chains", [*found, *found_on], question)
        for name, look in _NO_ANSWER.items():
            with_gold[name].append(max(map(look, found)))
            without[name].append(max(map(look, found[len(question.gold) :]), default=-np.inf))
    return {
        "questions": len(marked["f1"]),
        **{name: _percent(each) for name, each in marked.items()},
        "f1 range": [round(100 * each, 1) for each in interval(np.array(marked["f1"]))],
        "precision of no answer at recall 0.5": {
            name: precision_at(without[name], with_gold[name], 0.5) for name in _NO_ANSWER
        },
    }


def _answers(
    near: Neighbourhood, cutter: PairTokenizer, reads: Reads, pairs: Sequence[tuple[str, str]]
) -> list[Answer]:
    """Return the best span of each passage, for its query; scores are logs of their shares."""
    texts = [near.passages[each].read for _, each in pairs]
    cuts = cutter.cut([(query, text) for (query, _), text in zip(pairs, texts, strict=True)])
    made = [best(*each) for each in zip(reads(cuts), cuts, texts, strict=True)]
    shares = log_softmax(np.array([each.score for each in made]))
    return [replace(each, score=float(at)) for each, at in zip(made, shares, strict=True)]


def _second(
    near: Neighbourhood,
    question: Question,
    ids: Sequence[str],
    first: Sequence[Answer],
    answers: Callable[[Sequence[tuple[str, str]]], list[Answer]],
) -> list[Answer]:
    """Return what is read in the passages once the best of them are known."""
    made: list[Answer] = []
    for at in sorted(range(len(ids)), key=lambda at: -first[at].score)[:_BEAM]:
        begin = ids[at]
        pairs = [(near.asked(question.text, begin, e), e) for e in ids if e != begin]
        found = answers(pairs) if near.chained else []
        made += [replace(each, score=each.score + first[at].score) for each in found]
    return made


def _mark(
    marked: dict[str, list[float]], how: str, found: Sequence[Answer], question: Question
) -> None:
    chosen = max(found, key=lambda each: each.margin + each.score)
    right = [plain(chosen.text) == plain(each) for each in question.answers]
    marked[f"exact{how}"].append(float(any(right)))
    marked[f"f1{how}"].append(max(token_f1(chosen.text, each) for each in question.answers))


def best(read: Read, cut: Cut, passage: str) -> Answer:
    """Return the best span of at most so many tokens."""
    first, count = cut.passage.first, len(cut.passage.ids)
    starts = read.marks[first : first + count, START]
    ends = read.marks[first : first + count, END]
    sums = starts[:, None] + ends[None, :]
    at = np.arange(count)
    allowed = (at[None, :] >= at[:, None]) & (at[None, :] < at[:, None] + _LONGEST)
    begin, end = divmod(int(np.where(allowed, sums, -np.inf).argmax()), count)
    nowhere = read.marks[0, START] + read.marks[0, END]
    text = passage[cut.passage.places[begin][0] : cut.passage.places[end][1]]
    margin = float(sums[begin, end] - nowhere)
    return Answer(text, margin, read.score, margin + read.score)


def marking(lessons: Sequence[Example], cutter: PairTokenizer, reads: Reads) -> dict[str, object]:
    """Return the tokens' precision, recall and F1, and the share of right tags, in percent."""
    cuts = cutter.cut([(each.query, each.passage) for each in lessons])
    counts: Counter[str] = Counter()
    right, tagged = 0, 0
    for lesson, cut, read in zip(lessons, cuts, reads(cuts), strict=True):
        mark = USEFUL if lesson.kept is None else KEPT
        parts = [(cut.passage, lesson.useful or ())]
        if lesson.kept is not None:
            parts = list(zip((cut.query, cut.passage), lesson.kept, strict=True))
        for part, spans in parts:
            wanted = {at for span in spans for at in part.positions(span)}
            places = range(part.first, part.first + len(part.ids))
            said = {at for at in places if read.marks[at, mark] > _ENOUGH}
            counts.update(hit=len(wanted & said), said=len(said), wanted=len(wanted))
        if lesson.tag is not None:
            tagged += 1
            right += int(read.tags.argmax()) == lesson.tag
    precision = counts["hit"] / max(1, counts["said"])
    recall = counts["hit"] / max(1, counts["wanted"])
    told: dict[str, object] = {
        "rows": len(lessons),
        "precision": round(100 * precision, 1),
        "recall": round(100 * recall, 1),
        "f1": round(200 * precision * recall / max(1e-9, precision + recall), 1),
    }
    return told | ({"tags right": round(100 * right / tagged, 1), "of": TAGS} if tagged else {})


def statements(data: Path) -> dict[str, list[Statement]]:
    """Return statements that hold and that don't: of facts of 2Wiki, of sentences of SciFact."""
    passages = question_sets.corpus(data, "2wiki")
    asking = question_sets.training_questions(data, "2wiki", held_out=True)
    asking += question_sets.measured_questions(data, "2wiki")
    dice, told = (
        random.Random(1),
        Sentences(list(question_sets.corpus(data, "scifact_train").values())),
    )
    return {"facts": of_facts(asking, passages), "sentences": [told.one(dice) for _ in range(600)]}


def support(made: Sequence[Statement], cutter: PairTokenizer, reads: Reads) -> dict[str, object]:
    """Return how often what holds is told from what does not: the area under the ROC curve."""
    cuts = cutter.cut([(each.text, each.passage) for each in made])
    margins = np.array([
        best(read, cut, each.passage).margin
        for read, cut, each in zip(reads(cuts), cuts, made, strict=True)
    ])  # fmt: skip
    holds = np.array([each.holds for each in made])
    above = margins[holds][:, None] - margins[~holds][None, :]
    area = float((above > 0).mean() + (above == 0).mean() / 2)
    return {"statements": len(made), "hold": int(holds.sum()), "auc": round(area, 3)}


def _percent(shares: Sequence[float]) -> float:
    return round(100 * float(np.mean(shares)), 1)


if __name__ == "__main__":
    main()
