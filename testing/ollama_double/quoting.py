"""What the double says when nothing is scripted: quotes from the passages that it was given."""

from __future__ import annotations

import re

from testing.ollama_double.recorded import Recorded

# A fence is a pair of tags with attributes, a Markdown fence, or a paragraph that starts with [1].
_FENCES = (
    re.compile(r'<(\w+)\s[^>]*?number="(?P<n>\d+)"[^>]*>\s*(?P<text>.+?)\s*</\1>', re.DOTALL),
    re.compile(r"<(\w+)\s[^>]*>\s*(?P<text>.+?)\s*</\1>", re.DOTALL),
    re.compile(r"```[^\n]*\n(?P<text>.+?)```", re.DOTALL),
    re.compile(
        r"^\s*\[(?P<n>\d+)\]\s*(?P<text>.+?)(?=\n\s*\n|\n\s*\[\d|\Z)", re.DOTALL | re.MULTILINE
    ),
)
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？]|\n|$)", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{4,}|\d+|[\u4e00-\u9fff]")
_LEAST = 12  # characters that make a sentence worth quoting


def quote_first(request: Recorded) -> str:
    """Return the first sentence of passage 1 and `[1]`; without passages the last line, echoed.

    The echo is a sound reply to "make this question stand alone".
    """
    passages = passages_in(request.prompt)
    if not passages:
        return _last_line(request)
    number, text = min(passages, key=lambda each: each[0])
    return f"{_sentences(text)[0]} [{number}]"


def quote_best(request: Recorded) -> str:
    """Return, from the two passages that share most words with the question, what shares most."""
    question = set(_WORD.findall(_last_line(request).lower()))
    best: dict[int, tuple[int, str]] = {}
    for number, text in passages_in(request.prompt):
        scored = [(_shared(sentence, question), sentence) for sentence in _sentences(text)]
        best[number] = max(scored, key=lambda each: each[0])
    chosen = sorted(best, key=lambda number: (-best[number][0], number))[:2]
    quotes = [f"{best[number][1]} [{number}]" for number in chosen if best[number][0]]
    return "\n\n".join(quotes) or quote_first(request)


def passages_in(prompt: str) -> list[tuple[int, str]]:
    """Return the passages of a prompt with their numbers, in its order."""
    for fence in _FENCES:
        found = [
            (int(match.groupdict().get("n") or place), match["text"].strip())
            for place, match in enumerate(fence.finditer(prompt), 1)
        ]
        if found:
            return found
    return []


def _last_line(request: Recorded) -> str:
    asked = request.said("user") or str(request.body.get("prompt") or "")
    lines = [line.strip() for line in asked.splitlines() if line.strip()]
    label, colon, rest = (lines or ["?"])[-1].partition(": ")
    return rest if colon and len(label) < 20 else label + colon + rest


def _sentences(text: str) -> list[str]:
    found = [" ".join(each.split()) for each in _SENTENCE.findall(text)]
    return [each for each in found if len(each) >= _LEAST] or [" ".join(text.split())]


def _shared(sentence: str, question: set[str]) -> int:
    return len(question & set(_WORD.findall(sentence.lower())))
