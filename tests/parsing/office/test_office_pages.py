"""Office documents made into pages by a LibreOffice that can reach nothing."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.core.filesystem import content_hash
from desktop_rag.core.page_geometry import PageCharacters
from desktop_rag.gui.controllers.office_pages import place_of_quote
from desktop_rag.parsing.office.page_cache import PageCache
from desktop_rag.parsing.office.program import OfficeProgram, find_program
from desktop_rag.parsing.page_renderer import PageRenderer
from tests.parsing.office.office_samples import write_docx

_FOUND = find_program()
needs_office = pytest.mark.skipif(_FOUND is None, reason="no LibreOffice that can be confined")
_SECRET = "not for any document"


@pytest.fixture
def program() -> OfficeProgram:
    return _FOUND or OfficeProgram(Path(os.devnull), "none")


@pytest.fixture
def cache(tmp_path: Path) -> PageCache:
    (tmp_path / "data").mkdir()
    return PageCache(tmp_path / "data" / "pages", tmp_path / "data")


def _hash(path: Path) -> str:
    return content_hash(str(path), CancelToken())


@needs_office
def test_a_document_becomes_pages_without_what_it_links_to(
    tmp_path: Path, cache: PageCache, program: OfficeProgram
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(_SECRET, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/picture.png"
        linked = (address, "file:///etc/passwd", secret.as_uri())
        source = write_docx(tmp_path / "a.docx", "The tide turned at noon.", linked=linked)
        made = cache.make(program, source, _hash(source), CancelToken())
        with pytest.raises(BlockingIOError):
            listening.accept()
    renderer = PageRenderer()
    text = renderer.letters(made, 1).text
    renderer.close()
    assert "The tide turned at noon." in text
    assert _SECRET not in text
    assert "root:" not in text
    assert cache.find(program, _hash(source)) == made
    assert list((tmp_path / "data").iterdir()) == [made.parent], "its own folder is gone again"


@needs_office
def test_a_damaged_document_says_so_and_leaves_nothing(
    tmp_path: Path, cache: PageCache, program: OfficeProgram
) -> None:
    source = tmp_path / "a.docx"
    source.write_bytes(b"PK\x03\x04" + bytes(range(256)) * 40)
    with pytest.raises(UserError, match="can't make pages"):
        cache.make(program, source, _hash(source), CancelToken())
    assert cache.find(program, _hash(source)) is None


def test_a_file_that_changed_is_not_shown_as_what_was_read(
    tmp_path: Path, cache: PageCache, program: OfficeProgram
) -> None:
    source = write_docx(tmp_path / "a.docx", "One")
    before = _hash(source)
    write_docx(source, "Two")
    with pytest.raises(UserError, match="has changed"):
        cache.make(program, source, before, CancelToken())


def test_a_conversion_that_is_cancelled_begins_nothing(
    tmp_path: Path, cache: PageCache, program: OfficeProgram
) -> None:
    source = write_docx(tmp_path / "a.docx", "One")
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        cache.make(program, source, _hash(source), token)


@pytest.fixture
def kept(tmp_path: Path, program: OfficeProgram) -> Callable[[str, int], Path]:
    def keep(content: str, age: int) -> Path:
        folder = tmp_path / "data" / "pages"
        folder.mkdir(exist_ok=True)
        path = folder / f"{content}-{program.version}.pdf"
        path.write_bytes(bytes(1000))
        os.utime(path, (age, age))
        return path

    return keep


def test_pages_go_with_their_document(cache: PageCache, kept: Callable[[str, int], Path]) -> None:
    gone, held = kept("a" * 40, 1), kept("b" * 40, 2)
    cache.keep_only(lambda contents: {each for each in contents if each.startswith("b")})
    assert not gone.exists()
    assert held.exists()


def test_the_least_recently_shown_go_first(
    tmp_path: Path, program: OfficeProgram, kept: Callable[[str, int], Path]
) -> None:
    small = PageCache(tmp_path / "data" / "pages", tmp_path / "data", most_bytes=2000)
    (tmp_path / "data").mkdir()
    first, second, third = kept("a" * 40, 1), kept("b" * 40, 2), kept("c" * 40, 3)
    small.find(program, "a" * 40)
    small._shrink(third)
    assert [each.exists() for each in (first, second, third)] == [True, False, True]


def test_a_quote_is_marked_where_its_very_words_are_and_nowhere_else() -> None:
    texts = ("Fuel fell by 12 percent in 2023.", "The tide turned at noon.")
    pages = tuple(
        PageCharacters.of(text, tuple((float(at), 0.0, at + 1.0, 9.0) for at in range(len(text))))
        for text in texts
    )
    whole = "\n".join(texts)
    found = place_of_quote(pages, whole, "The tide turned at noon.", 0)
    assert found is not None
    assert (found.value, {box.page for box in found.boxes}) == (2, {2})
    assert place_of_quote(pages, whole, "Fuel fell by 21 percent in 2022.", 0) is None
    assert place_of_quote(pages, whole, "", 0) is None
