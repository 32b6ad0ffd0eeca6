"""One call while it runs: the frames it makes, and who may stop or move it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, UsageError, UserError
from desktop_rag.core.events import Event
from desktop_rag.core.requests import EvalRequest, IndexRequest
from desktop_rag.service.wire import Call, Frame

log = logging.getLogger(__name__)

Perform = Callable[[Call, CancelToken], Iterator[Event]]

DONE, FAILED, WRONG_USAGE, STOPPED = 0, 1, 2, 130
"""Exit statuses, as in the contract of the command line."""


class Running:
    """A call on its way. It can be stopped for good, or moved: to be sent again to the next owner.

    Only long work is moved; short work is waited for.
    """

    def __init__(self, call: Call) -> None:
        self.call = call
        self.token = CancelToken()
        self.ended = threading.Event()
        self._grace: float | None = None

    @property
    def long(self) -> bool:
        """Whether this may take so long that nobody waits for it."""
        return isinstance(self.call.request, (IndexRequest, EvalRequest))

    def move(self, grace: float) -> None:
        """Stop here, because another process goes on with it.

        `grace` is how many seconds the sender should leave the folder's lock to somebody else.
        """
        if not self.token.cancelled:
            self._grace = grace
        self.token.cancel()

    def frames(self, perform: Perform) -> Iterator[Frame]:
        """Yield the call's lines, and its end last, whatever happens."""
        try:
            self.token.check()
            for event in perform(self.call, self.token):
                self.token.check()
                yield {"line": event.as_json()}
        except Cancelled:
            yield self._stopped()
        except UserError as error:
            status = WRONG_USAGE if isinstance(error, UsageError) else FAILED
            yield {"end": status, "what": error.what, "remedy": error.remedy}
        except Exception:
            if self.token.cancelled:  # what breaks while it is stopped is part of stopping
                log.info("a call was stopped with an error", exc_info=True)
                yield self._stopped()
                return
            log.exception("a %s failed", type(self.call.request).__name__)
            yield {"end": FAILED, "bug": True}
        else:
            yield {"end": DONE}

    def _stopped(self) -> Frame:
        return {"end": STOPPED} if self._grace is None else {"moved": self._grace}
