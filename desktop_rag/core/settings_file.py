"""The settings file, and `--set`: values checked against their declarations in `core.settings`."""

from __future__ import annotations

import difflib
import json
import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from desktop_rag.core.errors import StoreDamaged, UsageError, UserError
from desktop_rag.core.paths import make_private
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.settings import VERSION, Settings

FILE_NAME = "settings.json"
_log = logging.getLogger(__name__)
_WORDS = {"true": True, "yes": True, "on": True, "1": True} | dict.fromkeys(
    ("false", "no", "off", "0"), False
)


@dataclass(frozen=True, slots=True)
class SettingDeclaration:
    """One setting as it is declared; `key` is `section.name`."""

    key: str
    kind: type
    default: Any
    title: str
    effect: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    others: bool = False
    pattern: str = ""
    example: str = ""
    restart: bool = False
    advanced: bool = False
    run_only: bool = False

    @property
    def section(self) -> str:
        """The part of the key before the point."""
        return self.key.partition(".")[0]


def setting_declarations() -> list[SettingDeclaration]:
    """Return every setting, in the order of its declaration."""
    defaults = Settings()
    return [
        SettingDeclaration(
            key=f"{section.name}.{each.name}",
            kind=type(getattr(getattr(defaults, section.name), each.name)),
            default=getattr(getattr(defaults, section.name), each.name),
            **each.metadata,
        )
        for section in fields(defaults)
        for each in fields(getattr(defaults, section.name))
    ]


def load(data_dir: Path, overrides: Mapping[str, str] | None = None) -> Settings:
    """Read the settings file, if there is one, and lay `--set` values over it.

    Raises UsageError for an unknown key of `overrides` (with the nearest known one) or a value out
    of bounds. In the file those are passed over, and logged.
    """
    known = {each.key: each for each in setting_declarations()}
    made = Settings()
    for key, value in _flat(_read(data_dir)).items():
        if key in known and not known[key].run_only:
            made = _with_stored(made, known[key], value)
    for name, text in (overrides or {}).items():
        setting = _found(name, known)
        made = with_value(made, setting.key, read_value(setting, text))
    return made


def invalid_entries(data_dir: Path) -> list[str]:
    """Return a sentence for each part of the settings file that is passed over."""
    known, stored = {each.key: each for each in setting_declarations()}, _read(data_dir)
    sections = {each.section for each in known.values()}
    told: list[str] = [
        Phrase("“{0}” holds no settings.", name)
        for name, value in stored.items()
        if name in sections and not isinstance(value, dict)
    ]
    for key, value in _flat(stored).items():
        if key not in known or known[key].run_only:
            told.append(Phrase("“{0}” is no setting of this version that is kept.", key))
            continue
        try:
            _checked(known[key], value)
        except UsageError as error:
            told.append(error.what)
    return told


def with_value(settings: Settings, key: str, value: Any) -> Settings:
    """Return settings with one value changed; a UsageError when it is out of bounds."""
    setting = next(each for each in setting_declarations() if each.key == key)
    section, _, name = key.partition(".")
    changed = replace(getattr(settings, section), **{name: _checked(setting, value)})
    return replace(settings, **{section: changed})


def read_value(setting: SettingDeclaration, text: str) -> Any:
    """Return a written value as the setting's kind; a UsageError when it is out of bounds."""
    return _checked(setting, _parsed(setting, text))


def value_of(settings: Settings, key: str) -> Any:
    """Return one value by its key."""
    section, _, name = key.partition(".")
    return getattr(getattr(settings, section), name)


def save(data_dir: Path, settings: Settings) -> None:
    """Write what differs from the defaults, atomically; keys of other versions are kept.

    Raises a UserError, with the old file as it was, where it cannot be written.
    """
    made = _read(data_dir) | {"version": VERSION}
    for each in setting_declarations():
        section, _, name = each.key.partition(".")
        value = value_of(settings, each.key)
        if not isinstance(made.get(section), dict):
            made[section] = {}
        kept = made[section]
        if value == each.default or each.run_only:
            kept.pop(name, None)
        else:
            kept[name] = value
    text = json.dumps({key: value for key, value in made.items() if value != {}}, indent=2)
    try:
        _put_in_place(make_private(data_dir) / FILE_NAME, text + "\n")
    except OSError as error:
        raise UserError(
            Phrase("The settings can't be written: {0}.", error.strerror or error),
            "Make room, or give yourself the right to write to the data folder.",
            retryable=True,
        ) from error


def _put_in_place(path: Path, text: str) -> None:
    """Write a file whole or leave the old one, and nothing beside it."""
    draft = path.with_name(f"{path.name}.new")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _read(data_dir: Path) -> dict[str, Any]:
    """Return the file's object, empty when there is no file."""
    path = data_dir / FILE_NAME
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(path) from error
    if not isinstance(found, dict):
        raise _unreadable(path)
    return found


def _unreadable(path: Path) -> StoreDamaged:
    return StoreDamaged(
        Phrase("The settings file {0} cannot be read.", path), "Mend it, or delete it."
    )


def _flat(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the file's values by `section.name`."""
    return {
        f"{section}.{name}": value
        for section, values in stored.items()
        if isinstance(values, dict)
        for name, value in values.items()
    }


def _with_stored(settings: Settings, setting: SettingDeclaration, value: Any) -> Settings:
    """Lay a value of the file over settings; pass over one that does not fit."""
    try:
        return with_value(settings, setting.key, value)
    except UsageError as error:
        _log.warning("In the settings file: %s", error)
        return settings


def _found(name: str, known: Mapping[str, SettingDeclaration]) -> SettingDeclaration:
    """Return the setting of a key, or of a key without its section where that is clear."""
    if name in known:
        return known[name]
    short = [each for each in known.values() if each.key.endswith(f".{name}")]
    if len(short) == 1:
        return short[0]
    if short:
        raise UsageError(
            Phrase("“{0}” is more than one setting.", name),
            Phrase("Write one of {0}.", ", ".join(each.key for each in short)),
        )
    names = {key.rpartition(".")[2]: key for key in known} | {key: key for key in known}
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    all_of_them = Phrase("The settings are {0}.", ", ".join(known))
    remedy = f"Did you mean “{names[near[0]]}”?" if near else all_of_them
    raise UsageError(Phrase("There is no setting “{0}”.", name), remedy)


def _parsed(setting: SettingDeclaration, text: str) -> Any:
    """Read what a user wrote as a value of the setting's kind."""
    text = text.strip()
    if setting.kind is bool:
        if text.lower() not in _WORDS:
            raise UsageError(
                Phrase("{0} is on or off, not “{1}”.", setting.key, text),
                "Write true or false.",
            )
        return _WORDS[text.lower()]
    try:
        return setting.kind(text)
    except ValueError as error:
        kind = "a whole number" if setting.kind is int else "a number"
        raise UsageError(
            Phrase("{0} is {1}, not “{2}”.", setting.key, kind, text),
            Phrase("Write a number such as {0}.", setting.default),
        ) from error


def _checked(setting: SettingDeclaration, value: Any) -> Any:
    """Return a value of the right kind within the bounds, or raise UsageError."""
    if setting.kind is float and type(value) is int:
        value = float(value)
    if type(value) is not setting.kind:
        raise UsageError(
            Phrase("{0} cannot be {1}.", setting.key, f"{value!r}"),
            Phrase("The default is {0}.", setting.default),
        )
    if setting.choices and value not in setting.choices and not (setting.others and value):
        raise UsageError(
            Phrase("{0} cannot be “{1}”.", setting.key, value),
            Phrase("Choose one of {0}.", ", ".join(setting.choices)),
        )
    if setting.pattern and not re.fullmatch(setting.pattern, str(value)):
        raise UsageError(
            Phrase("{0} cannot be “{1}”.", setting.key, value),
            Phrase("Write it like {0}.", setting.example),
        )
    if not _is_within(setting, value):
        raise UsageError(
            Phrase("{0} cannot be {1}.", setting.key, value),
            Phrase("Choose a number from {0} to {1}.", setting.low, setting.high),
        )
    return value


def _is_within(setting: SettingDeclaration, value: Any) -> bool:
    """Say whether a value keeps to the bounds; what is not a number at all does not."""
    if setting.low is not None and not value >= setting.low:
        return False
    return setting.high is None or bool(value <= setting.high)
