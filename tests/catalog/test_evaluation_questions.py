"""Questions of the user's own, and the runs over them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.catalog import database
from desktop_rag.catalog.evaluation_questions import set_source
from desktop_rag.catalog.evaluation_runs import MOST, tasks_source
from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import UserError
from desktop_rag.core.evaluation_records import (
    EvaluationResult,
    EvaluationRun,
    GoldPassage,
    SavedQuestion,
)
from desktop_rag.core.types import KbId
from tests.catalog.stored_documents import bytes_hold, document, put

SECRET = "xylophonequartz"
PATH = "/d/secret.txt"
MIGRATIONS = Path(database.__file__).parent / "migrations"


def saved(*passages: GoldPassage, answer: str = "In the cellar.") -> SavedQuestion:
    return SavedQuestion(0, "Where is it?", (answer,), passages, ("default",))


def test_a_question_is_saved_changed_and_deleted(catalog: Catalog) -> None:
    gold = GoldPassage("/d/a.txt", "hash", 3, 9)
    (number,) = catalog.questions.save("mine", [saved(gold)])
    (found,) = catalog.questions.all("mine")
    assert (found.id, found.question, found.answers) == (
        number,
        "Where is it?",
        ("In the cellar.",),
    )
    assert (found.passages, found.kbs) == ((gold,), ("default",))
    catalog.questions.save("mine", [replace(found, question="Where?", passages=())])
    (changed,) = catalog.questions.all("mine")
    assert (changed.id, changed.question, changed.passages) == (number, "Where?", ())
    catalog.questions.drop([number])
    assert catalog.questions.all("mine") == []
    assert [each.questions for each in catalog.questions.sets()] == [0]


@pytest.mark.parametrize("name", ["", "  ", "a=b", "two\nlines", "x" * 101])
def test_a_name_that_cannot_be_typed_is_refused(catalog: Catalog, name: str) -> None:
    with pytest.raises(UserError, match="needs a name"):
        catalog.questions.ensure(name)


def test_a_deleted_set_leaves_no_word_and_no_run(catalog: Catalog, home: Path) -> None:
    catalog.questions.save("mine", [saved(answer=SECRET)])
    source = set_source(catalog.questions.get("mine"))
    catalog.measured.keep(EvaluationRun(source, "retrieval", ()))
    assert bytes_hold(home, SECRET)
    catalog.questions.delete("mine")
    assert bytes_hold(home, SECRET) == []
    assert catalog.measured.of(source, "retrieval") == []
    with pytest.raises(UserError, match="no question set"):
        catalog.questions.all("mine")


def test_a_question_goes_with_the_document_that_answers_it(
    catalog: Catalog, home: Path, kb: KbId
) -> None:
    new = document("it is hidden here")
    number = put(catalog, kb, PATH, new)
    resting = GoldPassage(PATH, new.content_hash, 0, 5)
    by_file = GoldPassage(PATH)
    elsewhere = GoldPassage("/d/other.txt", "other", 0, 5)
    catalog.questions.save(
        "mine",
        [
            saved(resting, answer=SECRET),
            saved(elsewhere, by_file, answer=SECRET),
            saved(elsewhere),
            saved(),
        ],
    )
    catalog.quotes.forget([PATH], [number], kb)
    assert bytes_hold(home, SECRET) == []
    assert [each.passages for each in catalog.questions.all("mine")] == [(elsewhere,), ()]


def test_a_question_stays_while_another_knowledge_base_has_its_document(
    catalog: Catalog, kb: KbId
) -> None:
    new = document("it is shown here")
    number = put(catalog, kb, PATH, new)
    put(catalog, catalog.kbs.ensure("second").id, "/e/copy.txt", new)
    catalog.questions.save("mine", [saved(GoldPassage(PATH, new.content_hash, 0, 5))])
    catalog.quotes.forget([PATH], [number], kb)
    assert len(catalog.questions.all("mine")) == 1


def test_a_renamed_knowledge_base_is_followed(catalog: Catalog, kb: KbId) -> None:
    catalog.questions.save("mine", [saved()])
    catalog.kbs.rename("default", "letters")
    assert catalog.questions.all("mine")[0].kbs == ("letters",)


def test_the_last_runs_of_each_task_are_kept(catalog: Catalog) -> None:
    way = EvaluationResult({"strategy": "bm25", "recall@5": 50.0}, {"1": 0.5})
    for _ in range(MOST + 2):
        catalog.measured.keep(EvaluationRun("set:1", "retrieval", (way,), {"a": "b"}))
    catalog.measured.keep(EvaluationRun("set:1", "answers", ()))
    kept = catalog.measured.of("set:1", "retrieval")
    assert len(kept) == MOST
    assert kept[0].id > kept[-1].id
    assert (kept[0].ways, kept[0].settings) == ((way,), {"a": "b"})
    assert len(catalog.measured.of("set:1", "answers")) == 1


def test_a_catalog_of_the_version_before_gets_its_question_sets(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "catalog.sqlite")) as old:
        for step in ("0001_initial_schema.sql", "0002_chat_branches_drafts_consents.sql"):
            old.executescript((MIGRATIONS / step).read_text())
        old.execute("INSERT INTO chats (title, kbs, created, changed) VALUES ('t', '[]', 1, 1)")
        old.execute("PRAGMA user_version = 2")
        old.commit()
    catalog = Catalog.open(folder)
    catalog.questions.save("mine", [saved()])
    assert [chat.title for chat in catalog.chats.all()] == ["t"]
    assert [each.name for each in catalog.questions.sets()] == ["mine"]
    catalog.close()
    assert (folder / "catalog.before-0003.sqlite").exists()


def test_runs_over_tasks_of_a_knowledge_base_go_with_it_and_no_others(catalog: Catalog) -> None:
    bases = [catalog.kbs.ensure(f"base {number}").id for number in range(11)]
    first, second, last = bases[0], bases[1], bases[10]
    assert str(last).startswith(str(first))
    others = [tasks_source([last]), tasks_source([second, last]), f"set:{first}"]
    mine = [tasks_source([first]), tasks_source([second, first, first])]
    for source in (*mine, *others):
        catalog.measured.keep(EvaluationRun(source, "crud", ()))
    assert tasks_source([first, second]) == mine[1]
    catalog.kbs.delete("base 0")
    assert [len(catalog.measured.of(source, "crud")) for source in (*mine, *others)] == [
        0, 0, 1, 1, 1,
    ]  # fmt: skip
