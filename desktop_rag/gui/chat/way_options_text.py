"""What is said of the options of ways: choices, and what differs from the defaults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication

from desktop_rag.core.settings_file import SettingDeclaration
from desktop_rag.core.strategy_titles import strategy_title
from desktop_rag.gui.chat import strategy_tips
from desktop_rag.gui.controllers.strategy_choices import TransformForm, WayForm
from desktop_rag.gui.controllers.way_options import OptionChange, around_of
from desktop_rag.gui.display_text import fill, join_list
from desktop_rag.gui.message_translation import join_sentences, translate_message


def tr(text: str) -> str:
    """Translate a text on options."""
    return QCoreApplication.translate("WayOptions", text)


def spoken(setting: SettingDeclaration) -> SettingDeclaration:
    """Return an option with its title and effect in the window's language."""
    return replace(
        setting, title=translate_message(setting.title), effect=translate_message(setting.effect)
    )


def spoken_transform(transform: TransformForm) -> SettingDeclaration:
    """Return whether a transform is put around a way, in the window's language."""
    made = around_of(transform.name, translate_message(transform.title))
    return replace(made, effect=strategy_tips.of_transform(transform.name))


def choice(way: str, key: str, value: str) -> str:
    """Return what a choice is called; most are called as the effect of their option says."""
    if way == "adaptive" and key != "router":
        return translate_message(strategy_title(value))
    words = {
        ("ircot", "reader", "auto"): tr("Automatic"),
        ("ircot", "reader", "direct"): tr("At once"),
        ("ircot", "reader", "reason"): tr("Thinking aloud"),
        ("adaptive", "router", "rules"): tr("Rules"),
        ("adaptive", "router", "model"): tr("The model"),
    }
    return words.get((way, key, value), value)


def about(form: WayForm) -> str:
    """Return what a way does, or what a preset is composed of."""
    if not form.is_preset:
        return strategy_tips.of_strategy(form.name).partition("\n")[0]
    first, *several = map(translate_message, form.parts)
    around = [translate_message(each.title) for each in form.transforms]
    return join_sentences(
        fill(tr("Composed of: %1."), first),
        fill(tr("For questions of several steps: %1."), *several) if several else "",
        fill(tr("Around it: %1."), join_list(around)) if around else "",
        fill(tr("The best %1 passages are read twice."), form.reads) if form.reads else "",
        *map(translate_message, form.instead),
    )


def change_line(way: str, change: OptionChange) -> str:
    """Return an option with its value and its default."""
    setting, title = change.setting, translate_message(change.setting.title)
    if setting.kind is bool:
        return fill(tr("With: %1"), title)
    value, default = (
        choice(way, setting.key, each) if setting.choices else _number(each)
        for each in (change.value, setting.default)
    )
    return fill(tr("%1: %2 (default: %3)"), title, value, default)


def titled(
    form: WayForm | None, transforms: Sequence[str], options: Sequence[str]
) -> tuple[str, ...]:
    """Return the transforms and options (`rounds=2`) of an answer by their titles.

    Those that its way's form does not have, as of another version, are told as they were typed.
    """
    around = () if form is None else form.transforms
    names = {each.name: each.title for each in around}
    settings = {
        each.key: each
        for own in (() if form is None else form.options, *(part.options for part in around))
        for each in own
    }
    made = [translate_message(names[each]) if each in names else each for each in transforms]
    for each in options:
        key, _, value = each.partition("=")
        made.append(_titled(form, settings[key], value) if form and key in settings else each)
    return tuple(made)


def _titled(form: WayForm, setting: SettingDeclaration, value: str) -> str:
    shown = choice(form.name, setting.key, value) if setting.choices else value
    if setting.kind is bool:
        shown = tr("yes") if value.casefold() in ("true", "1", "yes", "on") else tr("no")
    return fill(tr("%1: %2"), translate_message(setting.title), shown)


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
