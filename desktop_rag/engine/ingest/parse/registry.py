"""Read any supported file: find out what it is, hand it to its parser, judge what came out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from desktop_rag.core.errors import FileProblem
from desktop_rag.engine.ingest.parse import problems
from desktop_rag.engine.ingest.parse.blocks import Block, Head, ParsedDocument, Reading
from desktop_rag.engine.ingest.parse.minimum_text import MINIMUM_CHARACTERS, count_characters
from desktop_rag.engine.ingest.parse.sniff import BY_EXTENSION, Form, form_of

VERSION = 4
EXTENSIONS = frozenset(BY_EXTENSION)
_AS_WRITTEN = (Form.CSV, Form.MARKDOWN)  # whose files are little but text


def parse(path: Path) -> ParsedDocument:
    """Return a file's text as blocks; a `FileProblem` names the state when that can't be done."""
    reading = read(path)
    blocks: list[Block] = []
    while True:
        try:
            blocks.append(next(reading))
        except StopIteration as end:
            head: Head = end.value
            return ParsedDocument(head.title, tuple(blocks), head.pages, head.notes)


def read(path: Path, most: int = 0) -> Reading:
    """Yield a file's blocks as they are read; a `FileProblem` as of `parse`.

    `most` characters of text are wanted at most, none of a longer one: 0 wants all.
    """
    length = blocks = 0
    reading = _reading(path, most)
    while True:
        try:
            block = next(reading)
        except StopIteration as end:
            head: Head = end.value
            break
        except OSError as error:
            raise trouble(path, error) from error
        if not block.text.strip():
            continue
        length += count_characters(block.text) if length < MINIMUM_CHARACTERS else 0
        blocks += 1
        yield block
    if not blocks and not head.notes:
        raise problems.empty()
    if length < MINIMUM_CHARACTERS:
        raise problems.scant(head.notes)
    return head


def _reading(path: Path, most: int) -> Reading:
    """Read text as a stream; what must be known as a whole first is parsed, and then given."""
    form = None if is_special(path) else form_of(path)
    from desktop_rag.engine.ingest.parse import text

    if form is Form.TEXT:
        return (yield from text.read(path))
    if most and form in _AS_WRITTEN and text.is_longer(path, most):
        raise problems.too_long(most)
    document = parse_any(path)
    return (yield from document.reading())


def parse_any(path: Path) -> ParsedDocument:
    """Return a file's text as blocks, however little there is."""
    try:
        if is_special(path):
            raise problems.unsupported("This is no file.", "Add a file, or the folder that it is.")
        return _parser(form_of(path))(path)
    except OSError as error:
        raise trouble(path, error) from error


def is_special(path: Path) -> bool:
    """Say whether there is something that is no file: a folder, a device, a pipe."""
    return path.exists() and not path.is_file()


def trouble(path: Path, error: OSError) -> FileProblem:
    """Return what is wrong with a file: that it can't be read, or what its parser missed in it."""
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError as own:
        error = own
    else:
        if isinstance(error, FileNotFoundError):
            return problems.corrupt("A part of the file is missing.")
        if isinstance(error, PermissionError):
            return problems.crashed("its reader asked for another file")
        from desktop_rag.engine.ingest.parse.package import is_the_disks

        if not is_the_disks(error):
            return problems.corrupt("The file is damaged: its parts do not fit each other.")
    if isinstance(error, PermissionError):
        return problems.denied()
    if isinstance(error, FileNotFoundError):
        return problems.vanished()
    return problems.unreadable(error.strerror or type(error).__name__)


def _mail(path: Path) -> ParsedDocument:
    from desktop_rag.engine.ingest.parse import mail

    return mail.parse(path, parse_any)


def _parser(form: Form) -> Callable[[Path], ParsedDocument]:
    """Return a format's parser; each imports its library only when it is first used."""
    from desktop_rag.engine.ingest.parse import (
        markdown,
        markup,
        office,
        pdf,
        sheets,
        text,
        workbook,
    )

    return {
        Form.PDF: pdf.parse,
        Form.DOCX: office.parse_docx,
        Form.PPTX: office.parse_pptx,
        Form.XLSX: workbook.parse_xlsx,
        Form.CSV: sheets.parse_csv,
        Form.MARKDOWN: markdown.parse,
        Form.HTML: markup.parse_html,
        Form.TEXT: text.parse,
        Form.MAIL: _mail,
    }[form]
