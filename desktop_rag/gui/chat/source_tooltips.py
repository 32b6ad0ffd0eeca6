"""What is said of a citation, or of a sentence without one, where the mouse or the focus rests."""

from __future__ import annotations

from html import escape

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.chat import transcript_text
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.desktop_services import full_address
from desktop_rag.gui.display_text import join_details, locator_text
from desktop_rag.gui.viewer.source_list_model import (
    localize_removed,
    matched_locator,
    source_location,
)

_QUOTE = 400


def of_source(turn: Turn, n: int, sentence: int | None = None) -> str:
    """Return source n of a turn as rich text: place, quote, what a click does.

    The quote is that of the `sentence` the number stands in, where it has one.
    """
    source = localize_removed(turn.sources[n - 1])
    cited = [each for each in turn.citations if each.n == n]
    here = [each for each in cited if each.sentence == sentence] or cited
    quote = _cut(here[0].quote if here else source.matched)
    head = f"<b>{n}&nbsp;&nbsp;{escape(sanitize_name(source.title or source.path))}</b>"
    if not source.path:  # it was removed: it stands nowhere, and a click leads nowhere
        return _boxed("<br>".join([head, "", escape(quote)]))
    where = source_location(source, here[0].locator if here else matched_locator(source))
    lines = [head, escape(where), "", escape(quote).replace("\n", "<br>"), ""]
    return _boxed(
        "<br>".join([*lines, f"<i>{escape(transcript_text.tr('Click to open it there'))}</i>"])
    )


def source_announcement(turn: Turn, n: int) -> str:
    """Return source n of a turn in a line, for a screen reader."""
    source = localize_removed(turn.sources[n - 1])
    cited = next((each for each in turn.citations if each.n == n), None)
    said = transcript_text.tr("Source %1").replace("%1", str(n))
    where = locator_text(cited.locator if cited else matched_locator(source)) if source.path else ""
    named = join_details(source.title or source.path, where)
    return f"{said}: {named}. {_cut(cited.quote if cited else source.matched)}"


def of_address(address: str) -> str:
    """Return where a web link leads, in full and as text."""
    return escape(full_address(address))


def unsupported() -> str:
    """Return why a sentence is dotted."""
    text = transcript_text.tr(
        "No quote was found for this sentence in the passages that were read: "
        "it may come from the language model."
    )
    return _boxed(escape(text))


def _cut(text: str) -> str:
    return text[:_QUOTE] + ("…" if len(text) > _QUOTE else "")


def _boxed(html: str) -> str:
    """Give rich text a width that reads well; Qt would make it as wide as the screen."""
    return f"<table width='380'><tr><td>{html}</td></tr></table>"
