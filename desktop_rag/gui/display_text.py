"""Names, places, sentences and lists as the window shows them, in its language.

The name of a knowledge base, the place of a passage in its document, the gaps of a sentence
filled, and phrases joined.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from PySide6.QtCore import QCoreApplication

from desktop_rag.core.types import Locator, LocatorKind
from desktop_rag.gui.controllers.ingest_worker import DEFAULT_KB

_NUMBER = re.compile(r" \(\d+\)")
_GAP = re.compile(r"%([1-9])")


def shown_name(kb: str) -> str:
    """Return a knowledge base's name; that of the first, which nobody named, in words.

    Imported where there is one already, it has a number behind it.
    """
    number = kb.removeprefix(DEFAULT_KB)
    if number == kb or (number and not _NUMBER.fullmatch(number)):
        return kb
    return QCoreApplication.translate("Library", "My documents") + number


def locator_text(locator: Locator) -> str:
    """Return a place in a few words: `page 3`, `sheet Sales A1:C4`."""
    if locator.kind is LocatorKind.PART:
        return _part_text(str(locator.value))
    cells = f" {locator.cells}" if locator.cells else ""
    return _words()[locator.kind].replace("%1", f"{locator.value}{cells}")


def _part_text(value: str) -> str:
    """Return a part's name: one that parsers give in words, else a file's or a section's own.

    A place that is not known has none.
    """
    if not value:
        return ""
    words = _part_words()
    if value in words:
        return words[value]
    name, _, number = value.partition(" ")
    if name == "cell" and number.isdecimal():
        return words[name].replace("%1", number)
    return _words()[LocatorKind.PART].replace("%1", value)


def _part_words() -> dict[str, str]:
    def tr(text: str) -> str:
        return QCoreApplication.translate("Places", text)

    return {
        "body": tr("part body"),
        "head": tr("part head"),
        "header": tr("part header"),
        "footer": tr("part footer"),
        "footnotes": tr("part footnotes"),
        "endnotes": tr("part endnotes"),
        "comments": tr("part comments"),
        "form": tr("part form"),
        "cell": tr("part cell %1"),
    }


def _words() -> dict[LocatorKind, str]:
    def tr(text: str) -> str:
        return QCoreApplication.translate("Places", text)

    return {
        LocatorKind.PAGE: tr("page %1"),
        LocatorKind.SLIDE: tr("slide %1"),
        LocatorKind.SHEET: tr("sheet %1"),
        LocatorKind.ROW: tr("row %1"),
        LocatorKind.SECTION: tr("section %1"),
        LocatorKind.LINE: tr("line %1"),
        LocatorKind.PART: tr("part %1"),
        LocatorKind.MESSAGE: tr("message %1"),
    }


def fill(text: str, *values: object) -> str:
    """Return a sentence with its %1, %2 and so on filled in; a value that holds %2 stays so."""

    def value(found: re.Match[str]) -> str:
        number = int(found[1])
        return str(values[number - 1]) if number <= len(values) else found[0]

    return _GAP.sub(value, text)


def model_label(name: str, elsewhere: Collection[str]) -> str:
    """Return a language model's name, marked where it runs on another computer."""
    marked = QCoreApplication.translate("Models", "%1 · in the cloud")
    return fill(marked, name) if name in elsewhere else name


def join_details(*parts: str) -> str:
    """Return a thing and what is said of it (a title and a place), without what is empty."""
    return QCoreApplication.translate("Beside", ", ").join(filter(None, parts))


def join_list(things: Iterable[str]) -> str:
    """Return things of one kind, one behind the other."""
    return QCoreApplication.translate("Listed", ", ").join(things)


def ask_about_text(are_folders: Iterable[bool]) -> str:
    """Return what asks about what is chosen: a file, a folder (True), or several."""
    kinds = list(are_folders)
    if len(kinds) > 1:
        return QCoreApplication.translate("AskAbout", "Ask about these")
    if kinds == [True]:
        return QCoreApplication.translate("AskAbout", "Ask about this folder")
    return QCoreApplication.translate("AskAbout", "Ask about this file")
