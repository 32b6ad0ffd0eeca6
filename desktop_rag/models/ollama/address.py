"""Where Ollama listens, and whether that is this computer."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from desktop_rag.core.errors import ModelUnavailable, NotAllowed
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Settings

VARIABLE = "OLLAMA_HOST"
DEFAULT = "http://127.0.0.1:11434"
_PORTS = {"http": 80, "https": 443}
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (what to listen on, not to call)


def resolve_host(settings: Settings, environ: Mapping[str, str] | None = None) -> str:
    """Return Ollama's address as `scheme://host:port`: the setting, OLLAMA_HOST, or the default.

    Raises `ModelUnavailable` when what is set is no address.
    """
    variables = os.environ if environ is None else environ
    return normalise_url(settings.ollama.host or variables.get(VARIABLE, ""))


def normalise_url(address: str) -> str:
    """Return any form that Ollama understands as `scheme://host:port`.

    `host`, `host:port`, `:port`, `http://host` (port 80, as Ollama reads it), IPv6 with or without
    brackets. An address to listen everywhere is this computer's own when it is called. A `/v1` at
    the end, which people copy along, is left out: all paths are told apart behind it.
    """
    text = address.strip().strip("\"'").strip()
    if not text:
        return DEFAULT
    scheme, separator, rest = text.partition("://")
    if not separator:
        scheme, rest = "http", text
    if _is_bare_ipv6(rest):
        rest = f"[{rest}]"
    try:
        parts = urlsplit(f"{scheme.lower()}://{rest}")
        port = parts.port or (_PORTS[parts.scheme] if separator else 11434)
    except (KeyError, ValueError) as error:
        raise ModelUnavailable(
            Phrase("{0} is not an address of Ollama.", text),
            Phrase("Write it like {0} in the settings, or in {1}.", DEFAULT, VARIABLE),
        ) from error
    return f"{parts.scheme}://{_spelled(parts.hostname or '127.0.0.1')}:{port}{_path(parts.path)}"


def is_loopback(url: str) -> bool:
    """Whether an address is this computer, by its number; every name but `localhost` is not."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def require_consent(url: str, consent: Consent) -> None:
    """Raise `NotAllowed` for another computer that the user has not agreed to."""
    if is_loopback(url) or consent.covers(url):
        return
    if consent.blocked:
        raise remote_blocked(url)
    raise NotAllowed(
        Phrase(
            "Ollama is set to {0}, which is another computer: questions and passages of "
            "your documents would be sent there.",
            url,
        ),
        "If you trust the computer that Ollama is set to, allow it for the knowledge base on the "
        "settings' page “Privacy” (allow_remote=true on the command line); or set the address to "
        "this one.",
    )


def remote_blocked(place: str) -> NotAllowed:
    """Return the error of a connection that the switch forbids."""
    return NotAllowed(
        Phrase("Connections to other computers are blocked, and {0} is one.", place),
        "Turn “Connect to this computer only” off on the settings' page “Privacy” "
        "(block_remote=false on the command line), or use what is on this computer.",
    )


def _is_bare_ipv6(text: str) -> bool:
    try:
        return ipaddress.ip_address(text).version == 6
    except ValueError:
        return False


def _spelled(host: str) -> str:
    """Return a host for a URL: never "everywhere", and no name where a number is meant."""
    called = _EVERYWHERE.get(host, host)
    if called == "localhost":  # looking the name up could lead elsewhere, and takes time
        return "127.0.0.1"
    return f"[{called}]" if ":" in called else called


def _path(path: str) -> str:
    parts = path.strip("/").split("/")
    while parts and parts[-1] in ("", "v1"):
        parts.pop()
    return "".join(f"/{each}" for each in parts)
