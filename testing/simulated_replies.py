"""What the simulated reader writes where a strategy asks for more than sentences.

Each form is a function of its thoughts: queries, marks in a text, steps with actions, judgements.
What it asks for is always a hop that can be asked by what was said; it never looks anything up that
it was not shown, and names nothing in a query that it did not name before.
"""

from __future__ import annotations

import json

from desktop_rag.generation.prompts import Prompts
from testing.ollama_double.script import Script
from testing.ollama_double.words import tokenize
from testing.question_hops import Hop
from testing.simulated_thoughts import SURE, UNKNOWN, UNSURE, Thoughts, together

_KEYWORDS = 8  # words at most, as the prompt asks
_WRITTEN = "\n\nWritten:"  # behind it stands, in a judge's prompt, what is judged
_REFUSES = 0.3  # how often it does not guess, though it was asked to
IGNORANCE = "I do not know the answer."


def draft(thoughts: Thoughts) -> Script:
    """Return a whole chain of thought."""
    return Script(" ".join(each.text for each in thoughts.chain()))


def next_sentence(thoughts: Thoughts) -> Script:
    """Return the next sentence of a chain of thought."""
    return next((each.script() for each in thoughts.chain()), Script(""))


def follow_up(thoughts: Thoughts) -> Script:
    """Return the next turn of Self-Ask: a follow-up question, or the last one's answer."""
    if thoughts.said.endswith("Intermediate answer:"):
        asked = thoughts.said.rpartition("Follow up:")[2].partition("?\nIntermediate")[0].strip()
        return thoughts.follow(asked).script()
    begun = "" if "Yes." in thoughts.said else " Yes."
    open_ones = (each.rstrip("?") for each in thoughts.waiting())
    waiting = [each for each in open_ones if f"{each}?" not in thoughts.said]
    if waiting:
        return Script(f"{begun}\nFollow up: {waiting[0]}?")
    return Script(f"{begun}\nSo the final answer is: {thoughts.answer}.")


def closed_book(thoughts: Thoughts) -> Script:
    """Return what is said without passages: nothing is known, but some of it is made up."""
    made_up = [each.text for each in thoughts.read()]
    return Script(" ".join(made_up) or IGNORANCE)


def guess(thoughts: Thoughts) -> Script:
    """Return a sentence made up without passages, unsure of the name in it, or that it can't.

    What was said before is all that it knows; one that errs is sure of what it makes up.
    """
    waiting = thoughts.waiting()
    if not waiting:
        return Script(f"So the answer is: {thoughts.answer}.", probabilities=(SURE,))
    if thoughts.dice.random() < _REFUSES:
        return Script(IGNORANCE, probabilities=(SURE,))
    opening, name = f"As to {waiting[0]}, it is", f" {thoughts.made_up()}"
    how_sure = SURE if thoughts.errs() else UNSURE
    before, named = tokenize(opening), tokenize(name)
    return Script(
        f"{opening}{name}.",
        tokens=(*before, *named, "."),
        probabilities=(*(SURE for _ in before), *(how_sure for _ in named), SURE),
    )


def worded(thoughts: Thoughts) -> Script:
    """Return an answer from passages: a refusal where the rules ask for one, else what they say.

    It refuses before anything is said, where no passage bears out a hop that can be asked.
    """
    can_be_asked = [hop for hop in thoughts.plan.hops if thoughts.about(hop)]
    refusal = Prompts("en").not_found
    asks_for_it = refusal in thoughts.told and not thoughts.said and not thoughts.nature.blind
    if asks_for_it and not any(map(thoughts.knows, can_be_asked)):
        return Script(refusal, probabilities=(SURE,))
    return thoughts.onward()


def search_marks(thoughts: Thoughts) -> Script:
    """Return sentences up to the first that it is not sure of: there it asks for a search."""
    said: list[Script] = []
    for sentence in thoughts.chain():
        if not sentence.is_sure:
            said.append(Script(mark := f"[Search({sentence.about})]", tokens=(mark,)))
            break
        said.append(sentence.script())
    return together(said)


def step(thoughts: Thoughts) -> Script:
    """Return a thought and an action of ReAct.

    It searches once for each hop that it was not shown, and says of it then what it can. It never
    looks a word up: the sentence with a word in it is asked for by one who knows the sentence.
    """
    turn = thoughts.said.count("Action ") + 1
    told: list[str] = []
    for hop in thoughts.plan.hops:
        about = thoughts.about(hop)
        if not about or f"As to {about}, " in thoughts.said:
            continue
        if not thoughts.knows(hop) and f"Search[{about}]" not in thoughts.said:
            told.append(f"I need to find {about}.")
            return _acted(turn, told, f"Search[{about}]")
        told.append(thoughts.of(hop, about).text)
        thoughts = thoughts.having_said(told[-1])
    return _acted(turn, told or ["That is all."], f"Finish[{thoughts.answer}]")


def _acted(turn: int, told: list[str], action: str) -> Script:
    return Script(f"Thought {turn}: {' '.join(told)}\nAction {turn}: {action}")


def first_query(thoughts: Thoughts) -> Script:
    """Return DSP's first query: the first hop that can be asked; a sampled one any of those."""
    return Script(thoughts.waiting()[0])


def sampled_query(thoughts: Thoughts) -> Script:
    """Return one of the queries that may come first."""
    return Script(thoughts.dice.choice(thoughts.waiting()))


def next_query(thoughts: Thoughts) -> Script:
    """Return what DSP's passages tell, and a query for the first hop that they do not."""
    chain = list(thoughts.chain())
    clues = [each.text for each in chain if each.is_sure and each.about]
    missing = (each.about for each in chain if not each.is_sure)
    query = next(missing, thoughts.plan.question)
    return Script(f"Rationale: {' '.join(clues) or 'Nothing yet.'}\nSearch query: {query}")


def keywords(thoughts: Thoughts) -> Script:
    """Return the words of what can be asked before anything is read."""
    words = " ".join(thoughts.waiting()).replace(",", " ").split()
    return Script(" ".join(list(dict.fromkeys(words))[:_KEYWORDS]))


def retrieve(thoughts: Thoughts) -> Script:
    """Return Self-RAG's decision: whether a hop was not answered by what is written."""
    written = judged(thoughts)
    return Script(json.dumps({"retrieve": written.answer == UNKNOWN}))


def critique(thoughts: Thoughts) -> Script:
    """Return what Self-RAG's critic finds: whether it would say the same of this passage itself.

    A passage is of use if it bears out the hop that the sentence is about, or one that can be asked
    before anything is known. The control cannot tell.
    """
    if thoughts.nature.blind:
        return _judgement(relevant=True, support="partly", useful=3)
    written = thoughts.told.rpartition(_WRITTEN)[2].strip()
    hops = thoughts.plan.hops
    answers = [hop.answer for hop in hops]
    meant = [hop for hop in hops if _stated(hop, answers) == written]
    if written == f"So the answer is: {thoughts.plan.answer}.":
        meant = [hops[-1]]
    errs = thoughts.errs()
    is_so = any(map(thoughts.knows, meant)) and not errs
    at_hand = [hop for hop in hops if not hop.earlier or hop in meant]
    useful = (5 if meant == [hops[-1]] else 4) if is_so else 2
    return _judgement(
        relevant=any(map(thoughts.knows, at_hand)) and not errs,
        support="fully" if is_so else "not",
        useful=useful,
    )


def judged(thoughts: Thoughts) -> Thoughts:
    """Return the thoughts of one who reads what was written as what was said."""
    written = thoughts.told.rpartition(_WRITTEN)[2].strip()
    return Thoughts(thoughts.plan, thoughts.nature, thoughts.told, written, thoughts.dice)


def _stated(hop: Hop, answers: list[str]) -> str:
    return f"As to {hop.about(answers)}, it is {hop.answer}."


def _judgement(*, relevant: bool, support: str, useful: int) -> Script:
    return Script(json.dumps({"relevant": relevant, "support": support, "useful": useful}))
