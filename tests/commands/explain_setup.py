"""A library to ask why of: which passages there are, and the way of one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from desktop_rag.commands import file_actions
from desktop_rag.commands.explain import explain_with_rules
from desktop_rag.commands.what_if_search import WhatIfSearch
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.explain_events import Stage, StageName, Verdict
from desktop_rag.core.requests import ExplainRequest, FilesRequest
from desktop_rag.workspace import Workspace
from tests.indexing.indexed_folder import KB, IndexedFolder
from tests.parsing.sample_files import Pdf, PdfPage, Put

VILLAGES = (
    *("Aldbury", "Bramley", "Calverton", "Denholm", "Elmstead", "Fairlight", "Gosforth"),
    *("Harlow", "Ingleton", "Kelsale", "Lydford", "Marden", "Norwell", "Oakham"),
)
LEASE = "The tenant shall vacate the premises when the lease term of nine years has expired."
QUESTION = "Which ferry was delayed by fog?"
FEW = {"candidates": 5}


def note(village: str) -> str:
    thing = "fog" if village < "E" else "a broken winch"
    return f"The ferry of {village} was delayed by {thing}; the keeper wrote it into the log book."


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexedFolder]:
    made = IndexedFolder(tmp_path_factory.mktemp("explained"))
    for village in VILLAGES:
        made.write(f"{village}.txt", note(village))
    made.write("lease.txt", LEASE)
    made.write("copy.txt", LEASE.replace("shall", "will") + " It is then handed over.")
    made.write("other.txt", LEASE + " It is then handed over.")
    made.write("保护区.md", "九龙山自然保护区缓冲区面积为一千六百三十公顷。")
    made.write("film.mp4", "no film")
    made.write("left out.txt", "The seventh bridge is painted red every spring.")
    Pdf((PdfPage(picture=True),)).write(made.docs / "scan.pdf")
    page = PdfPage((Put(72, 700, "The secret of the harbour is kept by its pilot alone."),))
    Pdf((page,), password="secret").write(made.docs / "locked.pdf")
    made.index()
    out = FilesRequest("exclude", KB, (str(made.docs / "left out.txt"),))
    list(file_actions.run(made.workspace, out, CancelToken()))
    yield made
    made.close()


def way(
    workspace: Workspace, query: str, rules: dict[str, Any] | None = None, **named: Any
) -> tuple[dict[StageName, Stage], Verdict]:
    """Return the stages by their names, and the verdict."""
    bench = WhatIfSearch.of(workspace, replace(workspace.settings.retrieval, **rules or {}))
    request = ExplainRequest((KB,), query, **named)
    *stages, verdict = explain_with_rules(bench, request, CancelToken())
    made = {each.name: each for each in stages if isinstance(each, Stage)}
    assert list(made) == [name for name in StageName if name in made] == list(StageName)
    assert isinstance(verdict, Verdict)
    return made, verdict


def path_of(library: IndexedFolder, name: str) -> str:
    return str(library.docs / name)
