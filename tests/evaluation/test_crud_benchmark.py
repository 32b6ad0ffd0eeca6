"""CRUD-RAG's tasks as they are made of indexed documents."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.evaluation.crud_alterations import Alteration, altered_text
from desktop_rag.evaluation.crud_benchmark import (
    CREATE,
    DELETE,
    READ,
    TASKS,
    UPDATE,
    CrudSource,
    crud_cases,
)
from desktop_rag.workspace import Workspace

HARBOUR = """# The harbour of Narvik

## Abstract

The harbour of Narvik was dug in 1902 for the ore of Kiruna. It freezes in no winter of any year.
It ships 21 million tonnes of ore each year. Two railways end at its quays, and both are electric.

## Quays

| quay | metres |
|---|---|
| north | 310 |

“Berth” means a place at a quay where one ship lies. The north quay was built by Arne Solberg in
1911 and has 310 metres. The south quay is older and shorter, but has the deeper water. A third one
was planned in 1968, and given up when ore was cheap.
"""
RAILWAY = """# The railway to Narvik

The railway from Kiruna to the harbour of Narvik is 170 kilometres long. It was opened in 1903 by
the king himself. Its trains carry ore, and have 68 wagons each. The line climbs to 523 metres, and
an engineer, Olga Berntsen, drew its bridges.
"""
BREAD = """# 面包

面包是用面粉、水和酵母做成的食物。一公斤面粉需要650克水，还要20克盐。面团在28度的地方发酵两个小时。
烤箱要先加热到230度，然后烤40分钟。刚出炉的面包不能马上切开，要等它变凉以后再切。
"""
CAKE = """# 蛋糕

蛋糕是用面粉、鸡蛋和糖做成的食物。做一个蛋糕需要250克面粉，还有6个鸡蛋和180克糖。蛋白要打到发白为止。
烤箱要先加热到175度，然后烤35分钟。蛋糕烤好以后要倒过来，等它变凉以后再取出来。
"""
FILES = {"harbour": HARBOUR, "railway": RAILWAY, "bread": BREAD, "cake": CAKE, "note": "Short."}


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in FILES.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    made = open_workspace(tmp_path_factory.mktemp("home"), Settings())
    for _ in index_files.run(made, IndexRequest("default", (str(folder),)), CancelToken()):
        pass
    yield made
    made.close()


def source(space: Workspace, seed: int = 0) -> CrudSource:
    return CrudSource(space.catalog, (space.catalog.kbs.get("default").id,), seed, CancelToken())


def joined(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_a_set_is_the_same_at_every_run_and_another_with_another_seed(space: Workspace) -> None:
    first = crud_cases(source(space), 3)
    assert first == crud_cases(source(space), 3)
    ids = {case.item.id for case in first}
    assert len(ids) == len(first)
    assert any(ids != {c.item.id for c in crud_cases(source(space, n), 3)} for n in range(1, 4))
    assert {case.task for case in first} == set(TASKS)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_asked_for_stands_at_its_place_in_the_documents(
    space: Workspace, seed: int
) -> None:
    for case in crud_cases(source(space, seed), 9):
        (reference,) = case.item.answers
        for target in case.targets if case.task != DELETE else ():
            (document,) = target.documents
            text = space.catalog.documents.text(document, target.start, target.stop)
            assert joined(reference) in joined(text), case.task
        assert case.item.gold == {target.id for target in case.targets}


def test_a_text_and_what_follows_it_are_neighbours(space: Workspace) -> None:
    cases = [case for case in crud_cases(source(space), 9) if case.task == CREATE]
    assert len(cases) == 4
    for case in cases:
        begin = case.item.question.partition("\n\n")[2]
        (reference,) = case.item.answers
        whole = joined(begin) + joined(reference)
        assert any(whole in joined(text) for text in FILES.values())
        assert "|" not in whole
        assert 0.3 < len(reference) / (len(begin) + len(reference)) < 0.7


def test_questions_have_the_sentences_of_their_place(space: Workspace) -> None:
    cases = [case for case in crud_cases(source(space), 9) if case.task == READ]
    (term,) = [case for case in cases if "“Berth”" in case.item.question]
    assert term.item.answers == ("“Berth” means a place at a quay where one ship lies.",)


@pytest.mark.parametrize("seed", range(4))
def test_a_text_is_altered_where_it_says_so_and_nowhere_else(space: Workspace, seed: int) -> None:
    cases = [case for case in crud_cases(source(space, seed), 9) if case.task == UPDATE]
    assert len(cases) == 4
    for case in cases:
        wrong, (right,) = case.item.question.partition("\n\n")[2], case.item.answers
        assert 1 <= len(case.alterations) <= 2
        for each in case.alterations:
            assert each.is_corrected(right)
            assert not each.is_corrected(wrong)
            wrong = wrong.replace(each.wrong, each.right)
        assert wrong == right


def test_a_summary_is_of_documents_alike_in_one_language(space: Workspace) -> None:
    cases = [case for case in crud_cases(source(space), 9) if case.task == DELETE]
    groups = [{Path(t.id).stem for t in case.targets} for case in cases]
    assert sorted(map(sorted, groups)) == [["bread", "cake"], ["harbour", "railway"]]
    english = next(case for case in cases if case.item.question.startswith("Summarise"))
    assert "dug in 1902" in english.item.answers[0]
    assert "170 kilometres" in english.item.answers[0]
    assert "《面包》" in next(c for c in cases if c is not english).item.question


def test_the_state_is_another_when_a_document_is(space: Workspace, tmp_path: Path) -> None:
    before = source(space).state()
    (tmp_path / "new.md").write_text("A new one.", "utf-8")
    request = IndexRequest("other", (str(tmp_path),))
    for _ in index_files.run(space, request, CancelToken()):
        pass
    assert source(space).state() == before
    both = (*source(space).kbs, space.catalog.kbs.get("other").id)
    assert replace(source(space), kbs=both).state() != before


@pytest.mark.parametrize(
    "text",
    [
        "在2023年实现了增长。",
        "It rose to 1,204.5 in May.",
        "价格为650元。",
        "from 12 to 15 percent",
    ],
)
def test_figures_are_altered_in_both_languages(text: str) -> None:
    made, changes = altered_text(text, [], random.Random(1))
    assert made != text
    assert len(made) == len(text)
    assert all(each.right in text and each.wrong in made for each in changes)


@pytest.mark.parametrize("text", ["314b0a30-5b04", "Chapter 7 is short.", "COVID-19 spread."])
def test_codes_and_single_digits_are_no_figures(text: str) -> None:
    assert altered_text(text, [], random.Random(1)) == (text, ())


def test_a_name_is_exchanged_for_one_of_another_text() -> None:
    names: list[str] = []
    altered_text("It was drawn by Olga Berntsen there.", names, random.Random(1))
    assert names == ["Olga Berntsen"]
    made, changes = altered_text("It was built by Arne Solberg then.", names, random.Random(1))
    assert made == "It was built by Olga Berntsen then."
    assert changes == (Alteration("Arne Solberg", "Olga Berntsen"),)


def test_a_figure_is_right_only_where_it_stands_alone() -> None:
    change = Alteration("310", "710")
    assert change.is_corrected("It has 310 metres.")
    assert change.is_corrected("长310米。")
    assert not change.is_corrected("It has 3100 metres, or 1,310.")
    assert not change.is_corrected("It has 310, not 710 metres.")
