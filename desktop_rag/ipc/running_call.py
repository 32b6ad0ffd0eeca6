"""One call while it runs: the frames it makes, and who may stop or move it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, UsageError, UserError, full_disk
from desktop_rag.core.events import Event
from desktop_rag.core.requests import (
    AskRequest,
    ContinueRequest,
    DescribeRequest,
    DocumentsRequest,
    EvalRequest,
    IndexRequest,
    KbRequest,
    KeepOpenRequest,
    is_repeatable,
)
from desktop_rag.ipc.wire import Call, Frame

log = logging.getLogger(__name__)

Perform = Callable[[Call, CancelToken], Iterator[Event]]

DONE, FAILED, WRONG_USAGE, STOPPED = 0, 1, 2, 130
"""Exit statuses, as in the contract of the command line."""

_LONG_ACTIONS = ("export", "import", "rebuild")  # they take back what they began


class RunningCall:
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
        request = self.call.request
        if isinstance(request, KbRequest):
            return request.action in _LONG_ACTIONS
        if isinstance(request, DescribeRequest):
            return bool(request.get)
        return isinstance(request, (IndexRequest, EvalRequest, KeepOpenRequest))

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
                if is_repeatable(self.call.request):  # else it counts as done once it says so
                    self.token.check()
                yield {"line": event.as_json()}
        except Cancelled:
            yield self._stopped()
        except UserError as error:
            status = WRONG_USAGE if isinstance(error, UsageError) else FAILED
            yield {"end": status, "what": error.what, "remedy": error.remedy}
        except Exception as error:
            if self.token.cancelled:  # what breaks while it is stopped is part of stopping
                log.info("a call was stopped with an error", exc_info=True)
                yield self._stopped()
                return
            yield self._failed(error)
        else:
            yield {"end": DONE}

    def _stopped(self) -> Frame:
        """Return the end of a stopped call; an answer that is kept is not begun twice."""
        if self._grace is None:
            return {"end": STOPPED}
        request = self.call.request
        if isinstance(
            request, (AskRequest, ContinueRequest, DocumentsRequest)
        ) and not is_repeatable(request):
            what = "The Desktop RAG that was answering ended."
            return {
                "end": FAILED,
                "what": what,
                "remedy": "What it had written is kept. Ask again.",
            }
        return {"moved": self._grace}

    def _failed(self, error: Exception) -> Frame:
        """Return the end of a call that broke: through a full disk, or through a fault of ours."""
        if full := full_disk(error):
            return {"end": FAILED, "what": full.what, "remedy": full.remedy}
        log.error("a %s failed", type(self.call.request).__name__, exc_info=error)
        return {"end": FAILED, "bug": True}
