"""What can go wrong with Ollama, as a sentence and a remedy."""

from __future__ import annotations

import json
import re

import httpx

from desktop_rag.core.connection_audit import Blocked
from desktop_rag.core.errors import ModelUnavailable, NotAllowed, WithoutProbabilities
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.unicode import valid_text
from desktop_rag.models.ollama.address import remote_blocked

_SHOWN = 300  # characters of the server's own words
_READ = 2000  # characters of them that are looked through


class ThinkingRefused(ModelUnavailable):
    """The model does not know the `think` option."""


class StreamInterrupted(ModelUnavailable):
    """A stream ended too soon."""


class ServerSilent(ModelUnavailable):
    """Nothing answers at Ollama's address."""


class ConnectionDropped(ServerSilent):
    """Something takes the connection at Ollama's address, and ends it without a word."""


class NotOllama(ModelUnavailable):
    """What answers is surely something else than Ollama."""


class ContextExceeded(ModelUnavailable):
    """A text does not fit the model's context."""


def server_error(
    error: Exception, url: str, model: str, *, began: bool = False
) -> ModelUnavailable:
    """Return what to tell the user about an error of the client's.

    `began` says whether a part of the answer had come by then. Who was asked for a model by its
    name has listed it before, so it is Ollama, if an odd one.
    """
    from ollama import ResponseError

    if isinstance(error, ResponseError):
        return _reported(error.error, error.status_code, url, model)
    if was_blocked(error):
        return remote_blocked(url)
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, ConnectionError)):
        return server_silent(url)
    if isinstance(error, TimeoutError):
        return ModelUnavailable(
            Phrase("Ollama at {0} takes too long to answer.", url),
            "Wait until it is less busy, or start it again.",
            retryable=True,
        )
    if isinstance(error, httpx.TransportError):
        return stream_interrupted() if began else connection_dropped(url)
    return malformed_reply(url) if model else not_ollama(url)


def was_blocked(error: BaseException | None) -> bool:
    """Say whether an error comes from the switch; clients wrap it, and gather several in one."""
    if error is None or isinstance(error, Blocked):
        return error is not None
    within = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return any(was_blocked(each) for each in (*within, error.__cause__ or error.__context__))


def server_silent(url: str) -> ModelUnavailable:
    """Return the error of a server that is not there."""
    return ServerSilent(
        Phrase("Ollama does not answer at {0}.", url),
        "Start Ollama (or install it from ollama.com), then try again.",
        retryable=True,
    )


def connection_dropped(url: str) -> ModelUnavailable:
    """Return the error of a connection that was taken, and ended before a word came.

    So does the port of a container or of a tunnel behind which nothing runs, or a proxy.
    """
    return ConnectionDropped(
        Phrase("What listens at {0} hangs up without an answer.", url),
        "See that Ollama itself runs there (a container's or a tunnel's port answers without it), "
        "then try again.",
        retryable=True,
    )


def stream_interrupted() -> ModelUnavailable:
    """Return the error of a stream that ended too soon."""
    return StreamInterrupted(
        "Ollama broke off in the middle of its answer.",
        "Try again; if it happens again, choose a smaller model or a shorter context length.",
        retryable=True,
    )


def download_broke_off(model: str) -> ModelUnavailable:
    """Return the error of a download that ended too soon."""
    return ModelUnavailable(
        Phrase("The download of {0} broke off.", model),
        "See that Ollama runs, and fetch it again: it goes on where it stopped.",
        retryable=True,
    )


def not_ollama(url: str, kind: type[ModelUnavailable] = ModelUnavailable) -> ModelUnavailable:
    """Return the error of a server that speaks something else; `NotOllama` where that is sure."""
    return kind(
        Phrase("What answers at {0} is not Ollama, or one that is too old.", url),
        "Check Ollama's address in the settings, and update Ollama.",
    )


def malformed_reply(url: str) -> ModelUnavailable:
    """Return the error of a server that answers as Ollama never does: too much, or out of form."""
    return ModelUnavailable(
        Phrase("Ollama at {0} answers oddly: its reply is too long or not in its usual form.", url),
        "Start Ollama again, and update it; see in the settings that its address is right.",
        retryable=True,
    )


def answered_elsewhere(place: str, model: str) -> NotAllowed:
    """Return the error of a reply that was made elsewhere, though the list said otherwise."""
    return NotAllowed(
        Phrase(
            "Ollama passed the question on to {0}, though its list has {1} on this computer.",
            place,
            model,
        ),
        "Switch Ollama's cloud off (OLLAMA_NO_CLOUD=1 where it is started), or choose another "
        "model.",
    )


def endless_reply_notice(most: int) -> str:
    """Return what is told of an answer that was cut because it did not end."""
    return Phrase(
        "The model did not stop writing, so the answer was cut after {0} characters. Ask "
        "again, or choose another model.",
        f"{most:,}",
    )


def repetition_notice() -> str:
    """Return what is told of an answer that Ollama ended because it did not get on."""
    return (
        "The model repeated itself without end, so Ollama stopped it. Ask again, or choose another "
        "model."
    )


def without_probabilities() -> ModelUnavailable:
    """Return the error of a server that was asked for token probabilities and gave none."""
    return WithoutProbabilities(
        "This Ollama does not tell how sure the model is of each token, which this strategy needs.",
        "Update Ollama to 0.12.11 or newer, or choose another strategy.",
    )


def _reported(told: object, status: int, url: str, model: str) -> ModelUnavailable:
    """Return the error that the server itself reported; `status` is -1 inside a stream."""
    text = _inner_words(valid_text(str(told)[:_READ]))
    if text.lstrip().startswith("<"):  # a page for people
        return not_ollama(url)
    for sign, make in _SIGNS:
        if sign.search(text):
            return make(model or "asked for", _first_words(text))
    if status == 503:
        return _busy(model, text)
    if status == 429:
        return _limited(model, text)
    if 300 <= status < 500 and status not in (400, 408, 499):
        return not_ollama(url)
    return ModelUnavailable(
        Phrase("Ollama reports an error: {0}.", _first_words(text)),
        "Try again, or look into Ollama's log.",
        retryable=status >= 500 or status < 0 or status in (408, 499),
    )


def model_missing(model: str, _text: str = "") -> ModelUnavailable:
    """Return the error of a model that is not installed."""
    return ModelUnavailable(
        Phrase("The model {0} is not installed in Ollama.", model),
        Phrase("Run `ollama pull {0}`, or choose another model.", model),
    )


def _unknown(model: str, _text: str) -> ModelUnavailable:
    return ModelUnavailable(
        Phrase("Ollama's library has no model {0}.", model),
        "Check the name at ollama.com/library.",
    )


def _thoughtless(model: str, _text: str) -> ModelUnavailable:
    return ThinkingRefused(Phrase("{0} cannot think.", model), "Turn thinking off in the settings.")


def _too_long(model: str, _text: str) -> ModelUnavailable:
    return ContextExceeded(
        Phrase("The text is longer than {0} can take in.", model),
        "Use fewer or shorter passages, or raise the context length in the settings.",
    )


def _unable(model: str, text: str) -> ModelUnavailable:
    return ModelUnavailable(
        Phrase("The model {0} cannot do this: {1}.", model, text), "Choose another model."
    )


def _no_memory(model: str, text: str) -> ModelUnavailable:
    return ModelUnavailable(
        Phrase("There is not enough memory for {0}: {1}.", model, text),
        "Choose a smaller model or a shorter context length, or close other programs.",
    )


def _no_room(model: str, text: str) -> ModelUnavailable:
    return ModelUnavailable(
        Phrase("There is no room on the disk for {0}: {1}.", model, text),
        "Make room where Ollama keeps its models, and fetch it again: it goes on where it stopped.",
    )


def _no_network(model: str, _text: str) -> ModelUnavailable:
    return ModelUnavailable(
        Phrase("Ollama does not reach its library on the internet to fetch {0}.", model),
        "Connect this computer to the internet, or copy Ollama's models folder from another one.",
        retryable=True,
    )


def _cloud_off(model: str, _text: str) -> ModelUnavailable:
    return ModelUnavailable(
        Phrase("{0} runs in Ollama's cloud, which is switched off there.", model),
        "Choose a model that is on this computer.",
    )


def _signed_out(model: str, _text: str) -> ModelUnavailable:
    return ModelUnavailable(
        Phrase("{0} runs in Ollama's cloud, where you are not signed in.", model),
        "Run `ollama signin`, or choose a model that is on this computer.",
    )


def _busy(_model: str, _text: str) -> ModelUnavailable:
    return ModelUnavailable(
        "Ollama is busy with other requests.", "Try again in a moment.", retryable=True
    )


def _limited(_model: str, text: str) -> ModelUnavailable:
    return ModelUnavailable(
        Phrase("Ollama takes no more requests for now: {0}.", _first_words(text)),
        "Try again later, or choose another model.",
        retryable=True,
    )


def _died(model: str, text: str) -> ModelUnavailable:
    return ModelUnavailable(
        Phrase("Ollama could not go on with {0}: {1}.", model, text),
        "Try again; a smaller model or a shorter context length may help.",
        retryable=True,
    )


def _inner_words(text: str) -> str:
    """Return what llama.cpp says, which Ollama passes on as JSON: `{"error": {"message": …}}`."""
    try:
        told = json.loads(text) if text.startswith("{") else None
    except (ValueError, RecursionError):
        return text
    error = told.get("error") if isinstance(told, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) and message.strip() else text


def _first_words(text: str) -> str:
    return sanitize_name(" ".join(text.split()))[:_SHOWN].rstrip(". ")


# What the server's own words mean, the first that fits.
_SIGNS = tuple(
    (re.compile(sign, re.IGNORECASE), make)
    for sign, make in (
        (r"does not support thinking", _thoughtless),
        (r"cloud is disabled", _cloud_off),
        (r"^\W*unauthorized", _signed_out),
        (r"exceeds .*context|longer than the context|context .*exceeded", _too_long),
        (r"does not support", _unable),
        (r"no space left|disk full|not enough space", _no_room),
        (r"no such host|dial tcp|network is unreachable|i/o timeout", _no_network),
        (r"pull model manifest", _unknown),
        (r"model .*not found", model_missing),
        (r"system memory|out.of.memory|cudamalloc|insufficient memory|unable to alloc", _no_memory),
        (r"server busy|maximum pending|no slots available", _busy),
        (r"runner process|unexpected eof|exit status|terminated|connection reset", _died),
        (r"unexpectedly stopped|no longer running", _died),
    )
)
