"""A half-written answer continued, in the first of several ways that does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from desktop_rag.core.phrases import Phrase
from desktop_rag.models.ollama.completion_prompt import CompletionPrompt
from desktop_rag.models.ollama.continuation_joiner import ContinuationJoiner, ReplyRestarted
from desktop_rag.models.ollama.reply_reading import ReplyStream
from desktop_rag.models.protocols import Message, ReplyPiece

GO_ON = {
    False: "\n\nYour answer begins with the text below. Write only what comes after it, from the "
    "next word on.\n\n",
    True: "\n\n你的回答以下面的文字开头。只写紧接其后的内容，不要重复这段文字。\n\n",
}
"""What is asked in the user's turn where a beginning can't be given in the model's own: for a text
in Chinese or Japanese (True), and for any other (False)."""

_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


class TurnContinuation:
    """Continues the answers of one model.

    `way` tells how the last one was, see `OllamaChat`; `starts_over` that the model has written a
    beginning anew where it was to go on.
    """

    def __init__(self, model: str) -> None:
        self.way = ""
        self.starts_over = False
        self._model = model

    def replies(
        self,
        beginning: str,
        ways: Iterable[tuple[str, CompletionPrompt]],
        run: Callable[[CompletionPrompt], ReplyStream],
    ) -> ReplyStream:
        """Yield what comes after a beginning, in the first way in which the model goes on."""
        for way, prompt in ways:
            self.way = way
            seam = ContinuationJoiner(beginning, strict=way not in ("asked", "turn"))
            try:
                yield from self._joined(seam, run(prompt))
            except ReplyRestarted:
                self.starts_over = True
                continue
            return

    def _joined(self, seam: ContinuationJoiner, reply: ReplyStream) -> ReplyStream:
        for each in reply:
            if isinstance(each, ReplyPiece):
                yield from seam.feed(each)
                continue
            yield from seam.end()
            if seam.repeated:
                self.way = "repeated"
            yield replace(each, notices=(*each.notices, *self._told_way()))

    def _told_way(self) -> tuple[str, ...]:
        """Return what the user should know about how the answer was continued."""
        if self.way != "asked":
            return ()
        told = Phrase(
            "{0} starts half-written answers over, so it was asked in words to go on; "
            "strategies that continue their own text work better with another model.",
            self._model,
        )
        return (told,)


def in_users_turn(messages: tuple[Message, ...]) -> CompletionPrompt:
    """Return a prompt that asks in the user's turn for what comes after a beginning."""
    *before, beginning = messages
    told = GO_ON[bool(_WIDE.search(beginning.content))] + beginning.content
    if before and before[-1].role == "user":
        told = before.pop().content + told
    return CompletionPrompt((*before, Message("user", told.lstrip())))
