"""The steps and notices of an answer without what was copied from documents that are taken out.

Steps that a model wrote stay as they are. A query that was asked after such a document was found
may have its words, whoever wrote it: it goes whole. So do summaries, which say what passages say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

REMOVED_TITLE = "Source removed"
"""The title that stands for a source that is gone."""

_UNFITTING = re.compile(
    r"(passage \d+ \()(.*?)(\)(?=\.?$|; (?:part of )?passage \d+ \())", re.DOTALL
)
_WIDENED = "From your knowledge base “"

TraceLine = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RemovedPassages:
    """The passages that an answer loses, by their numbers, and what their documents are called."""

    chunks: frozenset[str]
    titles: frozenset[str]
    files: frozenset[str]

    @classmethod
    def of(cls, passages: Sequence[Mapping[str, Any]]) -> RemovedPassages:
        """Gather it from the passages, and from citations of them, as they are kept."""
        files = (PurePath(str(each.get("path", ""))).name for each in passages)
        return cls(
            chunks=frozenset(str(each["chunk_id"]) for each in passages),
            titles=frozenset(str(each["title"]) for each in passages if each.get("title")),
            files=frozenset(" ".join(each.split()) for each in files if each),
        )


def redact_trace(trace: Sequence[TraceLine], lost: RemovedPassages) -> list[TraceLine]:
    """Return an answer's steps without these passages and without the words of their documents."""
    queries = _queries(trace, lost)
    return [
        _without_names(line, lost, queries)
        for line in trace
        if line.get("name") != "summary" and str(line.get("chunk_id")) not in lost.chunks
    ]


def redact_notice(text: str, lost: RemovedPassages) -> str:
    """Return a notice that names none of these documents."""
    if text.startswith(_WIDENED):
        return _replaced(text, lost.titles, REMOVED_TITLE)
    return _fitting(text, lost)


def _queries(trace: Iterable[TraceLine], lost: RemovedPassages) -> dict[str, str]:
    """Return what stands for each query that may have words of these documents.

    A search that follows a passage is the question and its title. What was searched for before
    anything of them was found has none of their words.
    """
    known: set[str] = set()
    instead: dict[str, str] = {}
    is_found = False
    for line in trace:
        if "query" in line:
            query, why = str(line["query"]), str(line.get("why", ""))
            named = {title for title in lost.titles if f"“{title}”" in why}
            if named:
                instead[query] = _replaced(query, named, REMOVED_TITLE)
            elif not is_found:
                known.add(query)
            elif query not in known:
                instead.setdefault(query, REMOVED_TITLE)
        is_found |= any(str(row[0]) in lost.chunks for row in line.get("passages", ()))
    return instead


def _without_names(line: TraceLine, lost: RemovedPassages, queries: Mapping[str, str]) -> TraceLine:
    """Return a step without these passages; `queries` has what stands for those that go."""
    made = dict(line)
    if "follows" in line:
        made["follows"] = [
            each for each in line["follows"] if str(each["chunk_id"]) not in lost.chunks
        ]
    if "why" in line:
        quoted = {f"“{title}”" for title in lost.titles}
        made["why"] = _replaced(str(line["why"]), quoted, f"“{REMOVED_TITLE}”")
    if "dropped" in line:
        made["dropped"] = [_fitting(str(each), lost) for each in line["dropped"]]
    if line.get("event") == "notice":
        made["text"] = redact_notice(str(line["text"]), lost)
    if line.get("name") == "chain":  # as versions before this one told it
        made["text"] = _replaced(str(line["text"]), lost.titles, REMOVED_TITLE)
    if line.get("query") in queries:
        made["query"] = queries[line["query"]]
    return made


def _fitting(text: str, lost: RemovedPassages) -> str:
    """Return what did not fit a model's context without the origin of these passages."""

    def told(found: re.Match[str]) -> str:
        file = next((each for each in lost.files if f"{found[2]}, ".startswith(f"{each}, ")), "")
        return f"{found[1]}{REMOVED_TITLE if file else found[2]}{found[3]}"

    return _UNFITTING.sub(told, text)


def _replaced(text: str, what: Iterable[str], by: str) -> str:
    for each in sorted(what, key=len, reverse=True):
        text = text.replace(each, by)
    return text
