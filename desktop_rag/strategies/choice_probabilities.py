"""How probable each of several texts was at a place in a reply, among those texts alone.

A model that chooses one of a group tells, by the tokens that could have stood there, how near the
others were (Asai et al. 2024, section 3.3: a token's probability over the sum of its group's).
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.strategies.base import Generated


def choice_probabilities(
    reply: Generated, span: tuple[int, int], choices: Sequence[str]
) -> dict[str, float]:
    """Return a probability a choice; they sum to 1. Empty where nothing is known of any of them.

    `span` is where the choice stands in the text of the reply's tokens. One in several tokens
    counts by those up to where it differs from the others: what comes then was decided there, and a
    server that holds a model to a form tells how probable it would have been without. A beginning
    that choices share counts for none. White space and capitals make no difference.
    """
    if len(reply.alternatives) != len(reply.tokens):
        return {}
    found = dict.fromkeys(choices, 0.0)
    emitted, reached, at = "", 1.0, 0
    is_known = False
    for (token, probability), others in zip(reply.tokens, reply.alternatives, strict=True):
        lead = token[: max(0, span[0] - at)]
        inside = token[len(lead) : max(0, span[1] - at)]
        at += len(token)
        if not inside:
            continue
        is_known = is_known or bool(others)
        for other, share in others:
            chosen = _only_choice(f"{emitted}{_behind(lead, other)}", choices)
            if chosen and other != token:
                found[chosen] += reached * share
        emitted, reached = emitted + inside, reached * probability
        if chosen := _only_choice(emitted, choices):
            found[chosen] += reached
            break
    total = sum(found.values())
    return {each: p / total for each, p in found.items()} if is_known and total else {}


def _behind(lead: str, other: str) -> str:
    """Return what of a token stands where the choice does, by what stood before that."""
    return other.removeprefix(lead).lstrip()


def _only_choice(text: str, choices: Sequence[str]) -> str:
    """Return the one choice that a text begins, or that it begins with; "" for none or several."""
    fitting = [each for each in choices if _fits(_plain(text), _plain(each))]
    return fitting[0] if len(fitting) == 1 else ""


def _fits(text: str, choice: str) -> bool:
    """Tell whether a text is the choice, its beginning, or it with a sign behind it."""
    behind = text[len(choice) :]
    begins = choice.startswith(text) or (text.startswith(choice) and not behind[0].isalnum())
    return bool(text) and begins


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()
