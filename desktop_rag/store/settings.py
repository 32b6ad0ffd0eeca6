"""The settings file, and `--set`: values checked against their declarations in `core.settings`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.core.settings import Settings

FILE_NAME = "settings.json"


@dataclass(frozen=True, slots=True)
class Declared:
    """One setting as it is declared; `key` is `section.name`."""

    key: str
    kind: type
    default: Any
    title: str
    effect: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()


def declared() -> list[Declared]:
    """Return every setting, in the order of its declaration."""
    raise NotImplementedError


def load(data_dir: Path, overrides: Mapping[str, str] | None = None) -> Settings:
    """Read the settings file, if there is one, and lay `--set` values over it.

    Raises UsageError for an unknown key (with the nearest known one) or a value out of bounds.
    """
    raise NotImplementedError


def save(data_dir: Path, settings: Settings) -> None:
    """Write what differs from the defaults, atomically; keys of other versions are kept."""
    raise NotImplementedError
