"""Read subtitles (SRT, WebVTT, SubStation): what is said, joined to paragraphs by their times."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing.formats.plain_text import paragraphs, read_text
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument

_LONGEST_PARAGRAPH = 700  # characters, after which one ends with a sentence
_LONGEST_SILENCE = 5.0  # seconds
_SHOWN_ON = 0.2  # seconds
_CLOCK = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_TIMES = re.compile(rf"\s*{_CLOCK}\s*-->\s*{_CLOCK}[^\n]*")
_EVENT = re.compile(r"\s*(?:Dialogue|Comment)\s*:\s*(.*)", re.IGNORECASE)
_MOMENT = re.compile(_CLOCK)
_SPEAKER = re.compile(r"<v(?:\.[\w.]*)?\s+([^<>]{1,100})>")
_MARK = re.compile(r"</?[a-zA-Z\d][^<>]*>|\{[\\=][^{}]*\}")
_ASIDE = ("NOTE", "STYLE", "REGION", "WEBVTT")
_ENDS = (".", "!", "?", "…", "。", "！", "？", '"', "”", "」")
_EVENT_FIELDS = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv",
                 "effect", "text")  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Cue:
    """What is said from one second to another."""

    start: float
    end: float
    text: str


def parse(path: Path) -> ParsedDocument:
    """Return what is said; a file without times is read as the text that it is."""
    text = read_text(path)
    title, cues = "", list(_cues(text))
    if not cues:
        title, cues = _title(text), list(_events(text))
    blocks = list(_joined(cues)) if cues else paragraphs(text)
    return ParsedDocument(title, tuple(blocks))


def _cues(text: str) -> Iterator[_Cue]:
    """Yield the cues of SRT and WebVTT, in their order."""
    times: tuple[float, float] | None = None
    held: list[str] = []
    for line in [*text.split("\n"), ""]:
        found = _TIMES.fullmatch(line)
        if found is None and line.strip():
            held.append(line)
            continue
        if times is not None:
            kept = held[:-1] if found and held and held[-1].strip().isdecimal() else held
            if said := _plain(" ".join(kept)):
                yield _Cue(*times, said)
        held = []
        times = (_seconds(found.groups()[:4]), _seconds(found.groups()[4:])) if found else None


def _events(text: str) -> Iterator[_Cue]:
    """Yield what is said in SubStation's events; comments are notes of who wrote them."""
    names: tuple[str, ...] = _EVENT_FIELDS
    is_event = False
    for line in text.split("\n"):
        if line.startswith("["):
            is_event = line.strip().lower() == "[events]"
        elif is_event and line.lower().startswith("format:"):
            names = tuple(name.strip().lower() for name in line[7:].split(","))
        elif (found := _EVENT.fullmatch(line)) and line.lower().startswith("dialogue"):
            values = found.group(1).split(",", len(names) - 1)
            event = dict(zip(names, values, strict=False))
            start, end = (_MOMENT.search(event.get(key, "")) for key in ("start", "end"))
            said = _plain(re.sub(r"\\[Nnh]", " ", event.get("text", "")))
            if start and end and said:
                who = f"{event['name'].strip()}: " if event.get("name", "").strip() else ""
                yield _Cue(_seconds(start.groups()), _seconds(end.groups()), who + said)


def _title(text: str) -> str:
    found = re.search(r"^Title:[ \t]*(.{1,300})$", text, re.MULTILINE)
    name = found.group(1).strip() if found else ""
    return "" if name.lower() in {"default aegisub file", "<untitled>"} else name


def _plain(text: str) -> str:
    spoken = _SPEAKER.sub(lambda match: f"{match.group(1).strip()}: ", text)
    return " ".join(html.unescape(_MARK.sub("", spoken)).split())


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction = (part or "0" for part in parts)
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{fraction}")


def _joined(cues: list[_Cue]) -> Iterator[Block]:
    """Yield paragraphs: a silence ends one, and a sentence's end in a long one."""
    held: list[str] = []
    start = end = length = 0.0
    last = ""
    for cue in cues:
        if cue.text == last and cue.start - end < _SHOWN_ON:
            end = cue.end
            continue  # shown on, as live subtitles are
        is_long = length > _LONGEST_PARAGRAPH and last.endswith(_ENDS)
        if held and (
            cue.start - end > _LONGEST_SILENCE or is_long or length > 2 * _LONGEST_PARAGRAPH
        ):
            yield _paragraph(held, start)
            held, length = [], 0
        start = start if held else cue.start
        held.append(cue.text)
        length += len(cue.text)
        last, end = cue.text, cue.end
    if held:
        yield _paragraph(held, start)


def _paragraph(held: list[str], start: float) -> Block:
    minutes, seconds = divmod(int(start), 60)
    moment = f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
    return Block(BlockKind.TEXT, " ".join(held), BlockLocator(LocatorKind.SECTION, moment))
