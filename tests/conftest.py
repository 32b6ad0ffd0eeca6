"""What every test may ask for."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from hypothesis import HealthCheck, settings

from testing.forked_processes import processes_are_forked
from testing.model_fixtures import embedder, library, reader
from testing.sample_folder import read_by_the_program
from testing.shared_chroma import SharedChromaProcess, shared_by_all
from testing.shared_models import models_are_shared
from tests import ollama_port_guard
from tests.network_guard import only_loopback

if TYPE_CHECKING:
    from testing.window_driver import Driver

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # no window of a test on anybody's screen
# Nor is the key ring of whoever runs the tests asked; those that need one name another.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
# A shell's background job ignores Ctrl-C, and the programs that the tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
ollama_port_guard.close_it()

# The same examples each time, on a slow machine too: a suite that draws others each day would fail
# on days when nothing was changed. `HYPOTHESIS_PROFILE=search` looks for new ones.
settings.register_profile(
    "fixed", derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.register_profile("search", settings.get_profile("fixed"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

__all__ = ["REPOSITORY", "embedder", "library", "only_loopback", "reader", "shared"]

REPOSITORY = Path(__file__).resolve().parent.parent
# Tests in which a process of Chroma's own is what matters.
_WITH_CHROMA_OF_THEIR_OWN = ("index", "sharing", "system", "drills")
# Tests of how a process starts, and of the models themselves.
_WITH_STARTS_OF_THEIR_OWN = ("attacks", "drills", "index", "parsing")
_TIMED = "test_very_many_files"  # the stalls that it finds would be the fork server's imports
_WITH_MODELS_OF_THEIR_OWN = ("models", "training")
# Files that take a minute or so, the longest first: begun last, one would keep all others waiting.
_LONGEST = (
    "test_sharing", "test_workers", "test_cli_processes", "test_index_damage", "test_cli_contract",
    "test_page_recognizer", "test_every_strategy", "test_recognition", "test_screens",
    "test_library_window", "test_chroma_process", "test_unusual_drives", "test_text_fits",
)  # fmt: skip
_resident = 0


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the chat templates that model families publish; see `tests/strategies/chat_families`."""
    parser.addoption("--chat-templates", metavar="FOLDER", help="published Jinja chat templates")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files."""
    places = {name: at for at, name in enumerate(_LONGEST)}
    items.sort(key=lambda each: places.get(each.path.stem, len(places)))


@pytest.fixture(scope="session")
def shared_chroma(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedChromaProcess]:
    """Give the Chroma process that the tests share."""
    process = SharedChromaProcess(tmp_path_factory.mktemp("chroma") / "chroma.lock")
    yield process
    process.end()


@pytest.fixture(scope="module", autouse=True)
def chroma_is_shared(
    request: pytest.FixtureRequest, shared_chroma: SharedChromaProcess
) -> Iterator[None]:
    """Start no Chroma process for each test, but where that is tested."""
    if request.path.relative_to(REPOSITORY / "tests").parts[0] in _WITH_CHROMA_OF_THEIR_OWN:
        yield
        return
    with shared_by_all(shared_chroma):
        yield


@pytest.fixture(scope="module", autouse=True)
def processes_start_quickly(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fork the program's processes, and load its models once, but where that is tested."""
    of = request.path.relative_to(REPOSITORY / "tests").parts[0]
    with ExitStack() as quick:
        if of not in _WITH_STARTS_OF_THEIR_OWN and request.path.stem != _TIMED:
            quick.enter_context(processes_are_forked())
        if of not in _WITH_MODELS_OF_THEIR_OWN:
            quick.enter_context(models_are_shared())
        yield


@pytest.fixture(autouse=True)
def what_was_closed_is_freed() -> Iterator[None]:
    """Free after a test of the window what Qt and Python would keep until later.

    Qt deletes in an event loop, which is in the next test: it would still be dressed, told and
    painted there, and a crash of it be laid at that test's door. Python finds cycles when there are
    enough new objects; it does not see that a few of them hold 70 MB of models and indexes.
    """
    before = _windows()  # those of a whole module's tests
    for each in before[-1:]:  # a menu of the test before may have taken it away from the window
        each.window.activateWindow()
    yield
    if "PySide6.QtWidgets" not in sys.modules:
        return
    for window in _windows():
        if window not in before:  # its test failed, and would fail the next ones, too
            window.close()
    from PySide6.QtCore import QCoreApplication, QEvent

    if QCoreApplication.instance():
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.unfreeze()  # what was there when a window opened is no reason to keep that window
        _collect_if_grown()


def _windows() -> list[Driver]:
    """Return the windows that are driven now."""
    driving = sys.modules.get("testing.window_driver")
    return list(driving.OPEN) if driving else []


@pytest.fixture(autouse=True)
def nothing_reaches_ollama_s_usual_port() -> Iterator[None]:
    """Let a test fail that asks the Ollama of whoever runs it."""
    ollama_port_guard.REACHED.clear()
    yield
    assert ollama_port_guard.REACHED == []


@pytest.fixture(autouse=True)
def keys_that_a_test_held_are_let_go() -> Iterator[None]:
    """Let no test begin with Ctrl held down: `QTest.keyClick` with a modifier leaves it so."""
    yield
    if "PySide6.QtTest" not in sys.modules:
        return
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication, QWindow
    from PySide6.QtTest import QTest

    if QGuiApplication.instance() and QGuiApplication.keyboardModifiers():
        QTest.keyRelease(QWindow(), Qt.Key.Key_Control)


def _collect_if_grown(at_least: float = 200e6) -> None:
    global _resident  # noqa: PLW0603 - the process has one
    if psutil.Process().memory_info().rss > _resident + at_least:
        gc.collect()
        if sys.platform == "linux":  # glibc keeps what threads freed, which each window has ten of
            ctypes.CDLL(None).malloc_trim(0)
        _resident = psutil.Process().memory_info().rss


def pytest_sessionfinish() -> None:
    """End as the window does: what a test copied may not outlive Python."""
    if (
        "PySide6.QtWidgets" in sys.modules
        and sys.modules["PySide6.QtWidgets"].QApplication.instance()
    ):
        from desktop_rag.gui.chat import clipboard

        clipboard.detach_clipboard()


@pytest.fixture(scope="session")
def read_samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that has read the samples, to be copied: `testing.sample_folder.copied`."""
    folder = tmp_path_factory.getbasetemp()
    is_one_of_several = "PYTEST_XDIST_WORKER" in os.environ  # whose folders lie in a common one
    return read_by_the_program(folder.parent if is_one_of_several else folder)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The collection of real documents beside the project; its tests skip where it is missing."""
    folder = REPOSITORY.parent / "shared"
    if not (folder / "documents" / "manifest.jsonl").is_file():
        pytest.skip("the collection of real documents is not beside the project")
    return folder
