"""What the simulated reader can say by one prompt: what it reads there, and what it said before.

A hop's answer is said only where what bears it out stands in the prompt, or it was said before;
else the reader hesitates over it, or, at a set rate, names something wrong and is sure of it. A
blind reader, the control, has only the question's words.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from testing.ollama_double.script import Script
from testing.ollama_double.words import tokenize
from testing.question_hops import Hop, HopQuestion

UNKNOWN = "unknown"
SURE, UNSURE = 0.97, 0.3
_DOUBT = " not sure."
_OPENINGS = ("As to ", "So the answer is: ")
_CUT = re.compile(r"(?:^|(?<=\s))(?:As|As to|So|So the|So the answer|So the answer is:)$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, what it is about, and whether the reader is sure of it."""

    text: str
    about: str = ""
    is_sure: bool = True

    def script(self, begun: str = "") -> Script:
        """Return what is to be said of it behind its beginning, each token with its probability."""
        rest = self.text.removeprefix(begun)
        sure = rest if self.is_sure else rest.removesuffix(_DOUBT)
        tokens, doubted = tokenize(sure), tokenize(rest[len(sure) :])
        probabilities = (*(SURE for _ in tokens), *(UNSURE for _ in doubted))
        return Script(rest, tokens=(*tokens, *doubted), probabilities=probabilities)


@dataclass(frozen=True, slots=True)
class Nature:
    """What kind of reader it is: how often it errs, what wrong things it names, if it is blind."""

    noise: float = 0.0
    wrong: tuple[str, ...] = ()
    blind: bool = False


@dataclass(frozen=True, slots=True)
class Thoughts:
    """A prompt about a question, what was said before it, and the dice that tell when one errs."""

    plan: HopQuestion
    nature: Nature
    told: str
    said: str
    dice: random.Random

    def chain(self) -> Iterator[Sentence]:
        """Yield the sentences to come: each hop that can be asked by now, then the answer."""
        thoughts = self
        for hop in self.plan.hops:
            about = thoughts.about(hop)
            if not about or thoughts.answer_to(hop) != UNKNOWN:
                continue
            sentence = thoughts.of(hop, about)
            if sentence.text not in thoughts.said:
                yield sentence
                thoughts = thoughts.having_said(sentence.text)
        if "the answer is" not in thoughts.said:
            yield Sentence(f"So the answer is: {thoughts.answer}.")

    @property
    def answer(self) -> str:
        """The question's answer as it was said, right or wrong."""
        return self.answer_to(self.plan.hops[-1])

    def waiting(self) -> list[str]:
        """Return what can be asked by now of the hops that were not answered."""
        asked = [self.about(hop) for hop in self.plan.hops if self.answer_to(hop) == UNKNOWN]
        return list(dict.fromkeys(filter(None, asked)))

    def about(self, hop: Hop) -> str:
        """Return what a hop asks, with the answers said before it; "" while one is missing.

        The control has no more than the whole question to ask.
        """
        if self.nature.blind:
            return self.plan.question  # as it stands: without its mark, other passages are found
        answers = [""] * len(self.plan.hops)
        for place in hop.earlier:
            answers[place] = self.answer_to(self.plan.hops[place])
        missing = any(answers[place] == UNKNOWN for place in hop.earlier)
        return "" if missing else hop.about(answers)

    def answer_to(self, hop: Hop) -> str:
        """Return the answer that was given to a hop, right or wrong."""
        about = self.about(hop)
        opening = f"As to {about}, it is "
        if not about or opening not in self.said:
            return UNKNOWN
        names = (hop.answer, *self.nature.wrong)
        said = (name for name in names if f"{opening}{name}." in self.said)
        return next(said, UNKNOWN)

    def follow(self, about: str) -> Sentence:
        """Return what is said of the hop that a text asks for."""
        asked = (hop for hop in self.plan.hops if self.about(hop).rstrip("?") == about.rstrip("?"))
        return next((self.of(hop, about) for hop in asked), Sentence("Unknown."))

    def read(self) -> list[Sentence]:
        """Return what the next sentences say that the reader is sure of, the last one left out."""
        return [each for each in self.chain() if each.is_sure and each.about]

    def onward(self) -> Script:
        """Return the rest of what is to be said, from the middle of a sentence where it stops."""
        begun = self._begun()
        before = replace(self, said=self.said.removesuffix(begun))
        first = next(before.chain(), Sentence(""))
        if not first.text.startswith(begun):  # what was begun otherwise is ended that way
            first = next(each for each in before.possible() if each.text.startswith(begun))
        rest = before.having_said(first.text).chain() if first.text else ()
        return together([first.script(begun), *(each.script() for each in rest)])

    def possible(self) -> Iterator[Sentence]:
        """Yield every sentence that could be said by now."""
        for hop in self.plan.hops:
            about = self.about(hop)
            for name in (hop.answer, *self.nature.wrong) if about else ():
                yield Sentence(f"As to {about}, it is {name}.", about)
            if about:
                yield _hesitation(about)
        for name in (self.plan.answer, *self.nature.wrong, UNKNOWN):
            yield Sentence(f"So the answer is: {name}.")

    def knows(self, hop: Hop) -> bool:
        """Tell whether the prompt shows a hop's answer to a reader who sees."""
        return not self.nature.blind and hop.stands_in(self.told)

    def errs(self) -> bool:
        """Throw the dice: whether it misses what it was shown, or names something wrong."""
        return self.dice.random() < self.nature.noise and not self.nature.blind

    def of(self, hop: Hop, about: str) -> Sentence:
        """Return what is said of a hop: right, wrong, or that it is not known."""
        errs, knows = self.errs(), self.knows(hop)
        if errs == knows:
            return _hesitation(about)
        name = hop.answer if knows else self.made_up()
        return Sentence(f"As to {about}, it is {name}.", about)

    def made_up(self) -> str:
        """Return a name that has nothing to do with the question."""
        return self.dice.choice(self._wrong())

    def _wrong(self) -> list[str]:
        """Return what may be named instead: nothing that has to do with this question."""
        own = {hop.answer for hop in self.plan.hops}
        return [each for each in self.nature.wrong if each not in own]

    def having_said(self, text: str) -> Thoughts:
        """Return the thoughts of one who has said one more sentence."""
        return replace(self, said=f"{self.said} {text}".strip())

    def _begun(self) -> str:
        """Return the sentence in the middle of which what was said stops, "" for none."""
        at = max(self.said.rfind(f" {each}") + 1 for each in _OPENINGS)
        cut = _CUT.search(self.said)
        tail = self.said[cut.start() if cut else at :]
        before = replace(self, said=self.said.removesuffix(tail))
        told = [each.text for each in before.possible()]
        if not tail or tail in told:
            return ""
        return tail if any(each.startswith(tail) for each in told) else ""


def together(said: Iterable[Script]) -> Script:
    """Return several sentences as one reply, each token with its probability."""
    tokens: list[str] = []
    probabilities: list[float] = []
    for script in said:
        if tokens and script.tokens:
            tokens.append(" ")
            probabilities.append(SURE)
        tokens += script.tokens
        probabilities += script.probabilities
    return Script("".join(tokens), tokens=tuple(tokens), probabilities=tuple(probabilities))


def _hesitation(about: str) -> Sentence:
    return Sentence(f"As to {about}, I am{_DOUBT}", about, is_sure=False)
