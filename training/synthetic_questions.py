"""Questions made up from a corpus alone: of one passage, over a link, and comparing two.

Their grammar limps; what they share with people's questions is what a reranker has to learn from:
which words of a question speak of which passage, and which of a second passage that the first one
names. After Lewis et al. 2019 (questions by cloze) and Lee et al. 2019 (inverse cloze).
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from training.question_sets import Passage
from training.title_links import Mention, Titles, bare

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“])")
SPAN = re.compile(
    r"(?:\b\d{1,2} )?\b(?:[A-Z][\w'’-]+)(?: (?:of |the |and |de )?[A-Z][\w'’-]+)*|\b\d[\d,.]*\d\b"
)
_KIND = re.compile(
    r"\b(?:is|was|are|were) (?:an?|the|one of the) ((?:[\w'’-]+ ){0,5}?[\w'’-]+)"
    r"(?= (?:of|in|from|by|that|who|which|for|at|on|and|located|based|released|directed|written|"
    r"born|best|known|whose|to|with|starring|set|published|created|produced|formed)\b|[,.;(])"
)
_PRONOUN = re.compile(r"^(?:He|She|It|They|The (?:film|song|album|band|book|series|company|town)) ")
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")
_LEAST_WORDS = 5
_BEFORE, _AFTER = 14, 6  # words kept on either side of what is asked for


@dataclass(frozen=True, slots=True)
class MadeUp:
    """A question, and the passages that answer it, in the order in which they are reached.

    `first` is how many of them the question itself speaks of; the others only the one before names.
    """

    kind: str
    text: str
    gold: tuple[str, ...]
    first: int
    answer: str


def made_up(passages: Mapping[str, Passage], seed: int, limit: int) -> list[MadeUp]:
    """Return up to `limit` questions, a third of each kind that the corpus allows, shuffled."""
    dice = random.Random(seed)
    titles = Titles(passages)
    kinds = (_bridges(passages, titles, dice), _singles(passages, dice), _pairs(passages, dice))
    made: list[MadeUp] = []
    for found in kinds:
        each = list(found)
        dice.shuffle(each)
        made += each[: limit // len(kinds)]
    dice.shuffle(made)
    return made


def sentences(text: str) -> list[str]:
    """Return a text's sentences, roughly."""
    return [each.strip() for each in _SENTENCE.split(text) if each.strip()]


def kind_of(passage: Passage) -> str:
    """Return what a passage says its subject is: `American film director`; empty if it doesn't."""
    found = _KIND.search(passage.text[:400])
    return found.group(1) if found else ""


def _singles(passages: Mapping[str, Passage], dice: random.Random) -> Iterator[MadeUp]:
    """Yield a question of each passage: a sentence of it with a name or a number asked for."""
    for passage in passages.values():
        options = [s for s in sentences(passage.text) if len(s.split()) >= _LEAST_WORDS]
        dice.shuffle(options)
        for sentence in options[:3]:
            cloze = _cloze(about(passage, sentence), bare(passage.title), dice)
            if cloze:
                yield MadeUp("single", cloze[0], (passage.id,), 1, cloze[1])
                break


def _bridges(
    passages: Mapping[str, Passage], titles: Titles, dice: random.Random
) -> Iterator[MadeUp]:
    """Yield questions of a passage that is only described: by how another one names it."""
    for passage in passages.values():
        for sentence in sentences(passage.text):
            for mention in titles.mentioned(sentence):
                if passage.id in mention.passages or len(mention.passages) > 1:
                    continue
                far = passages[mention.passages[0]]
                made = _bridge((passage, sentence), mention, far, dice)
                if made is not None:
                    yield made


def _bridge(
    near: tuple[Passage, str], mention: Mention, far: Passage, dice: random.Random
) -> MadeUp | None:
    passage, sentence = near
    name = bare(far.title)
    told = [
        s for s in sentences(far.text) if name.split()[0] in s[:60] or _PRONOUN.match(s) is not None
    ]
    kind = kind_of(far)
    if not told or not kind:
        return None
    cloze = _cloze(about(far, dice.choice(told[:4])), name, dice)
    if cloze is None or name not in cloze[0]:
        return None
    described = _described(passage, sentence, mention, kind)
    text = cloze[0].replace(name, described, 1)
    if name.casefold() in text.casefold():
        return None
    return MadeUp("bridge", text, (passage.id, far.id), 1, cloze[1])


def _described(passage: Passage, sentence: str, mention: Mention, kind: str) -> str:
    """Describe what a sentence names by the words around its name."""
    before = about(passage, sentence[: mention.start]).split()[-9:]
    after = sentence[mention.end :].rstrip(".").split()[:4]
    title = bare(passage.title)
    where = "" if title in " ".join(before) else f" of {title}"
    return f"the {kind}{where} ({' '.join(before)} … {' '.join(after)})".replace(" )", ")")


def _pairs(passages: Mapping[str, Passage], dice: random.Random) -> Iterator[MadeUp]:
    """Yield questions that compare two passages whose subjects are of one kind."""
    alike: dict[str, list[Passage]] = defaultdict(list)
    for passage in passages.values():
        if kind := kind_of(passage):
            alike[kind.split()[-1].casefold()].append(passage)
    for kind, members in sorted(alike.items()):
        dice.shuffle(members)
        for one, other in zip(members[::2], members[1::2], strict=False):
            yield MadeUp("pair", _comparison(one, other, kind, dice), (one.id, other.id), 2, "")


def _comparison(one: Passage, other: Passage, kind: str, dice: random.Random) -> str:
    a, b = bare(one.title), bare(other.title)
    forms = (
        f"Which {kind} came first, {a} or {b}?",
        f"Who is older, {a} or {b}?",
        f"Are {a} and {b} both {kind_of(other)}s?",
        f"Which is the {kind_of(one)}, {a} or {b}?",
        f"Do {a} and {b} come from the same country?",
        f"What do {a} and {b} have in common?",
        f"Which {kind} was made earlier, {a} or {b}?",
        f"Which of {a} and {b} is a {kind_of(one)}?",
    )
    return dice.choice(forms)


def about(passage: Passage, sentence: str) -> str:
    """Return a sentence with its subject's name in the place of a pronoun."""
    return _PRONOUN.sub(lambda _: f"{bare(passage.title)} ", sentence, count=1)


def _cloze(sentence: str, name: str, dice: random.Random) -> tuple[str, str] | None:
    """Return a sentence as a question for one of its names or numbers, and that; or None."""
    begins = sentence.find(name) + len(name) if name in sentence else 0
    spans = [m for m in SPAN.finditer(sentence, begins) if m.group() not in name]
    if not spans:
        return None
    span = dice.choice(spans)
    before = sentence[: span.start()].split()
    after = sentence[span.end() :].rstrip(".").split()[:_AFTER]
    kept = before if len(before) <= _BEFORE else [name, *before[-_BEFORE:]]
    word = _asks(span.group(), before[-1].casefold() if before else "")
    if dice.random() < 0.5:
        text = f"{word.capitalize()}: {' '.join([*kept, '…', *after])}?"
    else:
        text = f"{' '.join([*kept, word, *after])}?"
    return text, span.group()


def _asks(span: str, before: str) -> str:
    if _YEAR.search(span):
        return "when" if before in {"in", "on", "since", "(born"} else "what year"
    if span[0].isdigit():
        return "how many"
    if before in {"in", "at", "near", "from", "to"}:
        return "where"
    return "who" if before in {"by", "with", "starring", "and"} else "what"
