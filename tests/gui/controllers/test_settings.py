"""Settings changed in the window: kept, and in force for what begins next."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.requests import OpenRequest, SearchRequest
from desktop_rag.core.settings import Settings
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import InlineRunner
from desktop_rag.gui.controllers.settings import SettingsController
from desktop_rag.ipc.wire import Call
from desktop_rag.runtime import WindowRuntime, open_for_window
from desktop_rag.workspace import Workspace
from testing.narrowing import present

pytestmark = pytest.mark.usefixtures("qapp")


class House:
    """A data folder that this process owns, and the controller over it."""

    def __init__(self, folder: Path, **overrides: str) -> None:
        self.named = {key.replace("__", "."): value for key, value in overrides.items()}
        self.data_dir = folder
        self.runner = InlineRunner()
        self.folder = DataFolder(self._take)
        self.settings = SettingsController(folder, self.named, self.runner, self.folder)
        self.heard: list[Settings] = []
        self.settings.settings_changed.connect(self.heard.append)
        self.complaints: list[UserError] = []
        self.settings.complained.connect(self.complaints.append)
        self.folder.open(CancelToken())

    def _take(self) -> WindowRuntime | None:
        self.home = open_for_window(self.data_dir, self.named, OpenRequest(), self._nobody)
        return self.home

    def _nobody(self, wanted: OpenRequest) -> None:
        raise AssertionError(wanted)

    @property
    def workspace(self) -> Workspace:
        return self.folder.get(CancelToken())

    @property
    def written(self) -> dict[str, object]:
        return json.loads((self.data_dir / "settings.json").read_text("utf-8"))


@pytest.fixture
def house(tmp_path: Path, qapp: QApplication) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    assert made.folder.close()


def test_a_change_is_told_at_once_and_kept(house: House) -> None:
    house.settings.change("window.theme", "dark")
    assert [each.window.theme for each in house.heard] == ["dark"]
    house.runner.drain()
    assert house.written["window"] == {"theme": "dark"}


def test_a_change_holds_for_the_next_question(house: House) -> None:
    before = house.workspace
    house.settings.change("retrieval.candidates", 77)
    house.runner.drain()
    assert house.workspace is not before
    assert house.workspace.settings.retrieval.candidates == 77
    assert house.workspace.catalog is before.catalog
    assert house.workspace.lazy_parsers is before.lazy_parsers


def test_new_limits_for_parsers_give_new_ones_and_end_the_old_when_nobody_indexes(
    house: House,
) -> None:
    before = house.workspace
    old = before.parsers
    house.settings.change("ingest.parsers", 1)
    house.runner.drain()
    assert house.workspace.lazy_parsers is not before.lazy_parsers
    assert before.parsers is old
    house.folder.for_indexing(CancelToken())
    assert before.lazy_parsers.take() is None


def test_what_needs_a_new_start_waits_for_it_and_says_so(house: House) -> None:
    house.settings.change("models.threads", 3)
    house.settings.change("retrieval.alpha", 0.25)
    house.runner.drain()
    assert house.settings.waits("models.threads")
    assert not house.settings.waits("retrieval.alpha")
    assert house.workspace.settings.models.threads == 0
    assert house.written["models"] == {"threads": 3}


def test_commands_go_on_while_a_change_waits_for_the_next_start(house: House) -> None:
    house.settings.change("models.threads", 3)
    house.settings.change("retrieval.alpha", 0.25)
    house.runner.drain()
    beside = present(house.home)._house._settings
    search = SearchRequest(("default",), "words")
    found = beside(Call(search, {}, ""))
    assert (found.models.threads, found.retrieval.alpha) == (0, 0.25)
    assert beside(Call(search, {"threads": "5"}, "")).models.threads == 5


def test_a_value_that_is_none_changes_nothing(house: House) -> None:
    with pytest.raises(UsageError):
        house.settings.change("ollama.num_ctx", 3)
    house.runner.drain()
    assert house.heard == []
    assert not (house.data_dir / "settings.json").exists()


def test_the_default_can_be_had_back(house: House) -> None:
    house.settings.change("retrieval.candidates", 77)
    assert house.settings.is_changed("retrieval.candidates")
    house.settings.reset("retrieval.candidates", "retrieval.alpha")
    house.runner.drain()
    assert not house.settings.is_changed("retrieval.candidates")
    assert "retrieval" not in house.written


def test_what_was_set_for_this_run_is_in_force_and_never_kept(tmp_path: Path) -> None:
    house = House(tmp_path, ollama__host="127.0.0.1:9", retrieval__candidates="60")
    assert house.settings.settings.ollama.host == "127.0.0.1:9"
    house.settings.change("retrieval.candidates", 70)
    house.runner.drain()
    assert house.written == {"version": 1, "retrieval": {"candidates": 70}}
    assert house.workspace.settings.ollama.host == "127.0.0.1:9"
    assert house.folder.close()


def test_many_changes_at_once_end_in_the_last(house: House) -> None:
    for value in range(10, 40):
        house.settings.change("retrieval.candidates", value)
    house.runner.drain()
    assert house.written["retrieval"] == {"candidates": 39}
    assert house.workspace.settings.retrieval.candidates == 39


def test_a_change_in_the_last_moment_is_kept(house: House) -> None:
    house.settings.change("window.language", "zh")
    house.settings.close()
    assert house.written["window"] == {"language": "zh"}


def test_a_file_that_cannot_be_written_is_a_complaint(house: House) -> None:
    (house.data_dir / "settings.json.new").mkdir()
    house.settings.change("window.theme", "dark")
    house.runner.drain()
    assert "can't be written" in house.complaints[0].what


def test_what_changes_only_what_is_in_force_is_applied_after_a_writing_too(tmp_path: Path) -> None:
    house = House(tmp_path, privacy__block_remote="true")
    house.settings.change("window.scale", 150)  # its writing is under way
    house.settings.change("privacy.block_remote", False)  # as it is kept already
    house.runner.drain()
    assert not house.workspace.settings.privacy.block_remote
    assert house.folder.close()


def test_what_is_changed_here_is_no_longer_the_run_s(tmp_path: Path) -> None:
    house = House(tmp_path, scale="200", ollama__model="small")
    house.settings.change("window.scale", 100)
    assert house.settings.overrides == {"ollama.model": "small"}
    assert house.folder.close()
