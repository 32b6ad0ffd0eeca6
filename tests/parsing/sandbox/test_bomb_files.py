"""Small files that are huge when read end in a named state, within the limits, and alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self

import psutil
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox.parser_pool import ParseOutcome, ParserPool
from tests.parsing.sandbox import bomb_files

SECONDS, PATIENCE, MEGABYTES = 4.0, 60.0, 1024


class Peak:
    """The most memory that this process's children held together, in MiB, looked at on the way."""

    def __enter__(self) -> Self:
        self.megabytes = 0.0
        self._over = threading.Event()
        self._look = threading.Thread(target=self._watch)
        self._look.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._look.join()

    def _watch(self) -> None:
        while not self._over.wait(0.05):
            held = 0
            for child in psutil.Process().children(recursive=True):
                try:
                    held += child.memory_info().rss
                except psutil.Error:
                    continue
            self.megabytes = max(self.megabytes, held / 2**20)


def outcome(pool: ParserPool, path: Path) -> ParseOutcome:
    return next(iter(pool.run([path], CancelToken())))[1]


def no_page_of_ten_thousand_is_lost(found: ParsedDocument) -> None:
    assert found.pages == 10_000
    assert [b.place.value for b in found.blocks] == list(range(1, 10_001))
    assert found.blocks[-1].text == "Section 10000 of the register of ships."


def both_ends_of_a_sheet_are_read_and_nothing_between(found: ParsedDocument) -> None:
    text = "\n".join(block.text for block in found.blocks)
    assert "opens at six" in text
    assert "leaves at noon" in text
    assert len(text) < 1000


def entities_are_not_laughed_out_loud(found: ParsedDocument) -> None:
    assert sum(len(block.text) for block in found.blocks) < 10_000


SAID = {  # of those that are read after all
    "far.xlsx": both_ends_of_a_sheet_are_read_and_nothing_between,
    "laughs.html": entities_are_not_laughed_out_loud,
    "pages.pdf": no_page_of_ten_thousand_is_lost,
}


@pytest.mark.parametrize(
    ("name", "make", "wanted"),
    [
        ("far.xlsx", bomb_files.sheet_with_a_cell_far_away, "ready"),
        ("laughs.docx", bomb_files.document_of_entities, "corrupt"),
        ("laughs.html", bomb_files.page_of_entities, "ready"),
        ("picture.pdf", bomb_files.pdf_of_a_picture, "needs_ocr"),
        ("pages.pdf", bomb_files.pdf_of_many_pages, "ready"),
        ("bomb.docx", bomb_files.archive_that_unpacks_to_gigabytes, "too_large"),
        ("cells.xlsx", bomb_files.sheet_of_many_cells, "timeout"),
    ],
)
def test_a_file_that_swells_ends_in_a_named_state_and_the_next_one_is_read(
    tmp_path: Path, name: str, make: Callable[[Path], Path], wanted: str
) -> None:
    swollen, good = make(tmp_path / name), tmp_path / "good.txt"
    good.write_text("The harbour opens at six in the morning.")
    seconds = SECONDS if wanted == "timeout" else PATIENCE  # the others end by themselves
    pool = ParserPool(1, seconds, MEGABYTES)
    try:
        with Peak() as peak:
            found = outcome(pool, swollen)
        assert peak.megabytes < MEGABYTES + 256
        state = found.status if isinstance(found, FileProblem) else FileStatus.READY
        assert state == wanted
        if isinstance(found, ParsedDocument):
            SAID[name](found)
        assert isinstance(outcome(pool, good), ParsedDocument)
    finally:
        pool.close()
