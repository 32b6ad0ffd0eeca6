"""The frozen build: what may be in it, and that it works from an empty home."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import REPOSITORY

INSTALLER = REPOSITORY / "installer"


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(INSTALLER))
    import shipped

    return shipped


@pytest.fixture
def licences(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(INSTALLER))
    import licences

    return licences


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_the_build_starts_reads_answers_and_opens_its_window(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(INSTALLER / "bundle")], check=True)
    picture = tmp_path / "window.png"
    words = [sys.executable, str(INSTALLER / "smoke"), "--picture", str(picture)]
    tried = subprocess.run(words, capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stdout + tried.stderr
    build = REPOSITORY / "dist" / "desktop-rag"
    notice = (build / "licences" / "THIRD-PARTY.md").read_text(encoding="utf-8")
    assert "PySide6_Essentials" in notice
    if sys.platform == "linux":
        assert not list(build.rglob("libonnxruntime.so*"))  # the same as what Python loads
        files = [path for path in build.rglob("*") if path.is_file() and not path.is_symlink()]
        assert sum(path.stat().st_size for path in files) < 700e6  # with symbols it were 750


@pytest.mark.parametrize(
    "name", ["libQt6Charts.so.6", "Qt6VirtualKeyboard.dll", "QtGraphs.abi3.so", "libreadline.so.8"]
)
def test_a_library_under_the_gpl_ends_the_build(shipped: ModuleType, name: str) -> None:
    fine = ["libQt6Core.so.6", "QtWidgets.abi3.so", "Qt6Gui.dll", "libpython3.11.so.1.0"]
    shipped.refuse_copyleft([(each, "/nowhere", "EXTENSION") for each in fine])
    with pytest.raises(SystemExit, match=name.replace(".", r"\.")):
        shipped.refuse_copyleft([(f"PySide6/{name}", "/nowhere", "EXTENSION")])


def test_unused_plug_ins_and_languages_stay_out(shipped: ModuleType) -> None:
    places = [
        "PySide6/Qt/translations/qtbase_zh_CN.qm",
        "PySide6/Qt/translations/qtbase_fi.qm",
        "PySide6/Qt/plugins/platforms/libqvnc.so",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "spacy/tokens/doc.pyx",
        "desktop_rag/resources/models/all-minilm-l6-v2/model.onnx",
        "onnxruntime/quantization/calibrate.py",
        "cv2/config-3.py",
    ]
    kept = [each[0] for each in shipped.used([(place, "", "DATA") for place in places])]
    assert kept == [places[0], places[3], places[5], places[7]]


def test_a_package_under_the_gpl_alone_ends_the_build(licences: ModuleType) -> None:
    fine = [("a", "MIT"), ("b", "LGPL-3.0-only"), ("c", "GPL-2.0-only OR MIT")]
    licences.refuse_copyleft([licences.Work(name, "1", said, "") for name, said in fine])
    with pytest.raises(SystemExit, match="d "):
        licences.refuse_copyleft([licences.Work("d", "1", "GNU AGPL v3", "")])


def test_each_file_of_a_build_is_traced_to_its_package(licences: ModuleType) -> None:
    import lxml
    import numpy as np

    files = [Path(np.__file__), Path(lxml.__file__), Path("/nowhere/else.py")]
    assert [each.name for each in licences.distributions(files)] == ["lxml", "numpy"]
