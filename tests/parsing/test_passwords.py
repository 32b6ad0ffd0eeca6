from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import docx
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.secret import Secret
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.ocr.page_pictures import page_picture
from desktop_rag.parsing.ocr.page_recognizer import RecognitionRequestHandler
from desktop_rag.parsing.page_renderer import PageRenderer
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.sandbox import child_process as child_module
from desktop_rag.parsing.sandbox.confinement import ProcessLimits
from desktop_rag.parsing.sandbox.parser_pool import (
    ParseOutcome,
    ParserPool,
    ParseTask,
    PasswordCandidate,
)
from tests.parsing import locked_files
from tests.parsing.locked_files import PASSWORD, SENTENCE
from tests.parsing.sample_pictures import picture

FILES: dict[str, Callable[[Path], Path]] = {
    "a.docx": locked_files.locked_word,
    "a.pptx": locked_files.locked_slides,
    "a.xlsx": locked_files.locked_workbook,
    "a.xls": locked_files.locked_old_workbook,
    "a.odt": locked_files.locked_odf,
    "a.ods": lambda path: locked_files.locked_odf(path, "spreadsheet"),
    "a.pdf": lambda path: locked_files.locked_pdf(path, PASSWORD),
}


class Candidates:
    """Passwords to try; notes which one opened the file, and how many were asked for."""

    def __init__(self, *passwords: str, own: str = "") -> None:
        self.passwords = passwords
        self.own = own
        self.asked = 0
        self.confirmed: list[str] = []

    def __iter__(self) -> Iterator[PasswordCandidate]:
        for each in self.passwords:
            self.asked += 1
            yield PasswordCandidate(Secret(each), is_own=each == self.own)

    def confirm(self, candidate: PasswordCandidate) -> None:
        self.confirmed.append(candidate.password.text)


@pytest.fixture(scope="module")
def pool() -> Iterator[ParserPool]:
    made = ParserPool(1, 60.0, 2000)
    yield made
    made.close()


def outcome(pool: ParserPool, path: Path, candidates: Candidates | None = None) -> ParseOutcome:
    ((_, found, _),) = pool.run([ParseTask(path, {}, candidates=candidates)], CancelToken())
    return found


def text(found: ParseOutcome) -> str:
    assert isinstance(found, ParsedDocument), found
    return "\n".join(block.text for block in found.blocks)


def sentence(found: ParseOutcome) -> str:
    assert isinstance(found, FileProblem)
    assert found.status is FileStatus.ENCRYPTED
    return found.sentence


@pytest.mark.parametrize("name", FILES)
def test_a_confined_parser_opens_a_file_with_its_password(
    pool: ParserPool, tmp_path: Path, name: str
) -> None:
    path = FILES[name](tmp_path / name)
    candidates = Candidates("wrong", PASSWORD, "not asked for")
    assert SENTENCE in text(outcome(pool, path, candidates))
    assert candidates.confirmed == [PASSWORD]
    assert candidates.asked == 2


@pytest.mark.parametrize("name", FILES)
def test_without_a_password_and_with_a_wrong_one_a_file_is_encrypted(
    tmp_path: Path, name: str
) -> None:
    path = FILES[name](tmp_path / name)
    for password, problem in (
        ("", file_problems.encrypted()),
        ("wrong", file_problems.wrong_password()),
    ):
        with pytest.raises(FileProblem) as caught:
            parse(path, password=Secret(password))
        assert caught.value.sentence == problem.sentence
        assert caught.value.status is FileStatus.ENCRYPTED


def test_only_of_a_password_for_this_file_it_is_said_that_it_is_wrong(
    pool: ParserPool, tmp_path: Path
) -> None:
    path = locked_files.locked_pdf(tmp_path / "a.pdf")
    told = sentence(outcome(pool, path, Candidates("other", "another")))
    assert told == file_problems.encrypted().sentence
    told = sentence(outcome(pool, path, Candidates("mine", "another", own="mine")))
    assert told == file_problems.wrong_password().sentence


def test_a_file_without_a_password_has_none_tried_on_it(pool: ParserPool, tmp_path: Path) -> None:
    path, candidates = tmp_path / "a.txt", Candidates("any")
    path.write_text(SENTENCE)
    assert text(outcome(pool, path, candidates)) == SENTENCE
    assert candidates.asked == 0


def test_a_damaged_file_with_its_right_password_is_corrupt(tmp_path: Path) -> None:
    path = locked_files.locked_word(tmp_path / "a.docx")
    raw = path.read_bytes()
    path.write_bytes(raw[: len(raw) // 3])
    with pytest.raises(FileProblem) as caught:
        parse(path, password=Secret(PASSWORD))
    assert caught.value.status in {FileStatus.CORRUPT, FileStatus.ENCRYPTED}


@pytest.mark.parametrize(
    "change",
    [
        lambda xml: xml[: len(xml) // 2],
        lambda xml: xml.replace('spinCount="100000"', 'spinCount="2147483648"'),
        lambda xml: xml.replace("<keyData ", "<a>" * 5000 + "</a>" * 5000 + "<keyData "),
    ],
    ids=["no end", "hours of hashing", "deep"],
)
def test_a_package_that_lies_about_its_encryption_is_corrupt(
    tmp_path: Path, change: Callable[[str], str]
) -> None:
    path = locked_files.with_encryption_info(locked_files.locked_word(tmp_path / "a.docx"), change)
    with pytest.raises(FileProblem) as caught:
        parse(path, password=Secret(PASSWORD))
    assert caught.value.status is FileStatus.CORRUPT


def test_the_decrypted_file_lies_in_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = locked_files.locked_old_workbook(tmp_path / "a.xls")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    assert SENTENCE in text(parse(path, password=Secret(PASSWORD)))
    assert list(scratch.iterdir()) == []


def test_where_the_kernel_gives_no_folder_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_module, "ProcessLimits", partial(ProcessLimits, may_landlock=False))
    bare = ParserPool(1, 60.0, 2000)
    try:
        old = locked_files.locked_old_workbook(tmp_path / "a.xls")
        told = sentence(outcome(bare, old, Candidates(PASSWORD, own=PASSWORD)))
        assert "no place to unpack" in told
        pdf = locked_files.locked_pdf(tmp_path / "a.pdf")
        assert SENTENCE in text(outcome(bare, pdf, Candidates("harbour")))
    finally:
        bare.close()


def test_the_viewer_and_text_recognition_draw_a_locked_pdf(tmp_path: Path) -> None:
    path = locked_files.locked_pdf(tmp_path / "a.pdf")
    asked: list[Path] = []

    def password_of(of: Path) -> Secret:
        asked.append(of)
        return Secret("harbour")

    renderer = PageRenderer(password_of=password_of)
    try:
        assert renderer.sizes(path) == ((600.0, 800.0),)
        assert [hit.page for hit in renderer.find(path, "lighthouse", range(1, 2))] == [1]
    finally:
        renderer.close()
    assert asked == [path]
    assert page_picture(path, 1, Secret("harbour")).width == 600
    with pytest.raises(FileProblem):
        page_picture(path, 1)


def test_a_picture_in_a_locked_document_is_drawn_for_recognition(tmp_path: Path) -> None:
    made, document = io.BytesIO(), docx.Document()
    document.add_picture(picture("red"))
    document.save(made)
    path = locked_files.locked(made.getvalue(), tmp_path / "a.docx")
    with pytest.raises(FileProblem) as caught:
        parse(path, password=Secret(PASSWORD))
    assert caught.value.unread_pages == (1,)
    (tmp_path / "a.png").write_bytes(picture("red").read())
    handler = RecognitionRequestHandler()
    keys = [
        handler.answer(json.dumps(["key", str(each), 1, password]).encode())
        for each, password in ((path, PASSWORD), (tmp_path / "a.png", ""))
    ]
    assert keys[0] == keys[1]
    with pytest.raises(FileProblem) as caught:
        handler.answer(json.dumps(["key", str(path), 1, ""]).encode())
    assert caught.value.status is FileStatus.ENCRYPTED


def test_a_viewer_without_the_password_says_so(tmp_path: Path) -> None:
    path = locked_files.locked_pdf(tmp_path / "a.pdf")
    renderer = PageRenderer(password_of=lambda _: Secret("wrong"))
    try:
        with pytest.raises(FileProblem) as caught:
            renderer.sizes(path)
    finally:
        renderer.close()
    assert caught.value.status is FileStatus.ENCRYPTED


def test_a_secret_shows_itself_to_nobody() -> None:
    secret = Secret("harbour")
    task = ParseTask(Path("a.pdf"), {}, secret)
    assert "harbour" not in f"{secret} {secret!r} {task!r} {PasswordCandidate(secret)!r}"
    assert json.loads(task.request())["password"] == "harbour"  # to the child alone
    assert not Secret()
