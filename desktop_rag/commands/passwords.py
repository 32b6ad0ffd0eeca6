"""Lists the files whose password is known, forgets passwords, and lends one to a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.events import Event, IndexDone, ListingRow, Notice
from desktop_rag.core.phrases import joined
from desktop_rag.core.requests import IndexRequest
from desktop_rag.indexing.key_ring import KeyRingAway
from desktop_rag.workspace import Workspace


def lent(
    workspace: Workspace, request: IndexRequest, paths: Sequence[str], events: Iterator[Event]
) -> Iterator[Event]:
    """Yield a run's events, while a request's password is tried on the files at some paths.

    Before the run's last event it is said if the password could not be kept. What only queues files
    leaves it for the run that reads them.
    """
    if not request.password:
        yield from events
        return
    passwords = workspace.passwords
    passwords.enter(paths, request.password, keep=request.keeps_password)
    try:
        for event in events:
            if isinstance(event, IndexDone):
                yield from map(_not_kept, passwords.take_refusals())
            yield event
    finally:
        if not request.only_look:
            passwords.withdraw(paths)


def listed(workspace: Workspace, rows: Sequence[FileRow]) -> Iterator[Event]:
    """Yield each file whose password is known, with where it is kept."""
    for row in rows:
        place = workspace.passwords.place(_content(row))
        if place is not None:
            yield ListingRow({"path": row.path, "password": place.value})


def forget(workspace: Workspace, rows: Sequence[FileRow], token: CancelToken) -> Iterator[Event]:
    """Forget the passwords of files; what was read of them stays."""
    for row in rows:
        if workspace.passwords.forget([_content(row)], token):
            yield ListingRow({"path": row.path, "password": "forgotten"})


def forget_removed(workspace: Workspace, token: CancelToken) -> Iterator[Event]:
    """Forget the passwords of contents that no file has any more."""
    passwords = workspace.passwords
    gone = workspace.catalog.files.without_file(passwords.contents())
    try:
        passwords.forget(gone, token)
    except KeyRingAway as error:
        yield Notice(joined("A removed file's password is still kept.", error.what))


def _content(row: FileRow) -> str:
    return row.stamp.content_hash if row.stamp is not None else ""


def _not_kept(refusal: KeyRingAway) -> Notice:
    return Notice(joined("The password could not be kept.", refusal.what, refusal.remedy))
