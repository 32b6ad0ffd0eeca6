"""Packages are installed with uv as pip would, and with pip where there is no uv."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import REPOSITORY


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(REPOSITORY / "installer"))
    import packages

    return packages


def tiny_wheel(folder: Path) -> None:
    about = "Metadata-Version: 2.1\nName: tiny-made-up\nVersion: 1.0\n"
    with zipfile.ZipFile(folder / "tiny_made_up-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_made_up.py", "ANSWER = 42\n")
        wheel.writestr("tiny_made_up-1.0.dist-info/METADATA", about)
        wheel.writestr(
            "tiny_made_up-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr("tiny_made_up-1.0.dist-info/RECORD", "")


def test_uv_is_told_what_pip_was_told(packages: ModuleType) -> None:
    said = [
        "global.index-url='https://mirror.example/simple'",
        "global.extra-index-url='https://one.example/simple\\nhttps://two.example/simple'",
        ":env:.cert='/etc/certs.pem'",
        "install.trusted-host='mirror.example'",
        "global.disable-pip-version-check='1'",
    ]
    assert packages.settings_for_uv(said, {"SSL_CERT_FILE": "/mine.pem"}) == {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_INSECURE_HOST": "mirror.example",
    }


def test_pip_does_it_where_uv_cannot_be_had(
    packages: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny_wheel(tmp_path)
    for name, value in (("NO_INDEX", "1"), ("FIND_LINKS", str(tmp_path)), ("CONFIG_FILE", "/nil")):
        monkeypatch.setenv(f"PIP_{name}", value)
    made = tmp_path / "made"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", made], check=True)
    python = made / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    assert not packages.install(python, ["not-to-be-had-anywhere"])
    assert packages.install(python, ["tiny-made-up"])
    shown = subprocess.run(
        [python, "-c", "import tiny_made_up; print(tiny_made_up.ANSWER)"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert shown.stdout.strip() == "42"
