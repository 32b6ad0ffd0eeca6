"""What is seen of a computer's memory, processors and GPUs."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
import pytest

from desktop_rag.core.hardware import Gpu, Hardware, parse_nvidia_smi, read_hardware

MEBIBYTE = 1024 * 1024


@pytest.fixture(autouse=True)
def no_programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let no GPU of the computer that runs the tests be seen."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_memory_and_cores_are_those_of_the_system(tmp_path: Path) -> None:
    found = read_hardware(tmp_path)
    assert found.memory == psutil.virtual_memory().total
    assert found.cores >= 1


def test_a_line_of_nvidia_smi_is_a_gpu_and_other_lines_are_none() -> None:
    told = "NVIDIA GeForce RTX 3060, 12288\nNVIDIA, odd, [N/A]\nNo devices were found\n, 5\n"
    assert parse_nvidia_smi(told) == (
        Gpu("NVIDIA GeForce RTX 3060", 12288 * MEBIBYTE),
        Gpu("NVIDIA, odd", 0),
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a script of the shell")
@pytest.mark.parametrize(
    ("script", "gpus"),
    [
        ("echo 'Tesla T4, 15360'", (Gpu("Tesla T4", 15360 * MEBIBYTE),)),
        ("echo 'Tesla T4, 15360'; exit 9", ()),
        ("printf '\\377\\033[2J, 1024\\n'", (Gpu("��[2J", 1024 * MEBIBYTE),)),
    ],
)
def test_nvidia_smi_is_asked_where_it_is_there(
    no_programs: Path, tmp_path: Path, script: str, gpus: tuple[Gpu, ...]
) -> None:
    program = no_programs / "nvidia-smi"
    program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    program.chmod(0o755)
    assert read_hardware(tmp_path).gpus == gpus


@pytest.mark.skipif(sys.platform == "darwin", reason="Apple's own chips have one")
def test_without_its_tools_the_driver_s_files_tell(tmp_path: Path) -> None:
    assert read_hardware(tmp_path).gpus == ()
    folder = tmp_path / "sys/class/drm/card1/device"
    folder.mkdir(parents=True)
    told = folder / "mem_info_vram_total"
    told.write_text("536870912\n", "ascii")
    assert read_hardware(tmp_path).gpus == ()  # graphics of a processor
    told.write_text("8573157376\n", "ascii")
    assert read_hardware(tmp_path).gpus == (Gpu("AMD", 8573157376),)
    nvidia = tmp_path / "proc/driver/nvidia/gpus/0000:01:00.0"
    nvidia.mkdir(parents=True)
    (nvidia / "information").write_text("Model: \t\t NVIDIA A10\nIRQ:   \t\t 33\n", "ascii")
    assert read_hardware(tmp_path).gpus == (Gpu("NVIDIA A10"),)


def test_the_gpu_with_most_memory_counts() -> None:
    assert Hardware(1, 1, (Gpu("a", 5), Gpu("b", 9), Gpu("c"))).gpu_memory == 9
    assert Hardware(1, 1).gpu_memory == 0
