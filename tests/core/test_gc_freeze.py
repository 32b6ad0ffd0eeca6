"""What lasts is kept from the collector."""

from __future__ import annotations

import gc
import subprocess
import sys

from desktop_rag.core.gc_freeze import freeze_after


def test_nothing_is_collected_while_lasting_values_are_made() -> None:
    begun: list[str] = []

    def note(phase: str, _: dict[str, int]) -> None:
        begun.append(phase)

    gc.callbacks.append(note)
    try:
        with freeze_after():
            made = [[number] for number in range(50_000)]
        assert not begun
    finally:
        gc.callbacks.remove(note)
        gc.unfreeze()
    assert len(made) == 50_000
    assert gc.isenabled()


def test_the_collector_never_looks_at_the_engine_of_an_open_window() -> None:
    script = (
        "import gc\n"
        "from desktop_rag.gui.controllers.data_folder import DataFolder\n"
        "from desktop_rag.core.cancel import CancelToken\n"
        "DataFolder(lambda: None).open(CancelToken())\n"
        "print(gc.get_freeze_count(), len(gc.get_objects()), gc.isenabled())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    frozen, looked_at, is_on = done.stdout.split()
    assert is_on == "True"
    assert int(frozen) > 10 * int(looked_at)
