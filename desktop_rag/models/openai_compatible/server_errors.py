"""What can go wrong with a server of OpenAI's protocol, as a sentence and a remedy."""

from __future__ import annotations

import json
import re

import httpx

from desktop_rag.core.errors import ModelUnavailable, WithoutProbabilities
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.unicode import valid_text
from desktop_rag.models.ollama.address import remote_blocked
from desktop_rag.models.ollama.server_errors import (
    ConnectionDropped,
    ContextExceeded,
    ServerSilent,
    StreamInterrupted,
    was_blocked,
)

_SHOWN = 300  # characters of the server's own words
_READ = 2000  # characters of them that are looked through


class OtherServerSilent(ServerSilent):
    """Nothing answers where another server than Ollama was."""


class NotCompatible(ModelUnavailable):
    """What answers does not speak OpenAI's protocol."""


class OllamaAnswers(ModelUnavailable):
    """What answers is an Ollama, of which more has to be known than this protocol tells."""


class FieldRefused(ModelUnavailable):
    """The server refuses a part of the request; `text` is what it says of it."""

    def __init__(self, what: str, remedy: str, text: str) -> None:
        super().__init__(what, remedy)
        self.text = text


def server_error(
    error: Exception, url: str, model: str, *, began: bool = False
) -> ModelUnavailable:
    """Return what to tell the user about an error of the client's."""
    if was_blocked(error):
        return remote_blocked(url)
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, ConnectionError)):
        return server_silent(url)
    if isinstance(error, TimeoutError):
        return ModelUnavailable(
            Phrase("The server at {0} takes too long to answer.", url),
            "Wait until it is less busy, or start it again.",
            retryable=True,
        )
    if isinstance(error, httpx.TransportError):
        return stream_interrupted() if began else connection_dropped(url)
    return malformed_reply(url) if model else not_compatible(url)


def server_silent(url: str) -> OtherServerSilent:
    """Return the error of a server that is not there."""
    return OtherServerSilent(
        Phrase("No language model server answers at {0}.", url),
        "Start it (in LM Studio: Developer, Start server), then try again.",
        retryable=True,
    )


def connection_dropped(url: str) -> ModelUnavailable:
    """Return the error of a connection that was taken, and ended before a word came."""
    return ConnectionDropped(
        Phrase("What listens at {0} hangs up without an answer.", url),
        "See that the language model server itself runs there, then try again.",
        retryable=True,
    )


def stream_interrupted() -> ModelUnavailable:
    """Return the error of a stream that ended too soon."""
    return StreamInterrupted(
        "The language model server broke off in the middle of its answer.",
        "Try again; if it happens again, choose a smaller model or a shorter context length.",
        retryable=True,
    )


def not_compatible(url: str) -> ModelUnavailable:
    """Return the error of a server that speaks something else."""
    return NotCompatible(
        Phrase(
            "What answers at {0} is neither Ollama nor a server that speaks OpenAI's protocol.", url
        ),
        "Check the address in the settings: LM Studio listens at 127.0.0.1:1234, llama.cpp at "
        "127.0.0.1:8080, vLLM at 127.0.0.1:8000.",
    )


def ollama_answers(url: str) -> ModelUnavailable:
    """Return the error of an Ollama that did not tell its version, or took another's place."""
    return OllamaAnswers(
        Phrase("Ollama at {0} did not say what it is.", url),
        "Try again in a moment; if it happens again, start Ollama again, and update it.",
        retryable=True,
    )


def malformed_reply(url: str) -> ModelUnavailable:
    """Return the error of a server that answers too much, or out of form."""
    return ModelUnavailable(
        Phrase(
            "The server at {0} answers oddly: its reply is too long or not in its usual form.", url
        ),
        "Start it again, and update it; see in the settings that its address is right.",
        retryable=True,
    )


def needs_key(url: str) -> ModelUnavailable:
    """Return the error of a server that wants a key."""
    return ModelUnavailable(
        Phrase("The server at {0} wants a key, and Desktop RAG sends none.", url),
        "Start it without a key (LM Studio: switch “Require authentication” off; llama.cpp and "
        "vLLM: leave --api-key out).",
    )


def no_model_loaded(_model: str = "", _text: str = "") -> ModelUnavailable:
    """Return the error of a server without a model."""
    return ModelUnavailable(
        "The server runs, and no model is loaded in it.",
        "Load a model there, then try again.",
        retryable=True,
    )


def model_missing(model: str, _text: str = "") -> ModelUnavailable:
    """Return the error of a model that the server does not have."""
    return ModelUnavailable(
        Phrase("The server has no model {0}.", model), "Load it there, or choose another model."
    )


def without_probabilities(_model: str = "", _text: str = "") -> ModelUnavailable:
    """Return the error of a server that was asked for token probabilities and gives none."""
    return WithoutProbabilities(
        "This server does not tell how sure the model is of each token, which this strategy needs.",
        "Choose another strategy, or let llama.cpp, vLLM or Ollama serve the model.",
    )


def reported(text: str, status: int, url: str, model: str = "") -> ModelUnavailable:
    """Return the error that the server itself reports; `text` is what it sent."""
    words = _inner_words(valid_text(text[:_READ]))
    if words.lstrip().startswith("<") or _ELSEWHERE.search(words):  # a page for people
        return not_compatible(url)
    if status in (401, 403):
        return needs_key(url)
    for sign, make in _SIGNS:
        if (model or make in _NAMELESS) and sign.search(words):
            return make(model, _first_words(words))
    if status in (429, 503):
        return _busy()
    what = Phrase("The server reports an error: {0}.", _first_words(words) or status)
    if status in (400, 422):
        return FieldRefused(what, "Try again, or look into the server's log.", words)
    if 300 <= status < 500 and status not in (408, 499):
        return not_compatible(url)
    return ModelUnavailable(what, "Try again, or look into the server's log.", retryable=True)


def _too_long(model: str, _text: str) -> ModelUnavailable:
    return ContextExceeded(
        Phrase("The text is longer than {0} can take in.", model),
        "Use fewer or shorter passages, or load the model with a longer context in its server.",
    )


def _loading(model: str, _text: str) -> ModelUnavailable:
    told = Phrase("The server is still loading the model {0}.", model)
    return ModelUnavailable(
        told if model else "The server is still loading its model.",
        "Try again in a moment.",
        retryable=True,
    )


def _no_memory(model: str, text: str) -> ModelUnavailable:
    return ModelUnavailable(
        Phrase("There is not enough memory for {0}: {1}.", model, text),
        "Choose a smaller model or a shorter context length, or close other programs.",
    )


def _busy() -> ModelUnavailable:
    return ModelUnavailable(
        "The server is busy with other requests.", "Try again in a moment.", retryable=True
    )


def _inner_words(text: str) -> str:
    """Return what an error says: `{"error": {"message": …}}`, or a text at one of those places."""
    try:
        told = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return text
    for name in ("error", "message", "detail"):
        if isinstance(told, dict) and told.get(name):
            told = told[name]
    return told if isinstance(told, str) else text


def _first_words(text: str) -> str:
    return sanitize_name(" ".join(text.split()))[:_SHOWN].rstrip(". ")


_NAMELESS = (_loading, no_model_loaded, without_probabilities)  # told of no certain model as well
# What LM Studio answers, with status 200, where it has no such path.
_ELSEWHERE = re.compile(r"unexpected endpoint", re.IGNORECASE)
# What the servers' own words mean, the first that fits.
_SIGNS = tuple(
    (re.compile(sign, re.IGNORECASE), make)
    for sign, make in (
        (r"context.?(size|length|window|overflow)|exceeds? .*context|too many tokens", _too_long),
        (r"loading model|model is loading", _loading),
        (r"no models? (are |is )?(currently )?loaded|load a model", no_model_loaded),
        (r"invalid model identifier|model .*(not found|not exist|not loaded)", model_missing),
        (r"logprobs", without_probabilities),
        (r"out.of.memory|cudamalloc|insufficient (system )?(memory|resources)", _no_memory),
    )
)
