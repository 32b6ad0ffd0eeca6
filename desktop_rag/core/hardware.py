"""What this computer has to run a language model: memory, processor cores, GPUs.

GPUs are seen where the system tells of them without more: NVIDIA's by `nvidia-smi` or below
`/proc`, AMD's below `/sys`, Apple's by `sysctl`. Others are not seen.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from desktop_rag.core.sanitize import sanitize_name

_SECONDS = 5.0
_LEAST_MEMORY = 2 * 10**9  # of AMD's: processors with graphics in them have less of their own
_MEBIBYTE = 1024 * 1024
_MOST = 16
_QUERY = ("--query-gpu=name,memory.total", "--format=csv,noheader,nounits")


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU. `memory` is in bytes: 0 where not told, or where it is the computer's own."""

    name: str
    memory: int = 0


@dataclass(frozen=True, slots=True)
class Hardware:
    """This computer: memory in bytes, cores of its processors, GPUs that could be seen."""

    memory: int
    cores: int
    gpus: tuple[Gpu, ...] = ()

    @property
    def gpu_memory(self) -> int:
        """The memory of the GPU that has most; 0 where none is known."""
        return max((each.memory for each in self.gpus), default=0)


def read_hardware(root: Path = Path("/")) -> Hardware:
    """Ask the system what this computer has; takes up to seconds. `root` is for tests."""
    cores = psutil.cpu_count(logical=False) or psutil.cpu_count() or 1
    gpus = _by_nvidia_smi() or _below_proc(root) or _below_sys(root) or _apple()
    return Hardware(int(psutil.virtual_memory().total), cores, gpus[:_MOST])


def parse_nvidia_smi(text: str) -> tuple[Gpu, ...]:
    """Read a line a GPU, `NVIDIA GeForce RTX 3060, 12288`; what is no such line is left out."""
    found = []
    for line in text.splitlines():
        name, comma, mebibytes = line.rpartition(",")
        if comma and name.strip():
            known = mebibytes.strip()
            memory = int(known) * _MEBIBYTE if known.isdecimal() else 0
            found.append(Gpu(sanitize_name(name.strip()), memory))
    return tuple(found)


def _by_nvidia_smi() -> tuple[Gpu, ...]:
    program = shutil.which("nvidia-smi") or _windows_s_own(os.environ)
    return parse_nvidia_smi(_output(program, *_QUERY)) if program else ()


def _windows_s_own(environ: Mapping[str, str]) -> str:
    place = Path(environ.get("SystemRoot", ""), "System32", "nvidia-smi.exe")
    return str(place) if sys.platform == "win32" and place.is_file() else ""


def _below_proc(root: Path) -> tuple[Gpu, ...]:
    """Read what NVIDIA's driver tells without its tools: a file a GPU, with its model."""
    found = []
    for place in sorted(root.glob("proc/driver/nvidia/gpus/*/information")):
        for line in _text(place).splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "Model" and value.strip():
                found.append(Gpu(sanitize_name(value.strip())))
    return tuple(found)


def _below_sys(root: Path) -> tuple[Gpu, ...]:
    """Read what AMD's driver tells: the memory of each card, not its name."""
    found = []
    for place in sorted(root.glob("sys/class/drm/card*/device/mem_info_vram_total")):
        told = _text(place).strip()
        if told.isdecimal() and int(told) >= _LEAST_MEMORY:
            found.append(Gpu("AMD", int(told)))
    return tuple(found)


def _apple() -> tuple[Gpu, ...]:
    """Return the GPU of Apple's own chips, which has the computer's memory."""
    if platform.system() != "Darwin" or platform.machine() != "arm64":
        return ()
    name = _output("/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string").strip()
    return (Gpu(sanitize_name(name)),) if name else ()


def _text(place: Path) -> str:
    try:
        return place.read_text("utf-8", errors="replace")
    except OSError:
        return ""


def _output(*command: str) -> str:
    """Return what a program prints; empty where it fails or takes too long."""
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        done = subprocess.run(  # noqa: S603 - the system's own programs, no word of a user's
            command,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
            creationflags=hidden,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
