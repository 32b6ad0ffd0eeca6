"""The owner of a data folder: does its own work and serves every other start over a local socket.

Each call runs in a thread of its own. Before the owner goes, short calls are finished and long ones
are sent back to their callers, who go on with the next owner. On a client's connection both prove
the key to each other, then comes one request.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, answer_challenge, deliver_challenge

from desktop_rag.core.cancel import current_token, use_token
from desktop_rag.core.errors import UsageError
from desktop_rag.core.requests import OpenRequest
from desktop_rag.ipc import ownership
from desktop_rag.ipc.running_call import FAILED, WRONG_USAGE, Perform, RunningCall
from desktop_rag.ipc.wire import PROTOCOL, Call, Frame, decode_call, pack, unpack

log = logging.getLogger(__name__)

_LARGEST = 1 << 24
OnOpenRequest = Callable[[OpenRequest], None]
STOP_SECONDS = 3.0
"""Seconds that stopped work gets before the process goes without it."""
_AHEAD = 64  # frames of a call that are made before they are read
_LOOK_SECONDS = 0.1
HANDOVER_GRACE = 15.0
"""Seconds for which commands leave the lock to the window that asked for it."""


def serve_client(connection: Connection, key: bytes, owner: Owner) -> None:
    """Serve one connection to its end."""
    try:
        with connection:
            deliver_challenge(connection, key)
            answer_challenge(connection, key)
            connection.send_bytes(pack({"hello": PROTOCOL}))
            _answer(connection, unpack(connection.recv_bytes(_LARGEST)), owner)
    except (OSError, EOFError, AuthenticationError, UsageError):
        log.info("a client went away or was refused")
    except Exception:
        log.exception("a connection failed")


def _answer(connection: Connection, asked: Frame, owner: Owner) -> None:
    """Answer the one request of a connection."""
    if asked.get("verb") == "open":
        paths = asked.get("paths")
        named = tuple(map(str, paths)) if isinstance(paths, list) else ()
        kb, purpose = str(asked.get("kb", "")), asked.get("purpose")  # earlier versions name none
        wanted = OpenRequest(named, kb, purpose if purpose in ("read", "ask") else "")
        connection.send_bytes(pack(owner.open(wanted)))
        return
    try:
        running = RunningCall(decode_call(asked))
    except UsageError as error:
        refusal = {"end": WRONG_USAGE, "what": error.what, "remedy": error.remedy}
        connection.send_bytes(pack(refusal))
        return
    _stream(connection, running, owner)


def _stream(connection: Connection, running: RunningCall, owner: Owner) -> None:
    """Send a call's frames; stop it when its client says so or is gone."""
    listening = threading.Thread(
        target=_listen, args=(connection, running), name="listening", daemon=True
    )
    listening.start()

    def send(frame: Frame) -> None:
        try:
            connection.send_bytes(pack(frame))
        except OSError:
            running.token.cancel()

    owner.run(running, send)
    listening.join()


def _listen(connection: Connection, running: RunningCall) -> None:
    """Cancel a call at its client's first word or last breath."""
    while not running.ended.is_set():
        try:
            if connection.poll(0.1):
                connection.recv_bytes(_LARGEST)
                running.token.cancel()
                return
        except (OSError, EOFError):
            running.token.cancel()
            return


class Owner:
    """Serves one data folder whose lock it holds.

    `opened` is a window's: it is called, in a socket's thread, with what a second start wants.
    Without it this is a command's owner, which makes room when a window asks: its own long call
    ends with a `moved` frame, and whoever runs it must then call `close()`.
    """

    def __init__(
        self,
        lock: ownership.FolderLock,
        perform: Perform,
        close_work: Callable[[], None],
        opened: OnOpenRequest | None = None,
    ) -> None:
        self._lock = lock
        self._perform = perform
        self._close_work = close_work
        self._opened = opened
        self._grace: float | None = None
        self._closing = threading.Event()
        self._running: set[RunningCall] = set()
        self._idle = threading.Condition()
        self._key = ownership.shared_key(lock.data_dir)
        self._listener = ownership.open_listener(lock.data_dir)
        self._address = str(self._listener.address)
        self._acceptor = threading.Thread(target=self._accept, name="owner", daemon=True)

    def start(self) -> None:
        """Listen, and let others know where."""
        kind = "window" if self._opened else "command"
        here = ownership.OwnerAddress(self._address, os.getpid(), kind, PROTOCOL)
        ownership.write_address(self._lock.data_dir, here)
        self._acceptor.start()

    def run_here(self, call: Call) -> Iterator[Frame]:
        """Yield the frames of this process's own call.

        It runs in a thread, so that Ctrl-C is felt at once in this one; when the caller stops
        listening, or its `current_token` is cancelled, the call is stopped.
        """
        made: queue.Queue[Frame] = queue.Queue(_AHEAD)
        running = RunningCall(call)
        gone = threading.Event()
        send = partial(_put, made, gone)
        threading.Thread(target=self.run, args=(running, send), name="call", daemon=True).start()
        try:
            while "line" in (frame := _next(made)):
                yield frame
            yield frame
        finally:
            gone.set()
            running.token.cancel()
            running.ended.wait(STOP_SECONDS)

    def run(self, running: RunningCall, send: Callable[[Frame], None]) -> None:
        """Run one call to its end, in this thread, and send its frames."""
        with self._idle:
            self._running.add(running)
            if self._grace is not None and (running.long or self._closing.is_set()):
                running.move(self._grace)
        try:
            with use_token(running.token):
                for frame in running.frames(self._perform):
                    send(frame)
        except BaseException:  # as a panic of a library is: whoever waits must hear of it
            log.exception("a call broke down")
            send({"end": FAILED, "bug": True})
        finally:
            running.ended.set()
            with self._idle:
                self._running.discard(running)
                self._idle.notify_all()

    def open(self, wanted: OpenRequest) -> Frame:
        """Show the window again, with what is wanted; a command's owner makes room for one.

        So does a window that is closing: nobody would look at the paths any more.
        """
        if self._opened is not None and not self._closing.is_set():
            self._opened(wanted)
            return {"end": 0}
        self._leave(HANDOVER_GRACE)
        return {"leaving": True}

    def close(self) -> None:
        """Finish the short calls, move the long ones, close the work, and release the folder."""
        self._leave(0.0)
        with self._idle:
            while self._running:
                self._idle.wait(0.25)
            self._closing.set()  # together, so that no call begins between
        self._release()

    def abandon(self) -> bool:
        """Close as after Ctrl-C: everything is moved at once.

        Return False when a call did not stop in time: the folder is then left as a kill would
        leave it, and the process should end.
        """
        self._leave(0.0)
        self._closing.set()
        for running in self._now():
            running.move(0.0)
        with self._idle:
            if not self._idle.wait_for(lambda: not self._running, timeout=STOP_SECONDS):
                return False
        self._release()
        return True

    def _leave(self, grace: float) -> None:
        """From now on, send long calls back to their callers."""
        with self._idle:
            self._grace = max(grace, self._grace or 0.0)
        for running in self._now():
            if running.long:
                running.move(self._grace)

    def _now(self) -> list[RunningCall]:
        with self._idle:
            return list(self._running)

    def _release(self) -> None:
        """Close socket, work and lock, in the order in which the next owner needs them.

        Work is left as a kill would leave it where another process has taken the folder over.
        """
        self._closing.set()
        self._stop_listening()
        if not self._lock.is_lost:
            self._close_work()
        ownership.remove_address(self._lock.data_dir, self._address)
        self._lock.release()

    def _accept(self) -> None:
        """Take connections until the owner leaves; each is served in a thread of its own."""
        while not self._closing.is_set():
            try:
                connection = self._listener.accept()
            except OSError:
                continue
            if self._closing.is_set():  # the connection that woke us, or one that comes too late
                connection.close()
                return
            threading.Thread(
                target=serve_client, args=(connection, self._key, self), name="client", daemon=True
            ).start()

    def _stop_listening(self) -> None:
        """Close the socket; a connection of our own ends the wait of the accepting thread."""
        if self._acceptor.is_alive():
            try:
                Client(self._address).close()
            except OSError:
                log.debug("the socket was closed before")
            self._acceptor.join(STOP_SECONDS)
        self._listener.close()


def _put(made: queue.Queue[Frame], gone: threading.Event, frame: Frame) -> None:
    """Hand a frame over once there is room, unless whoever reads them is gone."""
    while not gone.is_set():
        try:
            made.put(frame, timeout=_LOOK_SECONDS)
        except queue.Full:
            continue
        return


def _next(made: queue.Queue[Frame]) -> Frame:
    """Return the next frame; wakes now and then, because Windows feels Ctrl-C only then.

    Raises `Cancelled` where the work that waits for it is stopped.
    """
    token = current_token()
    while True:
        token.check()
        try:
            return made.get(timeout=0.25)
        except queue.Empty:
            continue
