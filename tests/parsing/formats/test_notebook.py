from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.formats.notebook import parse
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.open_documents import written

CELLS: list[dict[str, Any]] = [
    {"cell_type": "markdown", "source": ["# Harbour\n", "The *ships* sail."]},
    {
        "cell_type": "code",
        "source": "print(14)\n",
        "outputs": [
            {"output_type": "stream", "text": ["\x1b[31m14\x1b[0m\n"]},
            {"output_type": "display_data", "data": {"image/png": "AAAA"}},
            {"output_type": "execute_result", "data": {"text/plain": "15"}},
            {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": ["x"]},
        ],
    },
    {"cell_type": "raw", "source": "As it is."},
]


def read(tmp_path: Path, notebook: object) -> ParsedDocument:
    return parse(written(tmp_path / "a.ipynb", json.dumps(notebook)))


def test_cells_are_read_in_order_with_what_they_gave(tmp_path: Path) -> None:
    document = read(tmp_path, {"cells": CELLS, "nbformat": 4})
    assert document.title == "Harbour"
    assert [(b.kind.value, b.place.value, b.text) for b in document.blocks] == [
        ("heading", "cell 1", "Harbour"),
        ("text", "cell 1", "The ships sail."),
        ("code", "cell 2", "print(14)"),
        ("code", "cell 2", "14"),
        ("code", "cell 2", "15"),
        ("code", "cell 2", "ValueError: no"),
        ("text", "cell 3", "As it is."),
    ]


def test_notebooks_of_the_first_versions_are_read(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Harbour"},
        {"cell_type": "code", "input": "print(14)", "outputs": [{"text": "14"}]},
    ]
    document = read(tmp_path, {"worksheets": [{"cells": cells}], "nbformat": 3})
    assert [(b.level, b.text) for b in document.blocks] == [
        (2, "Harbour"), (0, "print(14)"), (0, "14"),
    ]  # fmt: skip


def test_long_outputs_are_cut_with_a_note(tmp_path: Path) -> None:
    outputs = [{"output_type": "stream", "text": "x" * 9_000}] * 3
    document = read(tmp_path, {"cells": [{"cell_type": "code", "source": "", "outputs": outputs}]})
    assert sum(len(block.text) for block in document.blocks) == 10_000
    assert document.notes == ("Long outputs of the notebook's cells were cut.",)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": 3}', "[" * 100_000])
def test_what_is_no_notebook_is_corrupt(tmp_path: Path, text: str) -> None:
    with pytest.raises(FileProblem) as caught:
        parse(written(tmp_path / "a.ipynb", text))
    assert caught.value.status is FileStatus.CORRUPT


def test_a_formula_that_a_cell_gave_is_its_latex(tmp_path: Path) -> None:
    data = {"text/latex": r"$\frac{1}{2}$", "text/plain": "<IPython.core.display.Math object>"}
    outputs = [{"output_type": "display_data", "data": data}]
    cell = {"cell_type": "code", "source": "half", "outputs": outputs}
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": [cell], "nbformat": 4}))
    assert [block.text for block in parse(path).blocks] == ["half", r"$\frac{1}{2}$"]


@pytest.mark.parametrize("kind", ["tabular}{ll}", "enumerate*}", "itemize}", "description*}"])
def test_latex_that_is_a_table_or_a_list_makes_way_for_its_text(tmp_path: Path, kind: str) -> None:
    data = {"text/latex": f"\\begin{{{kind} a & b", "text/plain": "a b"}
    cell = {"cell_type": "code", "source": "df", "outputs": [{"data": data}]}
    document = read(tmp_path, {"cells": [cell], "nbformat": 4})
    assert [block.text for block in document.blocks] == ["df", "a b"]


def test_an_environment_that_a_cell_gave_is_a_formula(tmp_path: Path) -> None:
    data = {"text/latex": "\\begin{align}x\\end{align}", "text/plain": "<Latex>"}
    cell = {"cell_type": "code", "source": "m", "outputs": [{"data": data}]}
    document = read(tmp_path, {"cells": [cell], "nbformat": 4})
    assert document.blocks[1].text == data["text/latex"]
