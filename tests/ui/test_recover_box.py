"""The window over a damaged catalog: it says so, recovers it, and opens it."""

from __future__ import annotations

import shiboken6
from PySide6.QtWidgets import QApplication, QLabel

from desktop_rag.app.importing import Offer
from desktop_rag.app.recovering import Kind, Recovered, RecoveringController
from desktop_rag.core.errors import CatalogDamaged
from desktop_rag.store import integrity
from desktop_rag.store.catalog import Catalog
from desktop_rag.ui.library.import_box import ImportBox
from desktop_rag.ui.recover_box import RecoverBox
from tests.store.made import many, put
from tests.ui.driving import Driver, wait_for


def made(home) -> None:
    """Make a catalog with a document and a conversation."""
    catalog = Catalog.open(home)
    put(catalog, catalog.kbs.ensure("default").id, "/d/a", many("a", 30))
    chat = catalog.chats.create("Harbour", ("default",))
    catalog.chats.append(chat, "user", "What is it?")
    catalog.close()


def opened(driver: Driver) -> RecoverBox:
    driver.window.show()
    driver.desk.begin()
    wait_for(lambda: driver.window.findChildren(RecoverBox))
    (box,) = driver.window.findChildren(RecoverBox)
    return box


def test_a_damaged_catalog_is_recovered_at_a_press_and_opened(qapp: QApplication, tmp_path) -> None:
    home = tmp_path / "home"
    made(home)
    path = home / "catalog.sqlite"
    content = bytearray(path.read_bytes())
    content[16:20] = b"none"
    path.write_bytes(content)
    driver = Driver(qapp, home)
    box = opened(driver)
    assert "damaged" in box.what.text()
    box.recover.click()
    wait_for(box.go_on.isVisible)
    assert "nothing is lost" in box.what.text()
    told = [label.text() for label in box._table.findChildren(QLabel)]
    assert "conversations" in told
    assert str(next(home.glob("catalog-damaged-*"))) in box.note.text()
    box.go_on.click()
    wait_for(lambda: driver.desk.library.shelf.kbs)
    wait_for(lambda: not shiboken6.isValid(box))
    assert driver.window.isVisible()
    driver.close()


def test_closed_unrecovered_the_window_goes_and_the_catalog_is_as_it_was(
    qapp: QApplication, tmp_path
) -> None:
    home = tmp_path / "home"
    made(home)
    path = home / "catalog.sqlite"
    path.write_bytes(b"no catalog" * 1000)
    driver = Driver(qapp, home)
    box = opened(driver)
    box.leave.click()
    wait_for(lambda: not driver.window.isVisible())
    assert path.read_bytes() == b"no catalog" * 1000


def test_a_catalog_that_was_found_damaged_is_looked_through_at_the_next_start(
    qapp: QApplication, tmp_path
) -> None:
    home = tmp_path / "home"
    made(home)
    catalog = Catalog.open(home)
    with catalog.database.write() as tx:
        tx.execute("UPDATE chunks SET locator = '{' WHERE id = 3")
    catalog.close()
    integrity.doubt(home / "catalog.sqlite")
    driver = Driver(qapp, home)
    box = opened(driver)
    assert box.what.text() == CatalogDamaged(home / "catalog.sqlite").what
    box.leave.click()
    wait_for(lambda: not driver.window.isVisible())


def test_a_sound_catalog_that_was_doubted_opens(qapp: QApplication, tmp_path) -> None:
    home = tmp_path / "home"
    made(home)
    integrity.doubt(home / "catalog.sqlite")
    driver = Driver(qapp, home)
    driver.open()
    assert not integrity.is_doubted(home / "catalog.sqlite")
    driver.close()


LONG = "/home/me/.local/share/desktop-rag/catalog-damaged-20260101T000000000000Z.sqlite"


def shown(
    driver: Driver, *kinds: Kind, is_empty: bool = False, is_exact: bool = True
) -> RecoverBox:
    driver.open()
    recovering = RecoveringController(driver.desk.jobs, driver.desk.folder)
    box = RecoverBox(CatalogDamaged("/home/me/catalog.sqlite"), recovering, driver.window)
    box.open()
    recovering.ended.emit(Recovered(kinds, True, LONG, 3, is_empty, is_exact))
    return box


def test_a_result_says_no_more_than_is_known(qapp: QApplication, tmp_path) -> None:
    driver = Driver(qapp, tmp_path / "home")
    kinds = (Kind("files", 4, 0, 0, False), Kind("messages", 9, 2, 0, False))
    box = shown(driver, *kinds)
    told = [label.text() for label in box._table.findChildren(QLabel)]
    assert "unknown" in told
    assert "at least 2" in told
    assert "3 knowledge bases, conversations or question sets have new names." in box.text.text()
    box.reject()
    driver.close()


def test_headlines(qapp: QApplication, tmp_path) -> None:
    driver = Driver(qapp, tmp_path / "home")
    whole = Kind("files", 4, 0, 0, True)
    box = shown(driver, whole, is_exact=False)
    assert box.what.text() == "The catalog is recovered."
    box.reject()
    box = shown(driver, whole, Kind("vectors", 4, 9, 0, False))
    assert "nothing is lost" in box.what.text()
    box.reject()
    box = shown(driver, is_empty=True, is_exact=False)
    assert "Nothing could be read" in box.what.text()
    box.reject()
    driver.close()


def test_dialogs_are_as_high_as_their_content_as_far_as_the_screen_goes(
    qapp: QApplication, tmp_path
) -> None:
    driver = Driver(qapp, tmp_path / "home")
    names = ("files", "documents", "messages", "drafts", "consents", "conversations")
    box = shown(driver, *(Kind(name, 4, 1, 0, True) for name in names * 4))
    room = box.screen().availableGeometry().height() - 32
    assert box.height() == min(room, box.layout().totalHeightForWidth(box.width()))
    assert box.height() > box.screen().availableGeometry().height() * 2 // 3
    box.reject()
    asked = ImportBox(Offer("/tmp/a.ragkb", tuple(f"/d/{n}" for n in range(20))), driver.window)
    asked.open()
    row = asked.places.sizeHintForRow(0)
    assert asked.places.height() // row == 6
    assert asked.places.minimumHeight() // row == 2
    asked.reject()
    driver.close()
