"""A question before anything was added: it waits, and what can be added is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.types import KbId
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from testing.window_driver import Driver


def _base(name: str, files: int) -> KnowledgeBase:
    return KnowledgeBase(KbId(len(name)), name, 0.0, files, files)


@pytest.mark.parametrize(
    ("kbs", "is_so"),
    [(("full",), False), (("empty",), True), (("empty", "full"), False), ((), False)],
)
def test_what_has_nothing_to_be_asked(kbs: tuple[str, ...], *, is_so: bool) -> None:
    snapshot = LibrarySnapshot((_base("full", 3), _base("empty", 0)), "full")
    assert snapshot.has_nothing_in(kbs) is is_so


def test_it_is_not_known_before_the_folder_is_open() -> None:
    assert not LibrarySnapshot((), "My documents").has_nothing_in(("My documents",))


def test_sending_opens_the_choice_of_a_folder_and_keeps_the_question(
    driver: Driver, tmp_path: Path
) -> None:
    chat, wanted = driver.window.chat, []
    chat.folder_wanted.disconnect()  # the system's own dialog would wait
    chat.folder_wanted.connect(lambda: wanted.append(True))
    driver.ask("How high is the rent?")
    assert wanted == [True]
    assert not driver.context.chat.transcript.turns
    assert chat.composer.edit.toPlainText() == "How high is the rent?"

    (tmp_path / "lease.md").write_text("The rent of the workshop is 1,250 euros a month.")
    driver.drop(tmp_path / "lease.md")
    driver.wait_until_read(1)
    driver.window.chat.composer.send.click()
    assert "1,250" in driver.wait_for_answer().text
    assert wanted == [True]
