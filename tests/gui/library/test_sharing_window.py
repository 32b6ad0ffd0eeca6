"""Sharing and joining a knowledge base in the window, on a real Chroma server."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QInputDialog, QLabel, QPushButton

from desktop_rag.gui.controllers.library import Idle
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.join_dialog import JoinDialog
from desktop_rag.gui.library.library_pane import LibraryPane
from desktop_rag.gui.library.unshare_dialog import UnshareDialog
from desktop_rag.index.chroma_server import CollectionMissing
from desktop_rag.sharing.row_sender import author
from testing.narrowing import present
from testing.window_driver import Driver, wait_for
from tests.commands.export_files import documents
from tests.gui.menu_clicks import pick_for_base
from tests.index import chroma_server
from tests.sharing.team import TEAM, act, indexed, member, on_server


def _type_in(driver: Driver, text: str) -> None:
    dialog = present(driver.window.findChildren(QInputDialog)[-1])
    dialog.setTextValue(text)
    dialog.accept()


def _listed(dialog: JoinDialog) -> list[str]:
    return [dialog.bases.item(row).text() for row in range(dialog.bases.count())]


def _confirm(dialog: UnshareDialog) -> None:
    (go,) = [each for each in dialog.findChildren(QPushButton) if each.text() == "Stop sharing"]
    QTest.mouseClick(go, Qt.MouseButton.LeftButton)


def _shown(pane: LibraryPane) -> list[QAction]:
    menu = pane.bases.menu
    menu.aboutToShow.emit()
    return [each for each in menu.actions() if each.isVisible()]


def test_one_is_joined_and_answers_and_an_own_one_is_shared(driver: Driver, tmp_path: Path) -> None:
    if chroma_server.program() is None:
        pytest.skip("Chroma's own server program is not installed")
    library, pane = driver.context.library, driver.window.side.library
    docs = documents(tmp_path / "docs")
    with chroma_server.serving(tmp_path / "server") as url:
        with member(tmp_path / "colleague", url) as colleague:
            indexed(colleague, docs)
            act(colleague, "share", "default", new_name=TEAM)
        applied = QSignalSpy(driver.context.settings.applied)
        driver.context.settings.change("privacy.chroma_url", url)
        wait_for(lambda: applied.count() == 1)
        pick_for_base(pane, "Join a shared knowledge base…")
        joining = present(driver.window.findChild(JoinDialog))
        wait_for(joining.go.isEnabled)
        assert _listed(joining) == [TEAM]
        QTest.mouseClick(joining.go, Qt.MouseButton.LeftButton)
        wait_for(lambda: library.snapshot.current == TEAM and len(library.snapshot.files) == 5)
        wait_for(lambda: not library.commands.underway)
        tips = {library_text.file_tooltip(row) for row in library.snapshot.files}
        assert all(f"Shared by {author()}" in tip for tip in tips)
        assert pane.tree.folders.index(0, 0).data() == "Shared by others"
        driver.ask("What does the trout cost?")
        assert "24" in driver.wait_for_answer().text
        (docs / "heron.md").write_text("# Heron\n\n" + "A heron stands there. " * 30, "utf-8")
        with member(tmp_path / "colleague", url) as colleague:
            indexed(colleague, docs)
        pick_for_base(pane, "Look for changes now")
        wait_for(lambda: len(library.snapshot.files) == 6)

        library.switch("default")
        driver.drop(docs)
        wait_for(lambda: library.snapshot.current == "default" and library.activity == Idle())
        wait_for(lambda: len(library.snapshot.files) >= 6)
        wait_for(lambda: library.activity == Idle())
        pick_for_base(pane, "Share on a server…")
        _type_in(driver, "mine")
        wait_for(lambda: not library.commands.underway)
        assert len(on_server(url, "mine").files) == 6
        wait_for(lambda: library.snapshot.share is not None)

        pick_for_base(pane, "Join a shared knowledge base…")
        again = present(driver.window.findChildren(JoinDialog)[-1])
        wait_for(lambda: again.bases.count() == 2)
        assert _listed(again) == ["mine – here as “My documents”", f"{TEAM} – here as “{TEAM}”"]
        assert again.told.text() == "You have all that is shared there."
        assert not again.go.isEnabled()
        again.reject()

        pick_for_base(pane, "Stop sharing…")
        dialog = present(driver.window.findChild(UnshareDialog))
        assert [each.text() for each in dialog.findChildren(QLabel)][1].startswith(
            f"It is “mine” on {url}. Both were last in step "
        )
        dialog.withdraw.setChecked(True)
        _confirm(dialog)
        wait_for(lambda: library.snapshot.share is None)
        wait_for(lambda: not library.commands.underway)
        with pytest.raises(CollectionMissing):
            on_server(url, "mine")
        assert library.snapshot.ready == 6

        library.switch(TEAM)
        wait_for(lambda: library.snapshot.current == TEAM and library.snapshot.share is not None)
        pick_for_base(pane, "Stop sharing…")
        dialog = present(driver.window.findChildren(UnshareDialog)[-1])
        assert not dialog.withdraw.isVisible()  # who only reads takes nothing from the others
        _confirm(dialog)
        wait_for(lambda: library.snapshot.share is None)
        assert not any(act.text() == "Stop sharing…" for act in _shown(pane))
        assert len(on_server(url, TEAM).files) == 6


def test_one_that_is_called_as_an_own_one_is_shown_is_joined_under_another_name(
    driver: Driver, tmp_path: Path
) -> None:
    if chroma_server.program() is None:
        pytest.skip("Chroma's own server program is not installed")
    library = driver.context.library
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "heron.md").write_text("# Heron\n\nA heron stands there.\n", "utf-8")
    with chroma_server.serving(tmp_path / "server") as url:
        with member(tmp_path / "colleague", url) as colleague:
            indexed(colleague, docs)
            act(colleague, "share", "default", new_name="My documents")
        applied = QSignalSpy(driver.context.settings.applied)
        driver.context.settings.change("privacy.chroma_url", url)
        wait_for(lambda: applied.count() == 1)
        pick_for_base(driver.window.side.library, "Join a shared knowledge base…")
        joining = present(driver.window.findChild(JoinDialog))
        wait_for(joining.go.isEnabled)
        QTest.mouseClick(joining.go, Qt.MouseButton.LeftButton)
        wait_for(lambda: "My documents (2)" in [each.name for each in library.snapshot.kbs])
        wait_for(lambda: not library.commands.underway)
        assert {each.name for each in library.snapshot.kbs} == {"default", "My documents (2)"}


def test_without_a_server_the_window_says_where_to_name_one(driver: Driver) -> None:
    pick_for_base(driver.window.side.library, "Join a shared knowledge base…")
    dialog = present(driver.window.findChild(JoinDialog))
    wait_for(lambda: "No shared Chroma server is set" in dialog.told.text())
    assert not dialog.go.isEnabled()
