"""What a recovery tells: kinds that a user knows, and nothing that is not so."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.catalog.database import migration_scripts
from desktop_rag.catalog.recovery.coordinator import RecoveryOutcome, TableCount
from desktop_rag.catalog.schema import empty_catalog, tables_of
from desktop_rag.commands import doctor, recover
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import IndexProgress, ListingRow, Notice
from desktop_rag.core.requests import RecoverRequest
from tests.commands.ask_setup import AskSetup

KNOWN = {
    "knowledge bases", "followed folders", "files left out", "consents", "files", "documents",
    "chunks", "conversations", "messages", "drafts", "question sets", "saved questions",
    "places of answers", "measured runs", "notes", "vectors",
}  # fmt: skip


def every_table() -> list[str]:
    with closing(empty_catalog(migration_scripts())) as made:
        return list(tables_of(made))


def outcome(*counts: TableCount) -> RecoveryOutcome:
    return RecoveryOutcome(counts, None, renamed=0, short=0)


def rows(of: RecoveryOutcome) -> list[dict[str, Any]]:
    return [dict(each.values) for each in recover._told(of) if isinstance(each, ListingRow)]


def test_no_table_is_told_by_its_name(tmp_path: Path) -> None:
    told = rows(outcome(*(TableCount(table, 3, 2, 1, False) for table in every_table())))
    assert {row["kind"] for row in told if "kind" in row} == KNOWN
    (tmp_path / "catalog.sqlite").write_bytes(b"no catalog" * 1000)
    events = list(recover.run(tmp_path, CancelToken()))
    steps = {each.current for each in events if isinstance(each, IndexProgress)}
    assert steps == KNOWN | {""}


def test_a_kind_of_which_nothing_is_known_is_told_unless_nothing_at_all_is_left() -> None:
    nothing = TableCount("chats", 0, 0, 0, False)
    *told, end = rows(outcome(nothing, TableCount("files", 4, 0, 0, True)))
    assert [(row["kind"], row["exact"]) for row in told] == [
        ("conversations", False),
        ("files", True),
    ]
    assert not end["exact"]
    assert not end["empty"]
    (end,) = rows(outcome(nothing))
    assert end["empty"]


def test_lost_vectors_are_no_loss() -> None:
    *told, end = rows(outcome(TableCount("embeddings", 0, 9, 0, False, made_again=7)))
    assert told[0]["made_again"] == 7
    assert end["exact"]


def notices(of: RecoveryOutcome) -> list[str]:
    return [each.text for each in recover._told(of) if isinstance(each, Notice)]


def test_lost_texts_are_read_again_only_where_a_folder_is_followed() -> None:
    lost = TableCount("documents", 4, 1, 0, True)
    assert "are read again" in notices(outcome(lost, TableCount("sources", 1, 1, 0, True)))[0]
    for none in (TableCount("sources", 0, 1, 0, True), TableCount("sources", 0, 0, 0, False)):
        (told,) = notices(outcome(lost, none))
        assert told == "No followed folder is kept: add the folders again with `index`."
    assert not notices(
        outcome(TableCount("documents", 4, 0, 0, False), TableCount("sources", 0, 0, 0, True))
    )


def test_what_was_not_kept_aside_is_not_named() -> None:
    assert notices(outcome()) == []


def test_beside_an_open_program_it_says_what_is_to_be_closed(context: AskSetup) -> None:
    with pytest.raises(UserError, match="only while it is closed") as raised:
        list(perform(context.workspace, RecoverRequest(), CancelToken()))
    assert "Close the window (or stop `index --watch`)" in raised.value.remedy


@pytest.mark.parametrize("endings", [("a.sqlite",), ("a.sqlite", "a.sqlite-wal", "b.sqlite")])
def test_what_is_kept_aside_is_one_row_of_the_doctor(
    tmp_path: Path, endings: tuple[str, ...]
) -> None:
    (row,) = doctor._set_aside([tmp_path / f"catalog-damaged-{each}" for each in endings])
    assert ("3 files" in row.detail) == (len(endings) == 3)
    assert str(tmp_path) in row.detail
