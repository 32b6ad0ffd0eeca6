"""Where a user left each document, and how large it was shown; kept beside the window's state."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QIODevice, QObject, QSaveFile, QTimer, Slot

from desktop_rag.core import codec
from desktop_rag.core.cancel import CancelToken
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation

PLACES_FILE = "reading-places.json"
MOST_PLACES = 500
_SOON_MS = 1500
_MOST = 2**30
_LEAST, _LARGEST = 0.01, 100.0  # of factors

_log = logging.getLogger(__name__)


class Zoom(StrEnum):
    """What the pages' size follows."""

    WIDTH = "width"
    PAGE = "page"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """Where a document was left, and its size; the defaults are those of one never seen.

    `page` counts from 1; `x`, `y` are the points of it in the view's corner. `scale` counts pixels
    a point, where the zoom follows nothing. `start` is the place in the text at the top, `letters`
    the size of its letters against the usual one. `row` and `column` stand in the corner of a
    table. `as_table` is what the user chose, None where nothing was.
    """

    page: int = 1
    x: float = 0.0
    y: float = 0.0
    zoom: Zoom = Zoom.WIDTH
    scale: float = 1.0
    start: int = 0
    letters: float = 1.0
    table: int = 0
    row: int = 0
    column: int = 0
    as_table: bool | None = None

    @property
    def is_sane(self) -> bool:
        """Whether a view can go there: what was read from a file may be anything."""
        numbers = (self.page, self.start, self.table, self.row, self.column)
        return (
            all(0 <= each < _MOST for each in numbers)
            and all(-_MOST < each < _MOST for each in (self.x, self.y))
            and all(_LEAST < each < _LARGEST for each in (self.scale, self.letters))
        )


class ReadingPlaces(QObject):
    """The places of the last documents read, by the hashes of their contents.

    A file that can't be read or written costs the places and nothing else. `known` says which of
    these contents the library holds: the others' places go.
    """

    def __init__(
        self,
        jobs: Jobs,
        file: Path,
        parent: QObject | None = None,
        known: Callable[[CancelToken, Sequence[str]], set[str]] | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._file = file
        self._of_library = known
        self._gone: set[str] = set()
        self._places: dict[str, ReadingPlace] | None = None
        self._lock = threading.Lock()
        self._is_changed = False
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self._save)

    def of(self, content: str) -> ReadingPlace:
        """Return where a document was left."""
        return self._known().get(content) or ReadingPlace()

    def keep(self, content: str, place: ReadingPlace) -> None:
        """Keep where a document is left; the oldest of too many is dropped."""
        known = self._known()
        before = known.pop(content, None)
        known[content] = place
        while len(known) > MOST_PLACES:
            del known[next(iter(known))]
        if place != before:
            self._is_changed = True
            self._soon.start()

    @Slot()
    def look_again(self) -> None:
        """Forget, soon, the places of what the library does not hold any more."""
        self._soon.start()

    def close(self) -> None:
        """Write what is not written yet."""
        self._soon.stop()
        if self._is_changed:
            self._write()

    def _known(self) -> dict[str, ReadingPlace]:
        if self._places is None:
            self._places = read_places(self._file)
        return self._places

    @Slot()
    def _save(self) -> None:
        Operation(self._work).start(self._jobs, Lane.READ)

    def _work(self, token: CancelToken) -> None:
        if self._of_library is not None:
            contents = list(self._known())
            gone = set(contents) - self._of_library(token, contents)
            self._is_changed |= bool(gone - self._gone)
            self._gone = gone
        if self._is_changed:
            self._write()

    def _write(self) -> None:
        """Write all places as they are now; whoever writes last writes the newest."""
        with self._lock:
            self._is_changed = False
            kept = {
                content: asdict(place)
                for content, place in list(self._known().items())
                if content not in self._gone
            }
            file = QSaveFile(str(self._file))
            is_open = file.open(QIODevice.OpenModeFlag.WriteOnly)
            if not (is_open and file.write(json.dumps(kept).encode()) > 0 and file.commit()):
                _log.warning("The places in documents were not kept: %s", file.errorString())


def read_places(file: Path) -> dict[str, ReadingPlace]:
    """Return what was kept, the oldest first; nothing where it is not as this version writes."""
    try:
        found = json.loads(file.read_bytes())
        kept = codec.decode(found, dict[str, ReadingPlace])
    except (OSError, ValueError, RecursionError):
        return {}
    sane = [(content, place) for content, place in kept.items() if place.is_sane]
    return dict(sane[-MOST_PLACES:])
