"""Requests to the engine from tools: each in a thread, and stopped when its client says so."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
from mcp.server.mcpserver.exceptions import ToolError

from desktop_rag import runtime
from desktop_rag.core.cancel import CancelToken, use_token
from desktop_rag.core.errors import UserError
from desktop_rag.core.requests import Request
from desktop_rag.ipc.call_routing import BugError, StuckError
from desktop_rag.ipc.wire import Call, Line
from desktop_rag.mcp_server.open_folder import OpenFolder, end_stuck_process

log = logging.getLogger(__name__)

OnLine = Callable[[Line], None]
_AT_ONCE = 4  # calls: those of the protocol's own threads must never wait for them


class EngineCalls:
    """Carries requests out on one data folder; `overrides` are settings as `--set` has them."""

    def __init__(self, data_dir: Path, overrides: dict[str, str], ollama_host: str) -> None:
        self._data_dir = data_dir
        self._overrides = overrides
        self._ollama_host = ollama_host
        self._folder = OpenFolder(data_dir, overrides)
        self._threads: anyio.CapacityLimiter | None = None

    async def lines(self, request: Request, on_line: OnLine | None = None) -> list[Line]:
        """Return the lines of a request; `on_line` is called, in a thread, as each comes.

        Raises a `ToolError` with a sentence and a remedy where it fails. Cancelled, it stops the
        work.
        """
        token = CancelToken()
        work = partial(self._collect, request, token, on_line)
        if self._threads is None:  # it belongs to the event loop
            self._threads = anyio.CapacityLimiter(_AT_ONCE)
        try:
            return await anyio.to_thread.run_sync(
                work, abandon_on_cancel=True, limiter=self._threads
            )
        except UserError as error:
            raise ToolError(f"{error.what} {error.remedy}".strip()) from error
        except BugError as error:
            place = self._data_dir / "logs" / "desktop-rag.log"
            told = f"Something in Desktop RAG itself went wrong. What it was is written in {place}."
            raise ToolError(told) from error
        finally:
            token.cancel()  # where this was cancelled, the thread is still at work

    def close(self) -> None:
        """Leave the data folder."""
        self._folder.close()

    def _collect(self, request: Request, token: CancelToken, on_line: OnLine | None) -> list[Line]:
        collected = []
        try:
            with self._folder.in_use(), use_token(token), closing(self._run(request)) as lines:
                for line in lines:
                    token.check()
                    collected.append(line)
                    if on_line is not None:
                        on_line(line)
        except StuckError:
            end_stuck_process()
        return collected

    def _run(self, request: Request) -> Generator[Line, None, None]:
        call = Call(request, self._overrides, self._ollama_host)
        return runtime.run_call(self._data_dir, call)
