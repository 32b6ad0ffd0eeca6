"""Install packages into an environment: with uv, which needs a quarter of pip's time, or with pip.

uv is fetched for the moment into a folder of its own, and told what pip was told about where
packages come from. Where it can't be had or fails, pip does the work.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

# What uv calls pip's settings (its documentation, "Environment variables").
_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "constraint": "UV_CONSTRAINT",
    "timeout": "UV_HTTP_TIMEOUT",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}


def install(python: Path, wanted: list[str]) -> bool:
    """Install what pip's words `wanted` name for an interpreter; say whether it went well."""
    with tempfile.TemporaryDirectory(prefix="desktop-rag-uv-") as folder:
        if _fetched(Path(folder)):
            uv = [_base(), "-m", "uv", "pip", "install", "--quiet", "--no-cache"]
            command = [*uv, "--compile-bytecode", "--python", str(python), *wanted]
            known = settings_for_uv(_said_to_pip(), os.environ)
            # It leaves locks where temporary files go.
            own = {"PYTHONPATH": folder, "TMPDIR": folder, "TMP": folder, "TEMP": folder}
            if _went_well(command, known | own, is_quiet=True):
                return True
            print("uv could not install them; pip does it, in some minutes …", flush=True)
    return _went_well([*_pip(), "--python", str(python), "install", "--quiet", *wanted])


def settings_for_uv(lines: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for uv that say what the lines of `pip config list` say.

    What the user has told uv itself stays as it is.
    """
    made = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # pip takes the newest of all places, too
    for line in lines:
        name, _, value = line.partition("=")
        variable = _NAMES.get(name.rpartition(".")[2].lower().replace("_", "-"))
        if variable is not None:
            made[variable] = " ".join(str(ast.literal_eval(value)).split())
    return {name: value for name, value in made.items() if name not in environment}


def _base() -> str:
    """Return an interpreter with pip.

    The environments that are made here have no pip: one of them asks the Python it is of.
    """
    here = importlib.util.find_spec("pip") is not None
    return sys.executable if here else getattr(sys, "_base_executable", sys.executable)


def _pip() -> list[str]:
    return [_base(), "-m", "pip"]


def _fetched(folder: Path) -> bool:
    command = [*_pip(), "install", "--quiet", "--target", str(folder), "uv>=0.5"]
    return _went_well(command, is_quiet=True)


def _said_to_pip() -> list[str]:
    asked = subprocess.run(
        [*_pip(), "config", "list"], check=False, capture_output=True, text=True, encoding="utf-8"
    )
    return asked.stdout.splitlines()


def _went_well(
    command: list[str], more: Mapping[str, str] | None = None, *, is_quiet: bool = False
) -> bool:
    out = subprocess.DEVNULL if is_quiet else None
    ended = subprocess.run(
        command, env=os.environ | (more or {}), check=False, stdin=subprocess.DEVNULL,
        stdout=out, stderr=out,
    )  # fmt: skip
    return ended.returncode == 0
