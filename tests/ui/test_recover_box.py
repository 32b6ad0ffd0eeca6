"""The window over a damaged catalog: it says so, recovers it, and opens it."""

from __future__ import annotations

import shiboken6
from PySide6.QtWidgets import QApplication, QLabel

from desktop_rag.core.errors import CatalogDamaged
from desktop_rag.store import soundness
from desktop_rag.store.catalog import Catalog
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
    soundness.doubt(home / "catalog.sqlite")
    driver = Driver(qapp, home)
    box = opened(driver)
    assert box.what.text() == CatalogDamaged(home / "catalog.sqlite").what
    box.leave.click()
    wait_for(lambda: not driver.window.isVisible())


def test_a_sound_catalog_that_was_doubted_opens(qapp: QApplication, tmp_path) -> None:
    home = tmp_path / "home"
    made(home)
    soundness.doubt(home / "catalog.sqlite")
    driver = Driver(qapp, home)
    driver.open()
    assert not soundness.is_doubted(home / "catalog.sqlite")
    driver.close()
