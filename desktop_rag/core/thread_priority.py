"""Threads that only compute, and let the window's go first."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

BELOW = 10
"""How nice such a thread is on Linux, as the readers' processes are: 0 is as all, 19 as none."""


def give_way() -> None:
    """Let other threads go before this one, for good, on Linux and Windows; do nothing elsewhere.

    Only for threads that hold no lock while they compute: whoever waits for one would wait longer.
    """
    if sys.platform == "win32":
        import ctypes

        below_normal = -1
        kernel = ctypes.windll.kernel32
        me = ctypes.c_void_p(kernel.GetCurrentThread())  # -2 in 64 bits, too
        kernel.SetThreadPriority(me, below_normal)
    elif sys.platform == "linux":
        me = threading.get_native_id()  # Linux has a priority for each thread
        with suppress(OSError):  # a cage may forbid it
            os.setpriority(os.PRIO_PROCESS, me, max(BELOW, os.getpriority(os.PRIO_PROCESS, me)))
