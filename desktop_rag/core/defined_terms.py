"""Terms that a text defines, in English and Chinese: `“Goods” means …`, `“交货日”是指……`."""

from __future__ import annotations

import re

_QUOTED = re.compile(
    r"[\"“](?P<en>[A-Z][^\"“”\n]{1,60})[\"”]\s+(?:means?|refers? to|shall mean|is defined as)\b"
    r"|[“「](?P<zh>[\u4e00-\u9fff][^”」\n]{1,20})[”」]\s*(?:是指|指的是|系指)"
)
_SUBJECT = re.compile(
    r"^(?:(?:An?|The)\s+)?(?P<en>(?:(?<=\s)\w|[A-Z])[\w’'/-]*(?:\s+[\w’'/-]+){0,4}?)"
    r"(?:\s+\([^()\n]{1,20}\))?\s+"
    r"(?:is|are)\s+(?:an?|the|any|one of the)\s+[a-z]"
    r"|^(?P<zh>[\u4e00-\u9fffA-Za-z0-9·]{2,16}?)(?:（[^（）\n]{1,20}）)?(?:是指|指的是|系指|是一种|是一个)"
)
_PRONOUNS = frozenset(
    "it this that these those there he she they we you i what which who".split()  # noqa: SIM905
)
_POINTERS = ("这", "那", "它", "他", "她", "其", "本", "该", "此", "我", "你")


def quoted_term(text: str) -> str:
    """Return the first term in quotation marks that a text defines; empty for none."""
    found = _QUOTED.search(text)
    return "" if found is None else found["en"] or found["zh"]


def subject_term(sentence: str) -> str:
    """Return what a sentence says the kind of (`A lien is a claim …`); empty for none.

    A pronoun is none, nor what begins with one.
    """
    found = _SUBJECT.match(sentence)
    term = "" if found is None else found["en"] or found["zh"]
    is_pointing = term.split(" ")[0].casefold() in _PRONOUNS or term.startswith(_POINTERS)
    return "" if is_pointing else term
