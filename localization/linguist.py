"""Qt Linguist's files: read, brought up to date, written as Linguist writes them, compiled."""

from __future__ import annotations

import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import PySide6

from localization.string_extraction import Message

_QUOTES = {'"': "&quot;", "'": "&apos;"}
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the window; `forms` is how many forms a counted string has in it."""

    code: str
    locale: str
    forms: int


ENGLISH = Language("en", "en_GB", 2)
CHINESE = Language("zh", "zh_CN", 1)
TRANSLATED = (CHINESE,)
"""The languages that every string is translated into."""
Translations = Mapping[Message, tuple[str, ...]]


def read(path: Path) -> dict[Message, tuple[str, ...]]:
    """Return what a file translates, each message with its forms; unfinished ones left out."""
    if not path.exists():
        return {}
    found = {}
    for context in ET.parse(path).getroot().iter("context"):
        name = context.findtext("name", "")
        for node in context.iter("message"):
            counts = node.get("numerus") == "yes"
            message = Message(
                name, node.findtext("source", ""), node.findtext("comment", ""), counts=counts
            )
            if (forms := _finished(node, counts=counts)) is not None:
                found[message] = forms
    return found


def write(path: Path, language: Language, messages: Iterable[Message], known: Translations) -> None:
    """Write a file of these messages with what is known of them, in the order they come in."""
    contexts: dict[str, list[Message]] = {}
    for message in messages:
        contexts.setdefault(message.context, []).append(message)
    lines = [f'<TS version="2.1" language="{language.locale}" sourcelanguage="en">']
    for name in sorted(contexts):
        lines += ["<context>", f"    <name>{name}</name>"]
        for message in contexts[name]:
            lines += _lines(message, known.get(message), language.forms)
        lines.append("</context>")
    path.write_text(_HEAD + "\n".join([*lines, "</TS>", ""]), encoding="utf-8")


def compiled(path: Path, into: Path) -> None:
    """Compile a file for the program, with the `lrelease` that PySide6 brings."""
    tool = Path(PySide6.__file__).parent / "lrelease"
    program = tool if tool.exists() else tool.with_suffix(".exe")
    subprocess.run([program, "-silent", path, "-qm", into], check=True)


def _finished(node: ET.Element, *, counts: bool) -> tuple[str, ...] | None:
    translation = node.find("translation")
    if translation is None or translation.get("type"):
        return None
    if counts:
        return tuple(form.text or "" for form in translation.iter("numerusform"))
    return (translation.text or "",)


def _lines(message: Message, forms: tuple[str, ...] | None, most: int) -> Iterable[str]:
    yield '    <message numerus="yes">' if message.counts else "    <message>"
    yield f"        <source>{escape(message.source, _QUOTES)}</source>"
    if message.comment:
        yield f"        <comment>{escape(message.comment, _QUOTES)}</comment>"
    missing = ' type="unfinished"' if forms is None else ""
    if message.counts:
        yield f"        <translation{missing}>"
        for form in forms or ("",) * most:
            yield f"            <numerusform>{escape(form, _QUOTES)}</numerusform>"
        yield "        </translation>"
    else:
        yield f"        <translation{missing}>{escape((forms or ('',))[0], _QUOTES)}</translation>"
    yield "    </message>"
