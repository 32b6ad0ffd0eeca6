from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import UserError
from tests.catalog.stored_documents import document, put


def test_the_data_folder_is_for_its_user_alone(home: Path) -> None:
    home.mkdir(mode=0o755)
    Catalog.open(home).close()
    if os.name == "posix":
        assert home.stat().st_mode & 0o777 == 0o700
        home.chmod(0o755)  # as a copy of it may be
        Catalog.open(home).close()
        assert home.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_folder_that_others_use_is_not_closed_to_them(home: Path) -> None:
    home.mkdir()
    (home / "someone's.txt").touch()
    home.chmod(0o1777)
    with pytest.raises(UserError, match="holds other files") as told:
        Catalog.open(home)
    assert "--data-dir" in told.value.remedy
    assert home.stat().st_mode & 0o7777 == 0o1777
    assert [each.name for each in home.iterdir()] == ["someone's.txt"]


def test_a_knowledge_base_is_made_once_and_counted(catalog: Catalog) -> None:
    kb = catalog.kbs.ensure("papers")
    assert catalog.kbs.ensure("papers") == kb
    put(catalog, kb.id, "/d/a", document("one", "two"))
    put(catalog, kb.id, "/d/b", document("three"))
    found = catalog.kbs.get("papers")
    assert (found.files, found.chunks) == (2, 3)
    assert [each.name for each in catalog.kbs.all()] == ["papers"]


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "x" * 101, "taken"])
def test_a_name_that_cannot_be_is_refused(catalog: Catalog, name: str) -> None:
    catalog.kbs.create("taken")
    with pytest.raises(UserError):
        catalog.kbs.create(name)


def test_a_knowledge_base_that_is_not_there_is_said_in_a_sentence(catalog: Catalog) -> None:
    with pytest.raises(UserError, match="no knowledge base named “nope”"):
        catalog.kbs.get("nope")


def test_a_deleted_number_is_never_given_again(catalog: Catalog) -> None:
    first = catalog.kbs.create("one").id
    catalog.kbs.delete("one")
    assert catalog.kbs.create("one").id != first


def test_sources_are_followed_changed_and_let_go(catalog: Catalog) -> None:
    kb = catalog.kbs.ensure("default").id
    catalog.kbs.add_source(kb, "/d", is_folder=True, exclude=("*.tmp",))
    made = catalog.kbs.add_source(kb, "/d", is_folder=True, exclude=("*.bak", "x"))
    assert catalog.kbs.sources(kb) == [made]
    assert made.exclude == ("*.bak", "x")
    assert catalog.kbs.remove_source(kb, "/d")
    assert not catalog.kbs.remove_source(kb, "/d")
    assert catalog.kbs.sources(kb) == []


def test_a_renamed_one_keeps_what_is_in_it_and_its_conversations(catalog: Catalog) -> None:
    kb = catalog.kbs.ensure("papers").id
    chat = catalog.chats.create("A question", ("papers", "other"))
    assert catalog.kbs.rename("papers", " Letters ") == "Letters"
    assert catalog.kbs.names() == {"Letters": kb}
    row = catalog.database.read().execute("SELECT kbs FROM chats WHERE id = ?", (chat,))
    assert row.fetchone()[0] == '["Letters", "other"]'
    catalog.kbs.create("taken")
    with pytest.raises(UserError, match="already"):
        catalog.kbs.rename("Letters", "taken")


def test_text_recognition_is_as_the_settings_say_until_it_is_switched(catalog: Catalog) -> None:
    kb = catalog.kbs.create("papers").id
    other = catalog.kbs.create("scans").id
    for switch in (True, False, None):
        catalog.kbs.set_recognition("papers", recognizes=switch)
        assert catalog.kbs.get("papers").recognizes_text is switch
        said = [catalog.kbs.recognizes_text(kb, default=default) for default in (True, False)]
        assert said == ([True, False] if switch is None else [switch, switch])
    assert catalog.kbs.get("scans").recognizes_text is None
    assert catalog.kbs.recognizes_text(other, default=True)


def test_other_programs_ask_only_what_they_were_allowed_to(catalog: Catalog) -> None:
    kb, other = (catalog.kbs.create(name).id for name in ("contracts", "diary"))
    assert not any(each.is_served for each in catalog.kbs.all())
    for _ in range(2):  # twice is once
        catalog.kbs.set_served("contracts", is_served=True)
    assert [each.name for each in catalog.kbs.all() if each.is_served] == ["contracts"]
    assert catalog.kbs.is_served(kb)
    assert not catalog.kbs.is_served(other)
    copy = catalog.database.copies.make()
    catalog.kbs.set_served("contracts", is_served=False)
    assert not copy.exists()
    assert not catalog.kbs.get("contracts").is_served
    catalog.kbs.set_served("contracts", is_served=True)
    catalog.kbs.delete("contracts")
    assert not catalog.kbs.create("contracts").is_served
