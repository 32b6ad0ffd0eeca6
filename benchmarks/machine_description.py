"""When and where a benchmark ran, in words."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime

import psutil

from desktop_rag.models.onnx_model import available_cores

_QUIET = 1.0  # load above which something else runs


def machine_text() -> str:
    """Say when and where this runs, and what else kept the machine busy when it began."""
    memory = psutil.virtual_memory().total / (1 << 30)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    beside = f"; **beside other work** (load {load:.1f} at the start), so times are not to be kept"
    busy = beside if load > _QUIET else f", load {load:.1f} at the start"
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.system()} on {platform.machine()}, "
        f"{available_cores()} cores, {memory:.0f} GiB, no GPU, "
        f"Python {platform.python_version()}{busy}"
    )
