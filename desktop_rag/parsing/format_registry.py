"""Read any supported file: find out what it is, hand it to its parser, judge what came out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.core.types import BlockKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.file_problems import MINIMUM_CHARACTERS, count_characters
from desktop_rag.parsing.format_detection import (
    BY_EXTENSION,
    FileFormat,
    detect_format,
    is_archive_name,
)
from desktop_rag.parsing.ocr.recognized_page import NOTHING_RECOGNIZED, Recognized
from desktop_rag.parsing.parsed_document import Block, BlockStream, DocumentHead, ParsedDocument
from desktop_rag.parsing.text_language import SAMPLE, language_code

if TYPE_CHECKING:
    from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPage, EmbeddedPictures

VERSION = 10
EXTENSIONS = frozenset(BY_EXTENSION)
_AS_WRITTEN = frozenset(  # whose files are little but text
    (
        FileFormat.CSV, FileFormat.MARKDOWN, FileFormat.JSON, FileFormat.XML, FileFormat.CODE,
        FileFormat.SUBTITLES, FileFormat.LIGHT_MARKUP, FileFormat.SETTINGS,
    )
)  # fmt: skip

_DRAWN = (FileFormat.PDF, FileFormat.PICTURE)
# What may hold files of any format, and has a head that is text to find.
_MAILS = (FileFormat.MAIL, FileFormat.MSG, FileFormat.MAILBOX)
_FEWEST_WRITTEN = 2  # characters

Parser = Callable[[Path], ParsedDocument]


def parse(
    path: Path,
    recognized: Recognized = NOTHING_RECOGNIZED,
    password: Secret = NO_PASSWORD,
    *,
    opens_archives: bool = False,
) -> ParsedDocument:
    """Return a file's text as blocks; a `FileProblem` names the state when that can't be done."""
    reading = read(path, 0, recognized, password, opens_archives=opens_archives)
    blocks: list[Block] = []
    while True:
        try:
            blocks.append(next(reading))
        except StopIteration as end:
            head: DocumentHead = end.value
            return ParsedDocument.of(head, blocks)


def read(
    path: Path,
    most: int = 0,
    recognized: Recognized = NOTHING_RECOGNIZED,
    password: Secret = NO_PASSWORD,
    *,
    opens_archives: bool = False,
) -> BlockStream:
    """Yield a file's blocks as they are read; a `FileProblem` as of `parse`.

    `most` characters of text are wanted at most, none of a longer one: 0 wants all. `recognized`
    is what text recognition made of the file's pages, by their numbers from 1. Without need of it
    the `password` is passed over.
    """
    if _is_archive(path):
        return (yield from _judged(path, _archive(path, password, is_opened=opens_archives)))
    if not password or is_special(path):
        return (yield from _judged(path, _reading(path, most, recognized, password)))
    from desktop_rag.parsing.formats.office_encryption import decrypted

    try:
        with decrypted(path, password) as plain:
            return (yield from _judged(plain, _reading(plain, most, recognized, password)))
    except OSError as error:
        raise problem_of(path, error) from error


def _judged(path: Path, reading: BlockStream) -> BlockStream:
    """Yield the blocks that hold text; raise that the file holds too little of it."""
    length = blocks = told = 0
    sample = ""
    while True:
        try:
            block = next(reading)
        except StopIteration as end:
            head: DocumentHead = end.value
            break
        except OSError as error:
            raise problem_of(path, error) from error
        if not block.text.strip():
            continue
        length += count_characters(block.text) if length < MINIMUM_CHARACTERS else 0
        blocks += 1
        told += block.kind is not BlockKind.META
        if len(sample) < SAMPLE:
            sample += f"{block.text[:SAMPLE]}\n"
        yield block
    is_silent = length < _FEWEST_WRITTEN or not (told or _form(path) in _MAILS)
    if head.unread_pages and is_silent and not is_drawn(path):
        raise file_problems.needs_ocr("The file holds only pictures.", head.unread_pages)
    if not blocks and not head.notes:
        raise file_problems.empty()
    if length < MINIMUM_CHARACTERS and length < _least(path):
        raise file_problems.too_little_text(head.notes)
    return replace(head, metadata=replace(head.metadata, language=language_code(sample)))


def _least(path: Path) -> int:
    """Return how many characters are worth reading: on drawn pages a few are a number or a mark."""
    return MINIMUM_CHARACTERS if _form(path) in _DRAWN else _FEWEST_WRITTEN


def _form(path: Path) -> FileFormat | None:
    """Return a file's format; None where there is no file."""
    try:
        return None if is_special(path) else detect_format(path)
    except OSError as error:
        raise problem_of(path, error) from error


def _reading(path: Path, most: int, recognized: Recognized, password: Secret) -> BlockStream:
    """Read text as a stream; what must be known as a whole first is parsed, and then given."""
    form = None if is_special(path) else detect_format(path)
    from desktop_rag.parsing.formats import plain_text

    if form is FileFormat.TEXT:
        return (yield from plain_text.read(path))
    if most and form in _AS_WRITTEN and plain_text.is_longer(path, most):
        raise file_problems.too_long(most)
    document = parse_unchecked(path, recognized, password)
    return (yield from document.reading())


def parse_unchecked(
    path: Path, recognized: Recognized = NOTHING_RECOGNIZED, password: Secret = NO_PASSWORD
) -> ParsedDocument:
    """Return a file's text as blocks, however little."""
    try:
        form = _format(path)
        if form in _DRAWN:
            return _drawn(form, path, recognized, password)
    except OSError as error:
        raise problem_of(path, error) from error
    from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures

    pictures = EmbeddedPictures(recognized)
    document = parse_embedded(path, pictures)
    notes = (*document.notes, *pictures.notes)
    return replace(document, notes=notes, unread_pages=pictures.unread)


def parse_embedded(path: Path, pictures: EmbeddedPictures, depth: int = 0) -> ParsedDocument:
    """Return the text of a file whose pictures count as `pictures`, or that lies in another one.

    `depth` is that of a mail in mails. Of a PDF or a picture the pages count.
    """
    try:
        form = _format(path)
        if form in _DRAWN:
            return _drawn_inside(form, path, pictures)
        if form in _MAILS:
            return _mail(form, path, pictures, depth)
        if form is FileFormat.ARCHIVE:
            raise file_problems.unopened_archive()
        return _parser(form, pictures)(path)
    except OSError as error:
        raise problem_of(path, error) from error


def embedded_pages(path: Path, first: int) -> dict[int, EmbeddedPage]:
    """Return what lies in a file and is to be recognised, from a number on, as much as is held.

    A `FileProblem` where there is none of that number.
    """
    from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures

    pictures = EmbeddedPictures(first_kept=first)
    try:
        parse_embedded(path, pictures)
    except FileProblem:
        if first not in pictures.kept:
            raise
    if first not in pictures.kept:
        raise file_problems.corrupt(Phrase("The document has no picture {0}.", first))
    return pictures.kept


def is_drawn(path: Path) -> bool:
    """Say whether a file's pages are what is recognised, not what lies in it."""
    return _form(path) in _DRAWN


def _format(path: Path) -> FileFormat:
    if is_special(path):
        raise file_problems.unsupported("This is no file.", "Add a file, or the folder that it is.")
    return detect_format(path)


def _drawn(
    form: FileFormat, path: Path, recognized: Recognized, password: Secret = NO_PASSWORD
) -> ParsedDocument:
    from desktop_rag.parsing.formats import pdf, picture

    if form is FileFormat.PDF:
        return pdf.parse(path, recognized, password)
    return picture.parse(path, recognized)


def _drawn_inside(form: FileFormat, path: Path, pictures: EmbeddedPictures) -> ParsedDocument:
    """Return a PDF or a picture that lies in another file, its unread pages counted as pictures."""
    unread: tuple[int, ...]
    try:
        document = _drawn(form, path, NOTHING_RECOGNIZED)
        unread = document.unread_pages
    except FileProblem as problem:
        unread = problem.unread_pages
        if not unread:
            raise
    if not unread:
        return document
    return _drawn(form, path, pictures.pages(path.read_bytes(), unread))


def is_special(path: Path) -> bool:
    """Say whether there is something that is no file: a folder, a device, a pipe."""
    return path.exists() and not path.is_file()


def problem_of(path: Path, error: OSError) -> FileProblem:
    """Return what is wrong with a file: that it can't be read, or what its parser missed in it."""
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError as own:
        error = own
    else:
        if isinstance(error, FileNotFoundError):
            return file_problems.corrupt("A part of the file is missing.")
        if isinstance(error, PermissionError):
            return file_problems.crashed("its reader asked for another file")
        from desktop_rag.parsing.formats.ooxml_package import is_disk_error

        if not is_disk_error(error):
            return file_problems.corrupt("The file is damaged: its parts do not fit each other.")
    if isinstance(error, PermissionError):
        return file_problems.denied()
    if isinstance(error, FileNotFoundError):
        return file_problems.vanished()
    return file_problems.unreadable(error.strerror or type(error).__name__)


def _is_archive(path: Path) -> bool:
    try:
        return is_archive_name(path) and _form(path) is FileFormat.ARCHIVE
    except FileProblem:
        return False  # told when it is read, after its password was tried


def _archive(path: Path, password: Secret, *, is_opened: bool) -> BlockStream:
    if not is_opened:
        raise file_problems.unopened_archive()
    from desktop_rag.parsing.formats import archive

    return (yield from archive.read(path, parse_unchecked, password))


def _mail(form: FileFormat, path: Path, pictures: EmbeddedPictures, depth: int) -> ParsedDocument:
    from desktop_rag.parsing.formats import mail, mail_message, mailbox_messages, outlook

    mail_message.check_depth(depth)
    parsers = {
        FileFormat.MAIL: mail.parse, FileFormat.MSG: outlook.parse,
        FileFormat.MAILBOX: mailbox_messages.parse,
    }  # fmt: skip
    parse_part = partial(parse_embedded, pictures=pictures, depth=depth + 1)
    return parsers[form](path, parse_part, pictures)


def _parser(form: FileFormat, pictures: EmbeddedPictures) -> Parser:
    """Return a format's parser; each imports its library only when it is first used."""
    from desktop_rag.parsing.formats import (
        csv_tsv,
        doc,
        docx,
        html,
        markdown,
        plain_text,
        ppt,
        pptx,
        rtf,
        xls,
        xlsb,
        xlsx,
    )

    parsers: dict[FileFormat, Parser] = {
        FileFormat.DOCX: partial(docx.parse_docx, pictures=pictures),
        FileFormat.PPTX: partial(pptx.parse_pptx, pictures=pictures),
        FileFormat.XLSX: xlsx.parse_xlsx,
        FileFormat.CSV: csv_tsv.parse_csv,
        FileFormat.MARKDOWN: markdown.parse,
        FileFormat.HTML: partial(html.parse_html, pictures=pictures),
        FileFormat.TEXT: plain_text.parse,
        FileFormat.DOC: doc.parse_doc,
        FileFormat.PPT: ppt.parse_ppt,
        FileFormat.XLS: xls.parse_xls,
        FileFormat.XLSB: xlsb.parse_xlsb,
        FileFormat.RTF: partial(rtf.parse_rtf, pictures=pictures),
    }
    return (parsers | _open_parsers(pictures))[form]


def _open_parsers(pictures: EmbeddedPictures) -> dict[FileFormat, Parser]:
    """Return the parsers of OpenDocument, e-books, archives of pages and mails, data and code."""
    from desktop_rag.parsing.formats import (
        epub,
        fb2,
        json_records,
        light_markup,
        notebook,
        odf_text,
        ods,
        settings_file,
        source_code,
        subtitles,
        web_archive,
        xml_elements,
    )

    return {
        FileFormat.ODT: partial(odf_text.parse_odt, pictures=pictures),
        FileFormat.ODP: partial(odf_text.parse_odp, pictures=pictures),
        FileFormat.ODS: partial(ods.parse_ods, pictures=pictures),
        FileFormat.EPUB: partial(epub.parse_epub, pictures=pictures),
        FileFormat.FICTION_BOOK: partial(fb2.parse_fb2, pictures=pictures),
        FileFormat.WEB_ARCHIVE: partial(web_archive.parse, pictures=pictures),
        FileFormat.JSON: json_records.parse,
        FileFormat.XML: partial(xml_elements.parse, pictures=pictures),
        FileFormat.CODE: source_code.parse,
        FileFormat.SETTINGS: settings_file.parse,
        FileFormat.LIGHT_MARKUP: light_markup.parse,
        FileFormat.SUBTITLES: subtitles.parse,
        FileFormat.NOTEBOOK: notebook.parse,
    }
