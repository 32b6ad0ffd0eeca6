"""The four abilities of RGB (Chen et al. 2024) as cases made of the user's own test questions.

Each case is a question with five passages that are put before the model, whatever a search would
find: one with noise, noise alone, two questions in one, and one beside which a passage has been
altered to say something else. RGB lets a model notice errors by what it knows itself; of private
documents it knows nothing, so that here the unaltered passage must prevail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.types import ChunkId, DocumentId, Locator, LocatorKind, Passage
from desktop_rag.evaluation.answer_metrics import tokens
from desktop_rag.generation.refusal import says_not_found

SHOWN = 5
"""The passages of a case."""

NOISE, REJECTION = "noise_robustness", "negative_rejection"
INTEGRATION, COUNTERFACTUAL = "information_integration", "counterfactual_robustness"
ABILITIES = (NOISE, REJECTION, INTEGRATION, COUNTERFACTUAL)


@dataclass(frozen=True, slots=True)
class RgbQuestion:
    """A question, by its id, with its answers and the passage that holds one of them."""

    id: str
    question: str
    answers: tuple[str, ...]
    passage: Passage

    @property
    def stated(self) -> str:
        """The answer as the passage words it, "" where it does so in other words."""
        return next((each for each in self.answers if each and each in self.passage.text), "")


@dataclass(frozen=True, slots=True)
class RgbCase:
    """What is asked over which passages; `wanted` holds what must be said, none: a refusal.

    `made_of` is the id of the question that it was made of: each ability has one case of it.
    """

    made_of: str
    ability: str
    question: str
    passages: tuple[Passage, ...]
    wanted: tuple[tuple[str, ...], ...]

    def is_met(self, said: str) -> bool:
        """Return whether a reply is right: for each question it holds one of the answers."""
        if not self.wanted:
            return says_not_found(said)
        words = f" {' '.join(tokens(said))} "
        return all(any(_holds(words, each) for each in answers) for answers in self.wanted)


def cases(known: Sequence[RgbQuestion]) -> Iterator[RgbCase]:
    """Yield the cases of each ability that questions allow; the other questions are their noise."""
    for at, one in enumerate(known):
        noise = _noise(known, at)
        following = known[(at + 1) % len(known)]
        yield RgbCase(one.id, NOISE, one.question, _mixed(noise, one.passage), (one.answers,))
        if noise:
            yield RgbCase(one.id, REJECTION, one.question, tuple(noise[:SHOWN]), ())
        if following is not one:
            both = f"{one.question} {following.question}"
            two = _mixed(_noise(known, at, following), one.passage, following.passage)
            yield RgbCase(one.id, INTEGRATION, both, two, (one.answers, following.answers))
        other = next((each.stated for each in known if _differs(each, one)), "")
        if one.stated and other:
            altered = one.passage.text.replace(one.stated, other)
            false = replace(one.passage, chunk_id=ChunkId(-1), text=altered)
            shown = _mixed(noise, one.passage, false)
            yield RgbCase(one.id, COUNTERFACTUAL, one.question, shown, (one.answers,))


def passage_of(number: int, path: str, text: str) -> Passage:
    """Return a text as a passage that is put before a model."""
    place = Locator(LocatorKind.PART, "", 0, len(text))
    title = path.replace("\\", "/").rpartition("/")[2]
    chunk, document = ChunkId(number), DocumentId(number)
    return Passage(number, chunk, document, path, place, title, "", text, (0, len(text)), 0.0)


def _noise(
    known: Sequence[RgbQuestion], at: int, besides: RgbQuestion | None = None
) -> list[Passage]:
    """Return passages of other questions, each once, that do not hold this one's answer.

    Where it stands in other words nobody can tell, but two questions may be about one passage.
    """
    one = known[at]
    seen = [each.passage.text for each in (one, besides) if each is not None]
    wanted = [f" {' '.join(tokens(each))} " for each in one.answers]
    found = []
    for each in (*known[at + 1 :], *known[:at]):
        words = f" {' '.join(tokens(each.passage.text))} "
        if not _is_of(each.passage.text, seen) and not any(answer in words for answer in wanted):
            seen.append(each.passage.text)
            found.append(each.passage)
    return found


def _mixed(noise: Sequence[Passage], *good: Passage) -> tuple[Passage, ...]:
    """Put what is needed behind noise: that is where it is hardest to keep in view."""
    needed = {each.text: each for each in good}.values()
    return (*noise[: SHOWN - len(needed)], *needed)


def _is_of(text: str, others: Sequence[str]) -> bool:
    """Return whether a text is one of others, or the one is a part of the other."""
    return any(text in each or each in text for each in others)


def _differs(each: RgbQuestion, one: RgbQuestion) -> bool:
    return bool(each.stated) and each.stated not in one.passage.text and each is not one


def _holds(words: str, answer: str) -> bool:
    wanted = " ".join(tokens(answer))
    return bool(wanted) and f" {wanted} " in words
