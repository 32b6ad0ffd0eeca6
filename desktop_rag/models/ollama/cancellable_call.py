"""Calls to one server of language models that can be stopped at any moment.

Each call has an event loop of its own, which runs in the caller's thread only while the caller
waits. Stopping cancels the task in it: that ends a read that waits for headers, for the first
token or for the next one, which closing the response from another thread would not.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import AbstractAsyncContextManager
from contextvars import Context, copy_context
from functools import partial
from typing import Any, Protocol, TypeVar

import httpx

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.connection_audit import Purpose, about, expect
from desktop_rag.core.errors import Cancelled, DesktopRagError, ModelUnavailable
from desktop_rag.models.ollama.http_client import make_client
from desktop_rag.models.ollama.server_errors import server_error

T = TypeVar("T")
Start = Callable[[Any], Awaitable[AsyncIterator[T]]]
MakeClient = Callable[[str], AbstractAsyncContextManager[Any]]
_END = object()
# What the client raises on an answer that has not the form of Ollama's.
_NOT_ITS_FORM = (
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    ArithmeticError,
    RecursionError,
)
_WAITING = 4  # parts that lie ready for whoever reads: the server is not read ahead of them


class ServerFault(Protocol):
    """What is told of an error of a client's."""

    def __call__(
        self, error: Exception, url: str, model: str, *, began: bool = False
    ) -> ModelUnavailable:
        """Return the error to raise; `began` says that a part of the answer had come."""
        ...


class CancellableConnection:
    """The way to one server. `model` is named in errors, `purpose` in the log of connections.

    `client` makes what each call is made with, and `fault` names its errors: Ollama's, unless told.
    """

    def __init__(
        self,
        url: str,
        model: str = "",
        purpose: Purpose = Purpose.ANSWER,
        *,
        client: MakeClient = make_client,
        fault: ServerFault = server_error,
    ) -> None:
        self.url = url
        self._client, self._fault = client, fault
        self._model = model
        self._purpose = purpose

    def stream(self, start: Start[T], token: CancelToken) -> Generator[T, None, None]:
        """Yield what a streaming call gives, as it comes.

        Raises `Cancelled` soon after the token's cancel, `ModelUnavailable` for every fault of
        the server's. A consumer that stops early closes the connection.
        """
        token.check()
        loop = asyncio.SelectorEventLoop()  # Windows' other one connects unseen by audit hooks
        try:
            arrivals = _Arrivals()
            context = self._told()
            task = loop.create_task(self._pump(start, arrivals), context=context)
            try:
                with token.waking(partial(_cancel_soon, loop, task)):
                    yield from self._arriving(loop, task, arrivals, token)
            finally:
                _settle(loop, task)
        finally:
            loop.close()

    def ask(self, call: Callable[[Any], Awaitable[T]], token: CancelToken, seconds: float) -> T:
        """Return what a call gives that is done within some seconds."""

        async def once(client: Any) -> AsyncIterator[T]:
            return _single(asyncio.wait_for(call(client), seconds))

        (answer,) = self.stream(once, token)
        return answer

    def _arriving(
        self,
        loop: asyncio.AbstractEventLoop,
        task: asyncio.Task[None],
        arrivals: _Arrivals,
        token: CancelToken,
    ) -> Iterator[Any]:
        while True:
            arrived = loop.run_until_complete(arrivals.get())
            token.check()
            if arrived is _END:
                break
            yield arrived
            token.check()
        self._raise_fault(loop, task, began=arrivals.began)

    def _raise_fault(
        self, loop: asyncio.AbstractEventLoop, task: asyncio.Task[None], *, began: bool
    ) -> None:
        try:
            loop.run_until_complete(task)
        except asyncio.CancelledError as error:
            raise Cancelled from error
        except DesktopRagError:
            raise
        except (httpx.HTTPError, OSError, *_NOT_ITS_FORM) as error:
            raise self._fault(error, self.url, self._model, began=began) from error
        except Exception as error:
            from ollama import ResponseError

            if isinstance(error, ResponseError):
                raise self._fault(error, self.url, self._model) from error
            raise

    def _told(self) -> Context:
        """Return a context in which connections say what they are for."""
        expect(self.url, self._purpose)
        with about(self._purpose):
            return copy_context()

    async def _pump(self, start: Start[Any], arrivals: _Arrivals) -> None:
        """Move what comes to the queue; the end is marked however it comes."""
        try:
            async with self._client(self.url) as client:
                async for each in await start(client):
                    await arrivals.put(each)
        finally:
            arrivals.end()


class _Arrivals:
    """What has come and waits to be read: a few parts, however fast the server sends.

    `began` says whether any part has come.
    """

    def __init__(self) -> None:
        self.began = False
        self._room = asyncio.Semaphore(_WAITING)
        self._parts: asyncio.Queue[Any] = asyncio.Queue()

    async def put(self, part: Any) -> None:
        """Add a part, once there is room."""
        self.began = True
        await self._room.acquire()
        self._parts.put_nowait(part)

    def end(self) -> None:
        """Mark the end; for that there is always room."""
        self._parts.put_nowait(_END)

    async def get(self) -> Any:
        """Wait for the next part, or the end."""
        part = await self._parts.get()
        self._room.release()
        return part


async def _single(awaited: Awaitable[T]) -> AsyncIterator[T]:
    yield await awaited


def _cancel_soon(loop: asyncio.AbstractEventLoop, task: asyncio.Task[None]) -> None:
    try:
        loop.call_soon_threadsafe(task.cancel)
    except RuntimeError:
        return  # the call ended in this very moment and closed its loop


def _settle(loop: asyncio.AbstractEventLoop, task: asyncio.Task[None]) -> None:
    """Let a call that is no longer wanted close its connection."""
    task.cancel()
    loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
    loop.run_until_complete(loop.shutdown_asyncgens())
    while left := asyncio.all_tasks(loop):  # the ends of generators that the client dropped
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
