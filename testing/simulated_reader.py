"""A simulated reader: what a language model might say that reads well, without one.

It knows how each question is made up of hops (`question_hops.py`), and reads
(`simulated_thoughts.py`): a hop's answer is said only where what bears it out stands in the prompt.
So strategies are proved to search for the right thing at the right time; how well a real model
writes it does not tell. A blind reader, the control, has only the question's words: what a strategy
gains with it is no gain of reading.

Strategies may ask it in the process, as a `ChatModel`, or through the double of Ollama.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.ollama.turn_continuation import GO_ON
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyEnd, ReplyPiece
from testing import simulated_replies as forms
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.script import Script, shape
from testing.ollama_double.words import count
from testing.question_hops import HopQuestion
from testing.simulated_thoughts import Nature, Thoughts

NAME = "simulated reader"
_CONTEXT = 8192
_FILLED = "\N{REPLACEMENT CHARACTER}"  # stands in a prompt where a text is filled in
_OPEN = "<|end_header_id|>\n\n"  # behind it stands, in a raw prompt, what is to be continued
_VALUES = ("question", "scope", "manner")  # that are filled in

Form = Callable[[Thoughts], Script]


class SimulatedReader:
    """A reply for each request of the double's; the same seed gives the same replies.

    `noise` is how often it errs: misses what it was shown, or names something wrong. `blind` makes
    it the control. Where a temperature is asked for, the same prompt may get another reply.
    """

    def __init__(
        self,
        known: Sequence[HopQuestion],
        *,
        noise: float = 0.0,
        seed: int = 0,
        blind: bool = False,
    ) -> None:
        self._plans = sorted(known, key=lambda plan: -len(plan.question))
        wrong = tuple(sorted({hop.answer for plan in known for hop in plan.hops}))
        self._nature, self._seed = Nature(noise, wrong, blind), seed
        self._sampled = Counter[str]()

    def __call__(self, request: Recorded) -> Script:
        """Say what the rules of a request ask for."""
        raw = str(request.body.get("prompt") or "")
        told = raw or _as_turns("\n".join(each["content"] for each in request.messages))
        plan = next((each for each in self._plans if each.question in told), None)
        if plan is None:
            raise ValueError("a prompt holds none of the questions that are simulated")
        samples = float(request.options.get("temperature") or 0.0) > 0.0
        form = _asked(told, samples=samples)
        said = raw.rpartition(_OPEN)[2] if raw else _said(request)
        self._sampled[told] += samples
        dice = random.Random(f"{self._seed} {self._nature.noise} {self._sampled[told]} {told}")
        return form(Thoughts(plan, self._nature, told, said, dice))


@dataclass(slots=True)
class InProcess:
    """The reader as a model of the engine's: no server, no wire, the same replies."""

    reader: SimulatedReader
    name: str = NAME
    context_tokens: int = _CONTEXT
    parameters: int | None = None
    _lengths: dict[str, int] = field(default_factory=dict)

    def chat(
        self, messages: Sequence[Message], how: GenerationOptions, token: CancelToken
    ) -> Generator[ReplyPiece | ReplyEnd, None, None]:
        """Yield the whole reply in one piece, shaped as a server would."""
        token.check()
        body: dict[str, Any] = {
            "messages": [{"role": each.role, "content": each.content} for each in messages],
            "options": {"temperature": how.temperature, "num_predict": how.max_tokens},
            "format": how.schema,
        }
        body["options"]["stop"] = list(how.stop)
        request = Recorded("POST", "/api/chat", body, {})
        script, reason = shape(self.reader(request), request.options, how.schema)
        pieces = script.pieces()
        paired = ((piece, math.exp(script.logprob(n))) for n, piece in enumerate(pieces))
        yield ReplyPiece("".join(pieces), tuple(paired) if how.logprobs else ())
        yield ReplyEnd(None, len(pieces), reason, 0.0)

    def estimate_tokens(self, text: str) -> int:
        """Return how many tokens a text takes."""
        if text not in self._lengths:
            self._lengths[text] = count(text)
        return self._lengths[text]


def _as_turns(told: str) -> str:
    """Return what a prompt tells as if a beginning stood in the model's own turn."""
    for asked in GO_ON.values():
        told = told.replace(asked, "\n")
    return told


def _said(request: Recorded) -> str:
    """Return what it said before: the beginning that it continues, or its turns of a talk."""
    turns = [each["content"] for each in request.messages if each["role"] == "assistant"]
    begun = [request.prefill] if request.messages[-1]["role"] == "user" else []
    return "\n".join(filter(None, turns + begun))


def _asked(told: str, *, samples: bool) -> Form:
    """Return the form that the rules in a prompt ask for; a `ValueError` for one unknown."""
    asked = [name for name, rules in _rules().items() if rules in told]
    if not asked:
        raise ValueError("a prompt asks for nothing that is simulated")
    if asked[0] == "dsp/first_query" and samples:
        return forms.sampled_query
    return _FORMS[asked[0]]


@cache
def _rules() -> Mapping[str, str]:
    """Return what each form is asked for by: its prompt, up to what is filled in."""
    prompts, filled = Prompts("en"), dict.fromkeys(_VALUES, _FILLED)
    return {name: prompts.text(name, **filled).partition(_FILLED)[0] for name in _FORMS}


_FORMS: Mapping[str, Form] = {
    "iter_retgen/chain_of_thought": forms.draft,
    "ircot/next_sentence": forms.next_sentence,
    "self_ask/rules": forms.follow_up,
    "react/rules": forms.step,
    "dsp/first_query": forms.first_query,
    "dsp/next_query": forms.next_query,
    "flare_direct/look_ahead": forms.guess,
    "flare_instruct/search_marks": forms.search_marks,
    "self_rag/retrieve": forms.retrieve,
    "self_rag/critique": forms.critique,
    "answer/closed_book": forms.closed_book,
    "crag/keywords": forms.keywords,
    "answer/rules": forms.worded,  # last: other rules may stand within an answer's
}
