from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import REPOSITORY


@pytest.mark.parametrize("platform", ["offscreen", "minimal"])
def test_a_program_that_copied_something_ends_without_a_crash(platform: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.system.clipboard_program"],
        cwd=REPOSITORY,
        env=os.environ | {"QT_QPA_PLATFORM": platform},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "a\tb\n1\t2")
