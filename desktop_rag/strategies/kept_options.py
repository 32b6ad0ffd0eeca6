"""Options of ways to answer that the settings keep: laid under a request, as far as they fit.

What another version kept, or a hand wrote, may name what is not there, or a value that is not
possible. That is left out and told; an answer never fails by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from desktop_rag.core.errors import UsageError
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.settings import Answering
from desktop_rag.core.way_options import NO_CHANGES, WayOptions, parse_options
from desktop_rag.strategies import presets


def with_kept_options(
    request: AskRequest, answering: Answering
) -> tuple[AskRequest, tuple[str, ...]]:
    """Return a request with what is kept for its way, and what of that does not fit.

    Options and transforms that the request names take the place of kept ones. A strategy that is
    named beside a preset is a composition of the user's own, of which nothing is kept.
    """
    kept = answering.options if request.kept_options is None else request.kept_options
    request = replace(request, kept_options="")
    if not kept or (request.preset and request.strategy):
        return request, ()
    way = request.strategy or request.preset or answering.strategy
    fitting, left_out = fitting_options(way, parse_options(kept).get(way, NO_CHANGES))
    if not fitting:
        return request, left_out
    transforms = request.transforms or fitting.transforms
    options = dict(_of_used(fitting.options, transforms, way)) | request.options
    named = "" if request.preset else way
    made = replace(request, strategy=named, transforms=transforms, options=options)
    return made, left_out


def fitting_options(way: str, kept: WayOptions) -> tuple[WayOptions, tuple[str, ...]]:
    """Return what of a way's kept options is possible, and the rest as `WAY.KEY=VALUE`."""
    transforms = tuple(name for name in kept.transforms if _is_possible(way, (name,), {}))
    options = {
        key: text
        for key, text in kept.options.items()
        if _is_possible(way, transforms, {key: text})
    }
    lost = [f"{way}.transforms={name}" for name in kept.transforms if name not in transforms]
    lost += [f"{way}.{key}={text}" for key, text in kept.options.items() if key not in options]
    return WayOptions(options, transforms), tuple(lost)


def _of_used(
    options: Mapping[str, str], transforms: tuple[str, ...], way: str
) -> Mapping[str, str]:
    """Return the options of a way without those of transforms that are not used."""
    used = transforms or (presets.find(way).transforms if presets.is_preset(way) else ())
    return {
        key: text
        for key, text in options.items()
        if "." not in key or key.partition(".")[0] in used
    }


def _is_possible(way: str, transforms: tuple[str, ...], options: Mapping[str, str]) -> bool:
    try:
        presets.compose(way, transforms=transforms, options=options)
    except UsageError:
        return False
    return True
