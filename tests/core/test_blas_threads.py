"""Products of matrices leave no threads that wait at work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

_PRODUCT = """
import os
import desktop_rag
import numpy as np
np.ones((2000, 384), np.float32) @ np.ones((384, 500), np.float32)
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="counts threads in Linux's /proc")
def test_a_product_takes_one_thread() -> None:
    """OpenBLAS would have one a core, at work for 25 ms after each product: the reader's core."""
    bare = {name: value for name, value in os.environ.items() if "BLAS" not in name}
    done = subprocess.run(
        [sys.executable, "-c", _PRODUCT], env=bare, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "1"
