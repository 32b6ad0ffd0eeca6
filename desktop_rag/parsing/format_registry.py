"""Read any supported file: find out what it is, hand it to its parser, judge what came out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.file_problems import MINIMUM_CHARACTERS, count_characters
from desktop_rag.parsing.format_detection import BY_EXTENSION, FileFormat, detect_format
from desktop_rag.parsing.ocr.recognized_page import NOTHING_RECOGNIZED, Recognized
from desktop_rag.parsing.parsed_document import Block, BlockStream, DocumentHead, ParsedDocument
from desktop_rag.parsing.text_language import SAMPLE, language_code

VERSION = 8
EXTENSIONS = frozenset(BY_EXTENSION)
_MAILS = (FileFormat.MAIL, FileFormat.MSG)  # what may hold files of any format
_AS_WRITTEN = frozenset(  # whose files are little but text
    (
        FileFormat.CSV, FileFormat.MARKDOWN, FileFormat.JSON, FileFormat.XML, FileFormat.CODE,
        FileFormat.SUBTITLES, FileFormat.LIGHT_MARKUP, FileFormat.SETTINGS,
    )
)  # fmt: skip

_DRAWN = (FileFormat.PDF, FileFormat.PICTURE)
_FEWEST_WRITTEN = 2  # characters

Parser = Callable[[Path], ParsedDocument]


def parse(
    path: Path, recognized: Recognized = NOTHING_RECOGNIZED, password: Secret = NO_PASSWORD
) -> ParsedDocument:
    """Return a file's text as blocks; a `FileProblem` names the state when that can't be done."""
    reading = read(path, recognized=recognized, password=password)
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
) -> BlockStream:
    """Yield a file's blocks as they are read; a `FileProblem` as of `parse`.

    `most` characters of text are wanted at most, none of a longer one: 0 wants all. `recognized`
    is what text recognition made of the file's pages, by their numbers from 1. Without need of it
    the `password` is passed over.
    """
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
    length = blocks = 0
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
        if len(sample) < SAMPLE:
            sample += f"{block.text[:SAMPLE]}\n"
        yield block
    if not blocks and not head.notes:
        raise file_problems.empty()
    if length < MINIMUM_CHARACTERS and length < _least(path):
        raise file_problems.too_little_text(head.notes)
    return replace(head, metadata=replace(head.metadata, language=language_code(sample)))


def _least(path: Path) -> int:
    """Return how many characters are worth reading: on drawn pages a few are a number or a mark."""
    try:
        is_drawn = detect_format(path) in _DRAWN
    except OSError as error:
        raise problem_of(path, error) from error
    return MINIMUM_CHARACTERS if is_drawn else _FEWEST_WRITTEN


def _reading(path: Path, most: int, recognized: Recognized, password: Secret) -> BlockStream:
    """Read text as a stream; what must be known as a whole first is parsed, and then given."""
    form = None if is_special(path) else detect_format(path)
    from desktop_rag.parsing.formats import plain_text

    if form is FileFormat.TEXT:
        return (yield from plain_text.read(path))
    if most and form in _AS_WRITTEN and plain_text.is_longer(path, most):
        raise file_problems.too_long(most)
    document = parse_unchecked(path, recognized, password=password)
    return (yield from document.reading())


def parse_unchecked(
    path: Path,
    recognized: Recognized = NOTHING_RECOGNIZED,
    depth: int = 0,
    *,
    password: Secret = NO_PASSWORD,
) -> ParsedDocument:
    """Return a file's text as blocks, however little; `depth` is that of a mail in mails."""
    try:
        if is_special(path):
            raise file_problems.unsupported(
                "This is no file.", "Add a file, or the folder that it is."
            )
        form = detect_format(path)
        if form in _MAILS:
            return _mail(path, form, depth)
        if form is FileFormat.MAILBOX:
            return _mailbox(path, depth)
        if form is FileFormat.PDF:
            return _pdf(path, recognized, password)
        return _parser(form, recognized)(path)
    except OSError as error:
        raise problem_of(path, error) from error


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


def _mail(path: Path, form: FileFormat, depth: int) -> ParsedDocument:
    from desktop_rag.parsing.formats import mail, mail_message, outlook

    mail_message.check_depth(depth)
    parse_part = partial(parse_unchecked, depth=depth + 1)
    parse = mail.parse if form is FileFormat.MAIL else outlook.parse
    return parse(path, parse_part)


def _mailbox(path: Path, depth: int) -> ParsedDocument:
    from desktop_rag.parsing.formats import mail_message, mailbox_messages

    mail_message.check_depth(depth)
    return mailbox_messages.parse(path, partial(parse_unchecked, depth=depth + 1))


def _pdf(path: Path, recognized: Recognized, password: Secret) -> ParsedDocument:
    from desktop_rag.parsing.formats import pdf

    return pdf.parse(path, recognized, password)


def _parser(form: FileFormat, recognized: Recognized) -> Parser:
    """Return a format's parser; each imports its library only when it is first used."""
    from desktop_rag.parsing.formats import (
        csv_tsv,
        doc,
        docx,
        html,
        markdown,
        picture,
        plain_text,
        ppt,
        pptx,
        rtf,
        xls,
        xlsb,
        xlsx,
    )

    parsers: dict[FileFormat, Parser] = {
        FileFormat.PICTURE: partial(picture.parse, recognized=recognized),
        FileFormat.DOCX: partial(docx.parse_docx, recognized=recognized),
        FileFormat.PPTX: partial(pptx.parse_pptx, recognized=recognized),
        FileFormat.XLSX: xlsx.parse_xlsx,
        FileFormat.CSV: csv_tsv.parse_csv,
        FileFormat.MARKDOWN: markdown.parse,
        FileFormat.HTML: html.parse_html,
        FileFormat.TEXT: plain_text.parse,
        FileFormat.DOC: doc.parse_doc,
        FileFormat.PPT: ppt.parse_ppt,
        FileFormat.XLS: xls.parse_xls,
        FileFormat.XLSB: xlsb.parse_xlsb,
        FileFormat.RTF: rtf.parse_rtf,
    }
    return (parsers | _open_parsers())[form]


def _open_parsers() -> dict[FileFormat, Parser]:
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
        FileFormat.ODT: odf_text.parse_odt,
        FileFormat.ODP: odf_text.parse_odp,
        FileFormat.ODS: ods.parse_ods,
        FileFormat.EPUB: epub.parse_epub,
        FileFormat.FICTION_BOOK: fb2.parse_fb2,
        FileFormat.WEB_ARCHIVE: web_archive.parse,
        FileFormat.JSON: json_records.parse,
        FileFormat.XML: xml_elements.parse,
        FileFormat.CODE: source_code.parse,
        FileFormat.SETTINGS: settings_file.parse,
        FileFormat.LIGHT_MARKUP: light_markup.parse,
        FileFormat.SUBTITLES: subtitles.parse,
        FileFormat.NOTEBOOK: notebook.parse,
    }
