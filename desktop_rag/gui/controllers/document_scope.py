"""What a question is asked of, where it is not asked of all, and how that is kept."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.core.path_filter import paths_filter

ONLY, EACH, SUMMARISE, COMPARE = "only", "each", "summarise", "compare"
MOST_ITEMS = 200
"""How many files, folders and knowledge bases a question can be asked of at once."""


class ScopeKind(StrEnum):
    """What a part of a scope is."""

    FILE = "file"
    FOLDER = "folder"
    BASE = "base"


@dataclass(frozen=True, slots=True)
class ScopeItem:
    """A file, a folder (its separator behind its path), or a whole knowledge base (no path).

    `kb` is "" where the conversation's knowledge bases have it.
    """

    path: str
    kb: str

    @property
    def kind(self) -> ScopeKind:
        """What it is."""
        if not self.path:
            return ScopeKind.BASE
        return ScopeKind.FOLDER if self.path.endswith(("/", "\\")) else ScopeKind.FILE


@dataclass(frozen=True, slots=True)
class DocumentScope:
    """Files, folders and knowledge bases, and what is wanted of them.

    `ONLY`: questions are answered from any of them, and from nothing else. `EACH`: the next
    question is asked of every document. `SUMMARISE` and `COMPARE` need no question.
    """

    kind: str
    items: tuple[ScopeItem, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files and folders, a folder without its separator."""
        return tuple(_bare(each.path) for each in self.items if each.path)

    @property
    def kbs(self) -> tuple[str, ...]:
        """The knowledge bases in which they lie, each once, as far as that is known."""
        return tuple(dict.fromkeys(each.kb for each in self.items if each.kb))

    @property
    def where(self) -> str:
        """The filter that lets only these pass; "" where knowledge bases are asked as a whole."""
        if self.kind != ONLY:
            return ""
        whole = [each.kb for each in self.items if each.kind is ScopeKind.BASE]
        paths = [each.path for each in self.items if each.path and each.kb not in whole]
        return paths_filter(paths, dict.fromkeys(whole))


def _bare(path: str) -> str:
    return path.removesuffix(os.sep) or path


def folder_item(path: str, kb: str) -> ScopeItem:
    """Return a folder as a part of a scope."""
    return ScopeItem(f"{path.removesuffix(os.sep)}{os.sep}", kb)


def encode_scope(scope: DocumentScope | None) -> str:
    """Return a scope as the catalog keeps it; "" for none, and for what holds for one question."""
    if scope is None or scope.kind != ONLY:
        return ""
    return json.dumps([[each.kb, each.path] for each in scope.items])  # names may be no Unicode


def decode_scope(kept: str) -> DocumentScope | None:
    """Return the scope that was kept; None where nothing of it can be understood."""
    try:
        items = tuple(ScopeItem(str(path), str(kb)) for kb, path in json.loads(kept or "[]"))
    except (ValueError, TypeError):
        return None
    items = tuple(each for each in items if each.path or each.kb)
    return DocumentScope(ONLY, items) if items else None
