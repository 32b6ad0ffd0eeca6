"""Names of entities in a text, found by rules: English and Chinese, no model and no dictionary.

Capitalised names, acronyms and model numbers, what stands in quotation or title marks, defined
terms, Chinese organisations, and Chinese terms that come again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from desktop_rag.core.defined_terms import quoted_term, subject_term
from desktop_rag.core.language import ARTICLES, FUNCTION_WORDS, all_words
from desktop_rag.core.sentences import sentences

_WORD = r"[^\W\d_][\w’'&]*(?:[.-]\w+)*"
_LINK = r"(?:of|the|de|da|di|du|del|la|le|van|von|der|den|&)"
_CAPITAL = r"(?:(?=[A-ZÀ-ÖØ-ÞĀ-Ž])|(?<=Mc))" + _WORD
_NAME = re.compile(rf"{_CAPITAL}\.?(?:\s+\d+\b|\s+(?:{_LINK}\s+){{0,2}}{_CAPITAL}\.?)*", re.UNICODE)
_NUMBERED = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Z0-9][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*\b")
_MARKED = re.compile(r"《([^《》\n]{2,30})》|「([^「」\n]{2,20})」|“([^“”\n]{2,40})”")
_PARTICLES = "的了是在和与及或等为以于由被把从对将而之其这那该此本并也就都所按向至到给有不可应如因"
_ORGANISATION = re.compile(
    rf"[^\W\d_a-zA-Z{_PARTICLES}]{{2,12}}?"
    "(?:(?:股份)?(?:有限)?(?:责任)?公司|大学|学院|集团|银行|委员会|研究院|研究所|医院|法院|协会|基金会|管理局|项目部)"
)
_HAN_RUN = re.compile(rf"[一-鿿](?<![{_PARTICLES}])(?:[一-鿿](?<![{_PARTICLES}]))+")
_TERM_LENGTHS = range(8, 2, -1)  # characters of a Chinese term that comes again
_AGAIN = 2
_MOST_WORDS, _MOST_LETTERS = 10, 80
_MOST = 32  # names of one text


def entity_names(text: str, most: int = _MOST) -> list[str]:
    """Return up to `most` names in a text, each once, in the order of the rules."""
    found: dict[str, str] = {}
    for name in _names(text):
        key = entity_key(name)
        if key and len(name) <= _MOST_LETTERS and key not in FUNCTION_WORDS:
            found.setdefault(key, name)
    return list(found.values())[:most]


def entity_key(name: str) -> str:
    """Return what names of one entity share: words without case, articles and punctuation."""
    words = all_words(name)
    while words and words[0] in ARTICLES:
        words = words[1:]
    is_short = len(words) == 1 and len(words[0]) < 2
    return "" if is_short or len(words) > 2 * _MOST_WORDS else " ".join(words)


def _names(text: str) -> Iterator[str]:
    for marked in _MARKED.finditer(text):
        yield next(filter(None, marked.groups()))
    yield from filter(None, (quoted_term(text),))
    told = [each.of(text) for each in sentences(text)]
    yield from (term for term in map(subject_term, told) if term)
    for sentence in told:
        yield from _capitalised(sentence)
    yield from (found.group() for found in _NUMBERED.finditer(text))
    yield from (found.group() for found in _ORGANISATION.finditer(text))
    yield from _recurring(text)


def _capitalised(sentence: str) -> Iterator[str]:
    """Yield names in capital letters; one word that begins a sentence may be any word."""
    start = len(sentence) - len(sentence.lstrip())
    for found in _NAME.finditer(sentence):
        words = found.group().rstrip(".").split()
        is_first = found.start() == start
        while words and words[0].casefold() in FUNCTION_WORDS:
            words, is_first = words[1:], False
        if not words or (is_first and len(words) == 1 and not words[0].isupper()):
            continue
        yield " ".join(words[:_MOST_WORDS]).removesuffix("’s").removesuffix("'s")


def _recurring(text: str) -> Iterator[str]:
    """Yield Chinese terms that come again, the longest that cover a place."""
    runs = _HAN_RUN.findall(text)
    taken: set[str] = set()
    for length in _TERM_LENGTHS:
        counts = Counter(
            run[at : at + length] for run in runs for at in range(len(run) - length + 1)
        )
        for term, count in counts.items():
            if count >= _AGAIN and not any(term in longer for longer in taken):
                taken.add(term)
                yield term
