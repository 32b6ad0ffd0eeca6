"""The sentences that a user reads when a file can't be read, one function a state.

How much text a file must hold to be worth reading is decided here, and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.core.catalog_records import UNOPENED_ARCHIVE, VANISHED
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.phrases import Phrase, joined
from desktop_rag.core.types import FileStatus

MINIMUM_CHARACTERS = 20

_SPACE = re.compile(r"\s+")
FIRST_WIDE = "\u2e80"  # from here on: Chinese, Japanese, Korean


def count_characters(text: str) -> int:
    """Count characters that are no space; a wide one says as much as two letters."""
    shown = _SPACE.sub("", text)
    wide = 0 if shown.isascii() else sum(map(FIRST_WIDE.__le__, shown))
    return len(shown) + wide


def empty(what: str = "The file holds no text.") -> FileProblem:
    """Say that the file opened but there is nothing to read."""
    return FileProblem(
        FileStatus.EMPTY, what, "If it shows text, that is a picture: add a copy with text in it."
    )


def nothing_recognized(what: str) -> FileProblem:
    """Say that text recognition found no text."""
    return FileProblem(
        FileStatus.EMPTY, what, "If it shows text, add a larger or sharper copy of it."
    )


def too_little_text(notes: Sequence[str] = ()) -> FileProblem:
    """Say that there is hardly anything to read; `notes` say what was left out, so no picture."""
    if notes:
        told = joined(*notes, "The file holds hardly any other text.")
        remedy = "Open it in its own program to see what is in it."
        return FileProblem(FileStatus.EMPTY, told, remedy)
    return empty("The file holds hardly any text.")


def no_bytes() -> FileProblem:
    """Say that there is a file, but nothing in it."""
    return FileProblem(FileStatus.EMPTY, "The file holds no bytes.", "Nothing has to be done.")


def corrupt(what: str = "The file is damaged.") -> FileProblem:
    """Say that the file's content is not what its format asks for."""
    return FileProblem(
        FileStatus.CORRUPT, what, "Open it in its own program and save it anew, or fetch it again."
    )


def encrypted() -> FileProblem:
    """Say that only a password opens the file."""
    return FileProblem(
        FileStatus.ENCRYPTED,
        "The file is protected with a password.",
        "Enter the password, or save a copy without one and add that.",
    )


def wrong_password() -> FileProblem:
    """Say that the password that was entered is not the file's."""
    return FileProblem(
        FileStatus.ENCRYPTED,
        "The password does not open the file.",
        "Enter it again; capital letters and the layout of the keyboard count.",
    )


def protected(what: str = "The file is protected.") -> FileProblem:
    """Say that the file is encrypted in a way that no password of its own opens."""
    return FileProblem(
        FileStatus.ENCRYPTED, what, "Save a copy without a password and add that one."
    )


def unsupported(what: str, remedy: str) -> FileProblem:
    """Say that the format is none of those that are read."""
    return FileProblem(FileStatus.UNSUPPORTED, what, remedy)


def unopened_archive() -> FileProblem:
    """Say that the file is an archive, and that nobody asked to have it looked into."""
    return FileProblem(
        FileStatus.UNSUPPORTED,
        Phrase("The file is an archive.", code=UNOPENED_ARCHIVE),
        "To read what is in it, turn on “Look into archives” for this knowledge base "
        "(kb archives NAME on).",
    )


def needs_ocr(what: str, unread_pages: tuple[int, ...] = ()) -> FileProblem:
    """Say that the text is only there as pictures, on some pages that recognition could read."""
    return FileProblem(
        FileStatus.NEEDS_OCR,
        what,
        "Its text is recognised after all other files, if “Read scans and pictures” is on in the "
        "settings.",
        unread_pages=unread_pages,
    )


def not_recognized(problem: FileProblem) -> FileProblem:
    """Say of a file that needs its text recognised that this was tried, and failed."""
    return FileProblem(
        problem.status,
        problem.what,
        "Its text could not be recognised. Try it again (index --retry), or add another copy.",
        unread_pages=problem.unread_pages,
    )


def too_large(what: str) -> FileProblem:
    """Say that reading the file would take more memory or space than it may."""
    return FileProblem(
        FileStatus.TOO_LARGE, what, "Split the file, or raise the limit in the settings."
    )


def too_long(characters: int) -> FileProblem:
    """Say that there is more text in the file than one document may have."""
    return FileProblem(
        FileStatus.TOO_LARGE,
        Phrase("The file holds more than {0} characters of text.", f"{characters:,}"),
        "Split the file, or raise “Longest text” (ingest.max_characters) in the settings.",
    )


def timed_out(seconds: float) -> FileProblem:
    """Say that reading took longer than it may."""
    return FileProblem(
        FileStatus.TIMEOUT,
        Phrase("Reading the file took longer than {0} seconds.", f"{seconds:g}"),
        "Split the file, or raise the time limit in the settings.",
    )


def drive_silent(seconds: float) -> FileProblem:
    """Say that a drive did not answer: whether there is a file, or what is in it."""
    return FileProblem(
        FileStatus.TIMEOUT,
        Phrase("The drive did not answer within {0} seconds.", f"{seconds:g}"),
        "Check the drive or the connection and try again.",
    )


def too_many_silent_drives(processes: int) -> FileProblem:
    """Say that nothing is read while so many processes wait for drives."""
    return FileProblem(
        FileStatus.TIMEOUT,
        Phrase("Drives do not answer, and {0} processes wait for them.", processes),
        "Check the drives or the connection, start Desktop RAG again and try again.",
    )


def denied() -> FileProblem:
    """Say that the system does not let this user read the file."""
    return FileProblem(
        FileStatus.DENIED,
        "The file may not be read by your user account.",
        "Give yourself the right to read it and try again.",
    )


def vanished() -> FileProblem:
    """Say that the file went away before it was read."""
    return FileProblem(
        FileStatus.FAILED,
        Phrase("The file was gone before it could be read.", code=VANISHED),
        "Nothing has to be done if you moved or deleted it.",
    )


def unreadable(detail: str) -> FileProblem:
    """Say that the system could not read the file: a disk or network error."""
    return FileProblem(
        FileStatus.FAILED,
        Phrase("The system could not read the file ({0}).", detail),
        "Check the disk or the connection and try again.",
    )


def crashed(detail: str) -> FileProblem:
    """Say that the reading process broke down over this file."""
    return FileProblem(
        FileStatus.FAILED,
        Phrase("Reading the file broke off ({0}).", detail),
        "The file may be damaged: open it in its own program and save it anew.",
    )
