"""ReAct (Yao et al. 2022): the model thinks, acts, and sees what came of it, step by step.

A thought says what is still missing; an action gets it: `Search[entity]` opens the best document,
`Lookup[keyword]` finds the next sentence with a word in it, `Finish[answer]` ends. Each observation
is a message of its own, so that the conversation only ever grows at its end.

The paper takes what `Finish` says for the answer. Here it only ends the research, and the answer is
given from what was found, with its sources. Of a document only what the search found is known: a
page is those passages, the best one first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import ClassVar

from desktop_rag.core.events import Notice, Step
from desktop_rag.core.language import content_words, scripts
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Passage
from desktop_rag.generation.packing import slice_passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.quotes import Quote, quotes_of
from desktop_rag.generation.worked_examples import fitting_examples
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import (
    Generated,
    Question,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.example_options import examples_option, shown_examples
from desktop_rag.strategies.fallback_search import enough_or_by_question
from desktop_rag.strategies.model_calls import not_everything_fits
from desktop_rag.strategies.query_builder import clean_query

_SENTENCES = 5  # of a document that was found
_TITLES = 5  # of similar documents where it was not
_STEP = GenerationOptions(max_tokens=200, stop=("\nObservation", "\n观察"))
_TWICE = 2
_ROOM = 500  # tokens for a step that must be asked for again
_ACTION = re.compile(r"(?i:\b(search|lookup|finish))\s*[\[【［]([^\[\]【】［］\n]*)[\]】］]")
_LABEL = re.compile(r"(?:thought|action|思考|行动)\s*\d*\s*[:：]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class React:
    """Thoughts, actions and observations in turns."""

    name: ClassVar[str] = "react"
    title: ClassVar[str] = "ReAct"
    paper: ClassVar[str] = "Yao et al. 2022, ReAct, arXiv 2210.03629"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    steps: int = option(7, "Steps", "How many actions it may take.", low=1, high=20)
    k: int = option(5, "Passages a search", "How many passages each search finds.", low=1, high=50)
    most: int = option(
        10, "Passages of the answer", "How many of all passages the answer reads.", low=1, high=50
    )
    examples: int = examples_option("react")

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Think, act and observe until the model finishes; then answer the question."""
        k = question.k or self.k
        prompts = Prompts(question.language)
        examples = shown_examples("react", self.examples, question)
        messages, left_out = _first_messages(question, examples, prompts, tools)
        if left_out:
            yield not_everything_fits(left_out)
        research = _Research(k, prompts, tools, _arguments_shown(messages[0], question))
        for turn in range(1, self.steps + 1):
            if tools.room(messages) < _ROOM:
                yield Notice("The model's context is full: it looks for nothing more.")
                break
            action = yield from research.next_action(messages, turn)
            yield from action.steps()
            observation = yield from research.observation(action, turn)
            if not observation:
                break
            reported = prompts.text("react/observation", number=str(turn), seen=observation)
            messages += [Message("assistant", action.text), Message("user", reported)]
        searches = research.searches
        most = max(self.most, question.k)
        found = yield from enough_or_by_question(searches, most, k, question, tools)
        return (yield from tools.answer(found, "answer/chain_of_thought"))


@dataclass(frozen=True, slots=True)
class Page:
    """The passages of the open document, and how many results of which keyword were read."""

    passages: tuple[Passage, ...] = ()
    keyword: str = ""
    read: int = 0

    def beginning(self) -> Passage:
        """Return the first sentences of the best passage."""
        best = self.passages[0]
        ends = [each.end for each in sentences(best.text)[:_SENTENCES]]
        return slice_passage(best, 0, max(ends, default=0))

    def turned_to(self, keyword: str) -> Page:
        """Return the page one result of a keyword further on, at its first if it is a new one."""
        same = keyword.casefold() == self.keyword
        return replace(self, keyword=keyword.casefold(), read=self.read + 1 if same else 1)

    def results(self) -> list[Quote]:
        """Return the sentences with the keyword, in the order of the document, none twice."""
        in_order = sorted(self.passages, key=lambda each: each.match)
        found = [each for each in quotes_of(in_order) if self.keyword in each.text.casefold()]
        return list({each.text: each for each in found}.values())


def open_document(found: Sequence[Passage], entity: str) -> Page:
    """Return the best document that speaks of an entity; an empty page where none does."""
    best = next((each for each in found if _speaks_of(each, entity)), None)
    if best is None:
        return Page()
    others = (each for each in found if each.document_id == best.document_id and each != best)
    return Page((best, *others))


def titles(found: Sequence[Passage]) -> list[Passage]:
    """Return one passage a document that holds its title only, at most five."""
    by_document = {each.document_id: each for each in reversed(found)}
    best_first = sorted(by_document.values(), key=lambda each: each.rank)[:_TITLES]
    return [replace(each, text=each.title or PurePath(each.path).name) for each in best_first]


def sentence_of(result: Quote) -> Passage:
    """Return a result as the part of its passage that it is."""
    return slice_passage(result.passage, result.start, result.end)


def _speaks_of(passage: Passage, entity: str) -> bool:
    """Tell whether a passage has half of an entity's words; another script can't have them."""
    if not scripts(entity) & scripts(passage.text):
        return True
    wanted = set(content_words(entity))
    words = set(content_words(f"{passage.title} {passage.section} {passage.text}"))
    return 2 * len(wanted & words) >= len(wanted)


@dataclass(frozen=True, slots=True)
class _Action:
    """What the model does: `search`, `lookup`, `finish`, or `nothing` that can be understood."""

    name: str
    argument: str
    thought: str
    text: str

    def steps(self) -> Steps[None]:
        """Show the thought, and the action that follows from it."""
        if self.thought:
            yield Step("thought", self.thought)
        if self.name != "nothing":
            yield Step("decision", f"{self.name.capitalize()}[{self.argument}]")


def _first_messages(
    question: Question, examples: Sequence[str], prompts: Prompts, tools: StrategyTools
) -> tuple[list[Message], tuple[str, ...]]:
    """Return the rules and the question, and what is left out in words.

    What was said before, and examples, are shown only where half the room is left.
    """
    half = tools.room(()) // 2
    before = question.history if tools.room(question.history) > half else ()
    asked = prompts.text(
        "shared/passages_and_question", passages="", question=question.text
    ).strip()

    def fits(told: str) -> bool:
        return tools.room([Message("system", told), *before]) > half

    rules, left_out = fitting_examples(prompts.text("react/rules"), examples, prompts, fits)
    return [Message("system", rules), *before, Message("user", asked)], left_out


def _arguments_shown(rules: Message, question: Question) -> frozenset[str]:
    """Return what is searched for in the rules' examples: done again, it is copied."""
    asked = question.text.casefold()
    shown = (found[2].casefold() for found in _ACTION.finditer(rules.content))
    return frozenset(each for each in shown if each not in asked)


@dataclass(slots=True)
class _Research:
    """What was searched for and found; actions whose argument is one of `shown` are copied ones."""

    k: int
    prompts: Prompts
    tools: StrategyTools
    shown: frozenset[str]
    page: Page = field(default_factory=Page)
    searches: list[Sequence[Passage]] = field(default_factory=list)
    _asked: list[str] = field(default_factory=list)

    def next_action(self, messages: Sequence[Message], turn: int) -> Steps[_Action]:
        """Return the model's next action; one that can't be understood is asked for again once.

        The step's "Thought n:" is written for it, so that it keeps to the form.
        """
        begun = self.prompts.text("react/thought", number=str(turn))
        asked = [*messages, Message("assistant", begun)]
        reply = yield from self.tools.generate(asked, Phrase("step {0}", turn), _STEP)
        reply = replace(reply, text=f"{begun} {reply.text}" if reply.text else "")
        action = _parse_action(reply, self.shown)
        if action.name == "nothing" and reply.reason != "broken":
            replied = [Message("assistant", reply.text)] if reply.text else []
            missing = Message("user", self.prompts.text("react/action_missing"))
            again = [*messages, *replied, missing]
            purpose = Phrase("step {0}, again", turn)
            reply = yield from self.tools.generate(again, purpose, _STEP)
            action = _parse_action(reply, self.shown)
        return action

    def observation(self, action: _Action, turn: int) -> Steps[str]:
        """Do what the model wants, and return what it is shown of it; "" at its end.

        A search that it repeats shows nothing new: that is said once, then it is at its end.
        """
        if action.name == "lookup":
            self.page = self.page.turned_to(action.argument)
            result = self.page.results()[self.page.read - 1 :][:1]
            self.searches.append([each.passage for each in result])
            return _lookup_observation(self.page, self.prompts, self.tools)
        if action.name != "search":
            return ""
        wanted = action.argument.casefold()
        self._asked.append(wanted)
        times = self._asked.count(wanted)
        if times > 1:
            return self.prompts.text("react/searched_already") if times == _TWICE else ""
        found = yield from self.tools.search(action.argument, Phrase("step {0}", turn), self.k)
        self.page = open_document(found, action.argument)
        self.searches.append((*self.page.passages, *found))
        return _search_observation(self.page, found, self.prompts, self.tools)


def _parse_action(reply: Generated, shown: frozenset[str] = frozenset()) -> _Action:
    """Return the first action of a reply that is none of those shown; what is behind is made up."""
    for found in _ACTION.finditer(reply.text):
        thought = clean_query(_LABEL.sub(" ", reply.text[: found.start()]))
        name, argument = found[1].casefold(), clean_query(found[2])
        if name == "finish" or (argument and argument.casefold() not in shown):
            return _Action(name, argument, thought, reply.text[: found.end()])
    return _Action("nothing", "", clean_query(_LABEL.sub(" ", reply.text)), reply.text)


def _search_observation(
    page: Page, found: Sequence[Passage], prompts: Prompts, tools: StrategyTools
) -> str:
    """Return what a search shows: how the best document begins, or what else there is."""
    if page.passages:
        return tools.fenced([page.beginning()])
    return prompts.text("react/similar_titles", titles=tools.fenced(titles(found))).strip()


def _lookup_observation(page: Page, prompts: Prompts, tools: StrategyTools) -> str:
    """Return the next sentence with the keyword, and which of how many it is."""
    results = page.results()
    if page.read > len(results):
        return prompts.text("react/no_more_results")
    shown = tools.fenced([sentence_of(results[page.read - 1])])
    return f"(Result {page.read} / {len(results)})\n{shown}"
