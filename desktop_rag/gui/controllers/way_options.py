"""The options of ways to answer, as they are changed in the window and kept in the settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.errors import UsageError
from desktop_rag.core.settings import Settings
from desktop_rag.core.settings_file import SettingDeclaration, read_value
from desktop_rag.core.way_options import NO_CHANGES, WayOptions, parse_options, write_options
from desktop_rag.gui.controllers.settings import SettingsController
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices, WayForm

_KEY = "answering.options"
AROUND = "transforms."
"""Before a transform's name: the key of whether it is put around a way."""


@dataclass(frozen=True, slots=True)
class OptionChange:
    """An option, or a transform (`setting.kind` is bool), that has another value than its own."""

    setting: SettingDeclaration
    value: Any


class WayOptionsController(QObject):
    """What is changed of each way; `options_changed` says that something else is, or was learnt."""

    options_changed = Signal()

    def __init__(self, settings: SettingsController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._forms: dict[str, WayForm] = {}
        self._shown = self.kept
        settings.settings_changed.connect(self._compare)

    @property
    def kept(self) -> str:
        """All that is kept, as a request takes it."""
        return self._settings.settings.answering.options

    @Slot(object)
    def learn(self, choices: StrategyChoices) -> None:
        """Take in what options there are."""
        self._forms = {form.name: form for form in choices.forms}
        self.options_changed.emit()

    def form(self, way: str) -> WayForm | None:
        """Return what a way has of options, None of one that nothing is known of."""
        return self._forms.get(way)

    def values(self, way: str) -> WayValues | None:
        """Return a way's options as settings; None where there are none to set."""
        form = self.form(way)
        return None if form is None else WayValues(self, form, self)

    def changes(self, way: str) -> tuple[OptionChange, ...]:
        """Return what is changed of a way, as far as this version has it."""
        form = self.form(way)
        return () if form is None else tuple(_changes(form, self.kept_of(way)))

    def kept_of(self, way: str) -> WayOptions:
        """Return what is kept of a way."""
        return parse_options(self.kept).get(way, NO_CHANGES)

    def keep(self, way: str, changes: WayOptions) -> None:
        """Keep other changes of a way, in force from the next question on."""
        self._settings.change(_KEY, write_options(self.kept, way, changes))

    @Slot(object)
    def _compare(self, settings: Settings) -> None:
        if settings.answering.options != self._shown:
            self._shown = settings.answering.options
            self.options_changed.emit()


class WayValues(QObject):
    """One way's options by their keys, each as a setting is: with a value, a default, a change.

    `settings_changed` says that one has another value. What is kept and not possible goes with the
    first change.
    """

    settings_changed = Signal(object)

    def __init__(
        self, controller: WayOptionsController, form: WayForm, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.form = form
        self._controller = controller
        self._declared = {each.key: each for each in _declarations(form)}
        controller.options_changed.connect(self._tell)

    @property
    def is_any_changed(self) -> bool:
        """Whether anything is kept of the way, be it possible or not."""
        return bool(self._controller.kept_of(self.form.name))

    def value(self, key: str) -> Any:
        """Return an option's value in force; of a transform, whether it is around the way."""
        changed = {each.setting.key: each.value for each in self._changes()}
        return changed.get(key, self._declared[key].default)

    def is_changed(self, key: str) -> bool:
        """Say whether an option differs from its default."""
        return any(each.setting.key == key for each in self._changes())

    def waits(self, key: str) -> bool:
        """Say that no change waits for a new start."""
        del key
        return False

    def change(self, key: str, value: Any) -> None:
        """Give an option another value, or put a transform around the way."""
        values = {each.setting.key: each.value for each in self._changes()}
        if value == self._declared[key].default:
            values.pop(key, None)
        else:
            values[key] = value
        self._keep(values)

    def reset(self, *keys: str) -> None:
        """Give options back their defaults."""
        values = {each.setting.key: each.value for each in self._changes()}
        self._keep({key: v for key, v in values.items() if key not in keys})

    def reset_all(self) -> None:
        """Give all of the way's options back their defaults."""
        self._controller.keep(self.form.name, NO_CHANGES)

    @Slot()
    def restart(self) -> None:
        """Do nothing: no option waits for a new start."""

    def _keep(self, values: Mapping[str, Any]) -> None:
        """Keep changes in their order; a transform that goes takes its options with it."""
        keys = [key for key in self._declared if key in values]
        if not self.form.is_preset:
            keys = [key for key in keys if _is_used(key, values)]
        self._controller.keep(self.form.name, _written({key: values[key] for key in keys}))

    def _changes(self) -> tuple[OptionChange, ...]:
        return self._controller.changes(self.form.name)

    @Slot()
    def _tell(self) -> None:
        self.settings_changed.emit(self)


def around_of(name: str, title: str) -> SettingDeclaration:
    """Return whether a transform is put around a way, as a setting."""
    return SettingDeclaration(AROUND + name, bool, default=False, title=title, effect="")


def _declarations(form: WayForm) -> Iterator[SettingDeclaration]:
    yield from form.options
    for each in form.transforms:
        if not form.is_preset:
            yield around_of(each.name, each.title)
        yield from each.options


def _changes(form: WayForm, kept: WayOptions) -> Iterator[OptionChange]:
    """Yield what is kept of a way, but for what is not possible, in the order of its form."""
    for setting in _declarations(form):
        if setting.key.startswith(AROUND):
            if setting.key.removeprefix(AROUND) in kept.transforms:
                yield OptionChange(setting, value=True)
            continue
        before, dot, _ = setting.key.partition(".")
        if dot and not form.is_preset and before not in kept.transforms:
            continue
        try:
            value = read_value(setting, kept.options.get(setting.key, str(setting.default)))
        except UsageError:
            continue
        if value != setting.default:
            yield OptionChange(setting, value)


def _is_used(key: str, values: Mapping[str, Any]) -> bool:
    before, dot, _ = key.partition(".")
    return not dot or key.startswith(AROUND) or AROUND + before in values


def _written(values: Mapping[str, Any]) -> WayOptions:
    """Return changes as they are kept."""
    around = [key for key in values if key.startswith(AROUND)]
    transforms = tuple(key.removeprefix(AROUND) for key in around)
    return WayOptions({k: str(v) for k, v in values.items() if k not in around}, transforms)
