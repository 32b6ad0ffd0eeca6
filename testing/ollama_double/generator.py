"""What speaks behind the double's protocol: a script, or a language model.

A generator cuts texts into tokens, and replies to a prompt with pieces and their end. What it is
asked for in HTTP and JSON, and how its reply is written there, is the protocol's alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from testing.ollama_double.recorded import Recorded

Tokens = Sequence[Any]
"""A text's tokens: texts of their own, or numbers in a model's vocabulary."""


@dataclass(frozen=True, slots=True)
class HeadersFirst:
    """Lets the headers of a stream go out before its first piece."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A line of a reply: text or thought, and its tokens' log-probabilities as Ollama has them."""

    text: str = ""
    thinking: str = ""
    logprobs: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """The end of a reply: `stop` or `length`, and its counts; None for one that is not told.

    `cached` of the prompt's tokens had been read before. The reply's are all that were sampled:
    what was thought, and the one that ends the turn.
    """

    reason: str
    prompt_tokens: int | None
    reply_tokens: int
    cached: int = 0


Part = HeadersFirst | Piece | End
Reply = Generator[Part, None, None]
"""A reply as it is made; closing it ends the work."""


class GenerationFailed(Exception):
    """The reply is an error; behind a piece it is a line of the stream, whatever its status."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status = status
        self.error = error


class ConnectionCut(Exception):
    """The connection breaks off without a word."""


@dataclass(frozen=True, slots=True)
class FittedPrompt:
    """A prompt that fits the context, as tokens, and how many tokens there is room for behind it.

    `pause` waits for seconds, and raises `ConnectionError` once the client has left. `form` is the
    `format` that the reply is held to. Where the context does not `shift`, the reply ends with it.
    `repeat_penalty` is the server's own, for a request that names none.
    """

    record: Recorded
    tokens: Tokens
    room: int
    pause: Callable[[float], None]
    form: Any = None
    shifts: bool = True
    repeat_penalty: float = 1.1


class TextGenerator(Protocol):
    """Makes replies."""

    def tokenize(self, text: str) -> Tokens:
        """Return a text's tokens."""
        ...

    def detokenize(self, tokens: Tokens) -> str:
        """Return the text of tokens."""
        ...

    def reply(self, prompt: FittedPrompt) -> Reply:
        """Yield the reply to a prompt; a stream that ends without `End` is one.

        Raises `GenerationFailed` and `ConnectionCut`.
        """
        ...
