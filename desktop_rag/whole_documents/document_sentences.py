"""The sentences of a whole document that say something, each once.

Heads and feet of pages, column names, lines of a table of contents and what stands a second time
are left out: a summary would be made of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from desktop_rag.core.language import all_words, content_words, language
from desktop_rag.core.types import Passage
from desktop_rag.generation.citation_support import is_question
from desktop_rag.generation.quotes import Quote, quotes_of

_DIGITS = re.compile(r"\d+")
_BOX = re.compile("[☐☑☒□■✓✔]")  # of a form
_BROKEN = re.compile(r"[a-z,;)]")  # how the rest of a sentence begins
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}|·{4,}|_{4,}")
_PAGE_NUMBER = re.compile(r"^\d{1,4} .* …$|^[^.;:]{8,} (?:\d{1,4}|…)$")  # of a contents' line
_LINK = re.compile(r"https?://|www\.|doi\.org|\S+@\S+\.\w+")
_CONTENTS_LINE = re.compile(r"[\u4e00-\u9fff]\s\d{0,4}\s?\.$")
_CAPTION = re.compile(r"(?:Figure|Fig\.|Table|Exhibit|Chart|图|表|圖)\s*[A-Z]?\d")
_REFERENCE = re.compile(r"^\s*\[\d{1,3}\]|\bet al\.,? .*\b(?:19|20)\d\d\b.*\.$")
_ENDS = (".", "!", "。", "！", ";", "；")
_LEANING = re.compile(
    r"(?:Additionally|In addition|In contrast|However|Moreover|Furthermore|For example|As such|"
    r"Unlike|They|It|This|These|Those|He|She|Also|Thus|Therefore|Hence|Then|But|And|Accordingly|"
    r"Likewise|Similarly|Such|Conversely)\b"
    r"|但|因此|此外|另外|例如|而且|同时|其中|这|它|他|她|所以|然而|不过|并且|對此|对此"
)
_BACK_MATTER = re.compile(
    r"(?:^|> )(?:\d+\.? |[a-z]\.? )?(?:references|bibliography|acknowledge?ments?|literature cited|"
    r"(?:table of )?contents|index|参考文献|致谢|目录|參考文獻|目錄)\s*(?:$|>)",
    re.IGNORECASE,
)
_LEAST_WORDS = 4  # content words
_LEAST_COMPARED = 3  # content words of a line without a figure
_LEAST_PAIRS = 6  # of Chinese, pairs of characters
_MOST_CHARACTERS = 600
_PAGE_HEAD = 3  # passages in which a line stands that is no part of the text
_SHORT = 160  # characters of such a line


def sentences_of(passages: Sequence[Passage]) -> list[Quote]:
    """Return the sentences and rows of passages, in their order; `n` is a passage's place, from 1.

    Neighbouring passages may share a sentence: it is taken from the first.
    """
    told, end = [], -1
    document = None
    for quote in quotes_of(passages):
        if quote.passage.document_id != document:
            document, end = quote.passage.document_id, -1
        begin = quote.passage.locator.start or 0
        if begin + quote.end > end:
            told.append(quote)
            end = begin + quote.end
    return told


def telling(quotes: Sequence[Quote]) -> list[Quote]:
    """Return the sentences that a summary may be made of."""
    repeated = _repeated(quotes)
    seen = {_mark(part) for each in quotes for part in each.passage.section.split(" > ")}
    kept = []
    for quote in quotes:
        mark = _mark(quote.text)
        if _BACK_MATTER.search(quote.passage.section):
            continue
        if mark in seen or _DIGITS.sub("0", mark) in repeated or not says_something(quote):
            continue
        seen.add(mark)
        kept.append(quote)
    return kept


def comparable(quotes: Sequence[Quote]) -> list[Quote]:
    """Return the sentences and lines that documents may be compared by, each text once."""
    repeated = _repeated(quotes)
    seen: set[str] = set()
    kept = []
    for quote in quotes:
        mark = _mark(quote.text)
        is_known = mark in seen or _DIGITS.sub("0", mark) in repeated
        is_form = any(each.search(quote.text) for each in (_LEADERS, _BOX, _PAGE_NUMBER))
        if is_known or is_form or quote.is_heading or is_question(quote.text):
            continue
        words = len(content_words(quote.text))
        if words >= _LEAST_COMPARED or (words > 1 and _DIGITS.search(quote.text)):
            seen.add(mark)
            kept.append(quote)
    return kept


def says_something(quote: Quote) -> bool:
    """Say whether a quote is a sentence or a row that stands for itself."""
    text = quote.text
    if quote.is_heading or text.startswith("#") or is_question(text):
        return False
    if len(text) > _MOST_CHARACTERS or _LEADERS.search(text):
        return False
    least = _LEAST_PAIRS if language(text) in ("zh", "ja", "ko") else _LEAST_WORDS
    return len(content_words(text)) >= least


def reads_badly(quote: Quote) -> bool:
    """Say whether a quote is a link, of a form or a bibliography, or no whole sentence."""
    text = quote.text
    if any(each.search(text) for each in (_LINK, _REFERENCE, _BOX)):
        return True
    if _BROKEN.match(text) or _CAPTION.match(text) or _CONTENTS_LINE.search(text):
        return True
    return not quote.is_row and not _is_ended(text)


def _is_ended(text: str) -> bool:
    return text.rstrip(" \"'”’」』）)]").endswith(_ENDS)


def leans_on_others(quote: Quote) -> bool:
    """Say whether a sentence begins so that it is understood only behind the one before."""
    return _LEANING.match(quote.text) is not None


def _mark(text: str) -> str:
    return " ".join(all_words(text))


def _repeated(quotes: Iterable[Quote]) -> set[str]:
    """Return the lines that stand in several passages, but for figures: heads and feet of pages."""
    places: dict[str, set[int]] = defaultdict(set)
    for quote in quotes:
        if len(quote.text) <= _SHORT and not quote.is_row and not _is_ended(quote.text):
            places[_DIGITS.sub("0", _mark(quote.text))].add(quote.n)
    return {mark for mark, at in places.items() if len(at) >= _PAGE_HEAD}
