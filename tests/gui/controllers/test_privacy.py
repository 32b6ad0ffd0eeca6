"""Consent asked of the user, and the log of connections, as the window has them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.connection_audit import Purpose
from desktop_rag.core.connection_log import ConnectionLog
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.requests import AskRequest
from desktop_rag.gui.controllers.privacy import (
    ConsentAnswer,
    ConsentRequest,
    Contact,
    PrivacyController,
    group_connections,
)
from tests.gui.controllers.test_settings import House

PLACE = "http://203.0.113.7:11434"


@pytest.fixture
def house(tmp_path: Path, qapp: QApplication) -> Iterator[House]:
    made = House(tmp_path, ollama__host=PLACE)
    for name in ("contracts", "diary"):
        made.workspace.catalog.kbs.create(name)
    yield made
    assert made.folder.close()


class User:
    """Answers every question for consent alike."""

    def __init__(self, privacy: PrivacyController, *, allows: bool) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self._allows = allows
        privacy.wanted.connect(self.answer)

    def answer(self, wanted: ConsentRequest) -> None:
        self.asked.append((wanted.place, wanted.kbs))
        wanted.decision.make(allowed=self._allows)


def seek(house: House, privacy: PrivacyController, *kbs: str) -> None:
    privacy.seek(house.workspace, AskRequest(kbs, "Why?"), CancelToken())


def test_what_is_allowed_is_kept_for_that_knowledge_base(house: House) -> None:
    privacy = PrivacyController(house.data_dir, house.runner, house.folder)
    user = User(privacy, allows=True)
    seek(house, privacy, "contracts")
    seek(house, privacy, "contracts")
    seek(house, privacy, "contracts", "diary")
    assert user.asked == [(PLACE, ("contracts",)), (PLACE, ("diary",))]
    given = house.workspace.catalog.consents.all()
    assert [(each.kb, each.place) for each in given] == [("contracts", PLACE), ("diary", PLACE)]


def test_who_said_no_is_asked_once_and_can_allow_it_later(house: House) -> None:
    privacy = PrivacyController(house.data_dir, house.runner, house.folder)
    user = User(privacy, allows=False)
    seek(house, privacy, "contracts")
    seek(house, privacy, "contracts")
    assert len(user.asked) == 1
    assert house.workspace.catalog.consents.all() == []
    outlooks: list[Any] = []
    privacy.outlook_changed.connect(outlooks.append)
    privacy.give("contracts", PLACE)
    house.runner.drain()
    assert [each.kb for each in outlooks[-1].consents] == ["contracts"]
    privacy.revoke("contracts", PLACE)
    house.runner.drain()
    assert outlooks[-1].consents == ()
    assert outlooks[-1].ollama == PLACE


def test_a_stop_ends_the_wait_for_an_answer() -> None:
    token = CancelToken()
    threading.Timer(0.1, token.cancel).start()
    with pytest.raises(Cancelled):
        ConsentAnswer().wait(token)


def test_the_first_answer_counts() -> None:
    decision = ConsentAnswer()
    decision.make(allowed=True)
    decision.make(allowed=False)
    assert decision.wait(CancelToken())


def contact(when: float, host: str = "127.0.0.1", *, allowed: bool = True) -> Contact:
    return Contact(when, host, 11434, Purpose.MODELS, allowed)


def test_the_same_connection_made_again_soon_is_one_row() -> None:
    rows = group_connections(
        [contact(0), contact(60), contact(61, "10.0.0.1"), contact(120), contact(5000)]
    )
    assert [(row.last.host, row.last.when, row.first, row.times) for row in rows] == [
        ("127.0.0.1", 5000, 5000, 1),
        ("127.0.0.1", 120, 0, 3),
        ("10.0.0.1", 61, 61, 1),
    ]


def test_a_refused_connection_is_a_row_of_its_own_also_after_the_clock_was_set_back() -> None:
    rows = group_connections([contact(100), contact(50), contact(51, allowed=False)])
    assert sorted((row.last.when, row.times, row.last.allowed) for row in rows) == [
        (50, 1, True),
        (51, 1, False),
        (100, 1, True),
    ]


def test_the_log_is_read_and_cleared(house: House) -> None:
    privacy = PrivacyController(house.data_dir, house.runner, house.folder)
    ConnectionLog(house.data_dir).add(contact(7))
    rows: list[tuple[object, ...]] = []
    privacy.log_changed.connect(rows.append)
    privacy.read_log()
    house.runner.drain()
    privacy.clear_log()
    house.runner.drain()
    assert [len(each) for each in rows] == [1, 0]
    assert ConnectionLog(house.data_dir).all() == []


def test_the_switch_takes_hold_of_every_library_at_once(house: House) -> None:
    import httpx

    house.settings.change("privacy.block_remote", True)
    house.runner.drain()
    with pytest.raises(httpx.ConnectError):
        httpx.get("http://203.0.113.7:8080/", trust_env=False)
    last = ConnectionLog(house.data_dir).all()[-1]
    assert (last.host, last.port, last.allowed) == ("203.0.113.7", 8080, False)
