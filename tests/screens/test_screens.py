"""The window looks as it did: its screens beside those that were looked at and kept.

After a change that is meant, keep the new ones: `python -m tests.screens.update`, and look at them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage, QRawFont

from desktop_rag.core.paths import resources
from tests.conftest import REPOSITORY
from tests.screens.image_diff import share_changed

KEPT = Path(__file__).parent / "kept"
LOOKS = (
    ("en", "light", 100),
    ("en", "dark", 100),
    ("zh", "light", 100),
    ("zh", "dark", 100),
    ("zh", "contrast", 100),
    ("en", "light", 150),
    ("zh", "dark", 200),
)
TOLERATED = 0.02
FONTS = Path(__file__).parent / "fonts"
FLEETING = ("2-indexing", "5-streaming", "9-settings-ollama")  # as the computer is, and how fast


def kept_in(look: tuple[str, str, int]) -> Path:
    """Return the folder of a look: language, theme, and how large everything is in percent."""
    language, theme, scale = look
    return KEPT / (f"{language}-{theme}" + (f"-{scale}" if scale != 100 else ""))


def taken(folder: Path, look: tuple[str, str, int], samples: Path | None = None) -> list[Path]:
    """Take the screens in a process of their own, and return those that can be compared.

    `samples` is a data folder that has read them; without one they are read another time.
    """
    language, theme, scale = look
    command = [sys.executable, "-m", "tests.screens.take", str(folder), "--scale", str(scale)]
    command += ["--samples", str(samples)] if samples else []
    subprocess.run(
        [*command, "--language", language, "--theme", theme],
        cwd=REPOSITORY,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        check=True,
        capture_output=True,
    )
    return [path for path in sorted(folder.glob("*.png")) if path.stem not in FLEETING]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "look",
    [
        pytest.param(
            look,
            id=kept_in(look).name,
            marks=() if look == ("zh", "dark", 100) else pytest.mark.slow,
        )
        for look in LOOKS
    ],
)
def test_the_screens_look_as_they_did(
    look: tuple[str, str, int], tmp_path: Path, read_samples: Path
) -> None:
    kept = kept_in(look)
    now = taken(tmp_path, look, read_samples)
    assert [path.name for path in now] == [path.name for path in sorted(kept.glob("*.png"))]
    changed = {path.stem: share_changed(path, kept / path.name) for path in now}
    assert {name: share for name, share in changed.items() if share > TOLERATED} == {}


def test_a_pane_that_moved_is_seen(tmp_path: Path) -> None:
    before = KEPT / "zh-dark" / "6-answer.png"
    image = QImage(str(before))
    moved = image.copy(12, 0, image.width(), image.height())
    moved.save(str(tmp_path / "moved.png"))
    assert share_changed(before, tmp_path / "moved.png") > TOLERATED
    assert share_changed(before, before) == 0.0


def test_every_chinese_character_of_the_window_is_in_the_font_of_the_pictures(qapp: object) -> None:
    assert qapp
    figures = QRawFont(str(FONTS / "NotoSansCJKsc-Regular.otf"), 16.0)
    text = (resources() / "translations" / "desktop_rag_zh.ts").read_text(encoding="utf-8")
    missing = {
        char for char in text if char > "\u2e7f" and not figures.supportsCharacter(ord(char))
    }
    assert missing == set(), "cut the font anew from Noto Sans CJK SC"
