"""What a library written in Rust raises when it breaks down, as over damaged files."""

from __future__ import annotations


def is_panic(error: BaseException) -> bool:
    """Say whether an exception is a panic: no `Exception`, and of a class nobody can import."""
    return type(error).__module__ == "pyo3_runtime"
