"""The two kinds of error, and the families of the first.

    DesktopRagError
     ├─ UserError            the user can mend it: one sentence what, one sentence remedy
     │   ├─ UsageError           the call itself is wrong (exit status 2)
     │   ├─ FileProblem          one file cannot be read: carries the file's status
     │   ├─ ModelUnavailable     a model, or Ollama, is not there or does not answer
     │   ├─ StoreDamaged         the data folder cannot be read and was not changed
     │   ├─ CatalogDamaged       it is the catalog, which `recover` may bring back
     │   ├─ CatalogMissing       there is none to bring back
     │   └─ OwnedElsewhere       another process owns the data folder
     └─ Cancelled            the user said stop: never shown as an error

Anything else that is raised is a bug of ours: it is logged, and shown as one.
"""

from __future__ import annotations

import errno

from desktop_rag.core.phrases import Phrase, code_of, joined
from desktop_rag.core.types import FileStatus

_DAMAGED = "The catalog is damaged and was left as it is."
_RECOVER = (
    "Run `desktop-rag recover`, or open the window, which offers it: it keeps all that can still "
    "be read, and says what is lost."
)


def is_panic(error: BaseException) -> bool:
    """Say whether an exception is a panic: no `Exception`, and of a class nobody can import."""
    return type(error).__module__ == "pyo3_runtime"


class DesktopRagError(Exception):
    """The root of every error that this program raises on purpose."""


class Cancelled(DesktopRagError):
    """The work was stopped by its token."""


class UserError(DesktopRagError):
    """Something that the user can mend.

    `what` is a sentence that says what is wrong, `remedy` one that says what to do;
    `retryable` says whether the same call may go through later.
    """

    def __init__(self, what: str, remedy: str = "", *, retryable: bool = False) -> None:
        super().__init__(f"{what} {remedy}".strip())
        self.what = what
        self.remedy = remedy
        self.retryable = retryable

    @property
    def sentence(self) -> str:
        """What is wrong and what to do, one after the other."""
        return joined(self.what, self.remedy)

    @property
    def code(self) -> str:
        """What is wrong, for programs."""
        return code_of(self.what)


class UsageError(UserError):
    """The call is wrong: an unknown option, a value out of range."""


class FileProblem(UserError):
    """One file can't be used: `status` is its named state and `what` the reason for the user.

    `unread_pages` are those that text recognition could read, from 1, where that is what it needs.
    """

    def __init__(
        self,
        status: FileStatus,
        what: str,
        remedy: str = "",
        *,
        unread_pages: tuple[int, ...] = (),
    ) -> None:
        super().__init__(what, remedy)
        self.status = status
        self.unread_pages = unread_pages


class ModelUnavailable(UserError):
    """A model or its server is missing or silent."""


class NotAllowed(ModelUnavailable):
    """A model or its server is on another computer, which the user has not agreed to."""


class WithoutProbabilities(ModelUnavailable):
    """A model or its server does not tell the probability of its tokens."""


class StoreAway(UserError):
    """A server that holds shared knowledge bases does not answer, or may not be asked now."""


class StoreDamaged(UserError):
    """The data folder is damaged, or was made by a newer version."""


class CatalogDamaged(UserError):
    """The catalog is damaged; what can still be read of it can be brought back.

    It is no `StoreDamaged`: an index that is damaged is made again from the catalog.
    """

    def __init__(self, path: object = "") -> None:
        what = (
            Phrase("The catalog {0} is damaged and was left as it is.", path) if path else _DAMAGED
        )
        super().__init__(what, _RECOVER)


class CatalogMissing(UserError):
    """There is nothing to recover: neither a catalog nor a copy of one."""

    def __init__(self, data_dir: object) -> None:
        super().__init__(
            Phrase("There is no catalog in {0}, and no copy of one.", data_dir),
            "Check the data folder (--data-dir); nothing was changed.",
        )


class OwnedElsewhere(UserError):
    """Another process owns the data folder; `address` is where it listens, if it does."""

    def __init__(self, what: str, remedy: str = "", *, address: str | None = None) -> None:
        super().__init__(what, remedy)
        self.address = address


def full_disk(error: BaseException) -> UserError | None:
    """Return what to tell of an error that a full disk is behind, None for every other."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return UserError("The disk is full.", "Make room and try again.", retryable=True)
    return None
