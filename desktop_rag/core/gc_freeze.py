"""Python's collector of cycles, kept from what lasts.

It looks at everything again and again, and no thread runs meanwhile: 50 ms for the modules of the
engine alone.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def freeze_after() -> Iterator[None]:
    """Let the collector look at nothing that is there when this ends, neither now nor later.

    What forms no cycle goes as ever, as soon as nobody holds it.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
