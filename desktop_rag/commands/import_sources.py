"""Which folders and files of an exported knowledge base are on this computer and may be followed.

Whoever made the file wrote their paths: none is looked at that can't be a user's documents, and
none is followed that the user did not name.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from desktop_rag.catalog.exchange.export_reader import ExportedFile, ExportedSource, ExportReader
from desktop_rag.catalog.exchange.file_format import FILES
from desktop_rag.core.errors import UserError
from desktop_rag.core.filesystem import is_at_or_below, stat_file
from desktop_rag.core.phrases import Phrase
from desktop_rag.indexing.source_paths import resolve_path

_FAR = ("//", "\\\\", "file:")
_OF_THE_SYSTEM = (
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/sbin", "/snap", "/sys",
    "/usr", "/var/lib", "/var/log",
    "/net", "/afs", "/Network",  # a look at a name below would open a connection
    "/System", "/Library", "/Applications", "/private/etc",
)  # fmt: skip
_OF_WINDOWS = ("SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "ProgramData")


class ImportedSources:
    """What an exported knowledge base followed, and which of it is `here`, on this computer.

    A source is here when it, and one of its files at its size, is: another folder that happens to
    have its path is not. `stat_file` or `check` find out.
    """

    def __init__(self, data_dir: Path, reader: ExportReader) -> None:
        self._data_dir = str(data_dir.resolve())
        self._reader = reader
        self.all: list[ExportedSource] = []
        self.here: list[str] = []

    def look(self) -> Iterator[int]:
        """Read what is said of sources and files, and yield how many lines are read."""
        self.all, self.here = list(self._reader.sources()), []
        yield len(self.all)
        yield from self._files(len(self.all))

    def check(self) -> Iterator[int]:
        """Read the whole file once, and yield how many lines are read."""
        self.all, self.here = list(self._reader.sources()), []
        done = len(self.all) + sum(1 for _ in self._reader.exclusions())
        for document in self._reader.documents():
            done += 1
            yield done
            for _ in document.chunks:
                done += 1
                yield done
        yield from self._files(done)
        done += self._reader.manifest.counts[FILES]
        ways = [each.way for each in self._reader.preparations()]
        done += len(ways)
        for prepared in self._reader.prepared(ways):
            done += 1 + sum(1 for _ in prepared.texts)
            yield done
        done += sum(1 for _ in self._reader.adaptation())
        for vectors in self._reader.vectors():
            done += len(vectors)
            yield done

    def agreed(self, wanted: Collection[str]) -> set[str]:
        """Return those of the places here that the user wants followed; a UserError at another."""
        found = {path: path for path in self.here}
        found |= {resolve_path(path): path for path in self.here}
        for path in wanted:
            if resolve_path(path) not in found:
                raise UserError(
                    Phrase(
                        "{0} can't be followed by this import: the knowledge base did "
                        "not follow it, or none of its files is there now.",
                        path,
                    ),
                    "Import without it, and add the folder afterwards.",
                )
        return {found[resolve_path(path)] for path in wanted}

    def _files(self, done: int) -> Iterator[int]:
        """Find, while the files are read, the sources of which one is here."""
        waiting = [source for source in self.all if self._may_be_here(source)]
        for file in self._reader.files():
            for source in [each for each in waiting if _is_of(file, each)]:
                waiting.remove(source)
                self.here.append(source.path)
            done += 1
            yield done

    def _may_be_here(self, source: ExportedSource) -> bool:
        """Say whether a source is here; what is no user's place is not even looked at."""
        path = source.path
        if path.startswith(_FAR) or is_at_or_below(path, self._data_dir) or is_system_path(path):
            return False
        return Path(path).is_absolute() and resolve_path(path) == path and _is_kind(source)


def is_system_path(path: str) -> bool:
    """Say whether a path is the system's own: its folders, what is below, what is above homes."""
    places = [*_OF_THE_SYSTEM, *(os.environ.get(name, "") for name in _OF_WINDOWS)]
    given, home = os.path.normcase(path), os.path.normcase(Path.home())
    if Path(path).parent == Path(path) or (given != home and is_at_or_below(home, given)):
        return True
    return any(place and is_at_or_below(given, os.path.normcase(place)) for place in places)


def _is_kind(source: ExportedSource) -> bool:
    return Path(source.path).is_dir() if source.is_folder else Path(source.path).is_file()


def _is_of(file: ExportedFile, source: ExportedSource) -> bool:
    """Say whether a file of a source is there, at its size, and is more than empty."""
    if file.stamp is None or not file.stamp.size or not is_at_or_below(file.path, source.path):
        return False
    if os.path.normpath(file.path) != file.path:
        return False
    found = stat_file(file.path)
    return found is not None and found.size == file.stamp.size
