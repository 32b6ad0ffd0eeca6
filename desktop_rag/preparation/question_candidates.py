"""Questions that a document seems to answer, by its sentences, headings and tables.

Each comes with the place that must answer it. Whether a search finds that place is not known here.
Strict: what could be clumsy is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from desktop_rag.catalog.document_queries import ChunkOutline
from desktop_rag.core.defined_terms import quoted_term
from desktop_rag.core.sentences import is_ended, sentences
from desktop_rag.core.types import BlockKind
from desktop_rag.preparation.question_grammar import (
    HeadingPattern,
    QuestionGrammar,
    StatementPattern,
    TitlePattern,
)
from desktop_rag.preparation.question_patterns import GRAMMARS
from desktop_rag.preparation.question_words import NO_HEADINGS, POINTING, VAGUE

LONGEST_TITLE = 60
_LONGEST_HEADING = 60
_OF_HEADINGS = ("heading", "under", "paper")
_OFTEN = 4  # from so many times on, a text is about what it names
_LONGEST_ADVICE = 60  # chunks of a document whose headings alone say what is meant
_FEWEST_BODY = 30  # characters under a heading; a Chinese one counts double
_TEXTS = (BlockKind.TEXT, BlockKind.LIST)
_NUMBERING = re.compile(
    r"^(?:(?:§\s*)?(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*[.):、．]?\s+|\d{1,3}[.、．)）]\s*"
    r"|[一二三四五六七八九十]{1,3}[、．.]\s*|[（(][一二三四五六七八九十\d]{1,3}[)）]\s*"
    r"|第[一二三四五六七八九十百\d]{1,4}[章节条篇部分]\s*"
    r"|(?:Article|Artikel|Artículo|Chapter|Section|Kapitel|Chapitre|Part)\s+[\dIVX]+[.:]?\s+)"
)
_ROW = re.compile(r"^(?P<row>[^;|:\n]{2,40}); (?P<cells>.+)$", re.MULTILINE)
_NAMED_ROW = re.compile(r"^[^;:\n]{1,30}: (?P<name>[^;:\n]{2,40}); (?P<cells>.+)$", re.MULTILINE)
_PAIR = re.compile(r"(?:^|; )(?P<column>[^:;\n]{2,20}): (?P<value>[^;\n]+)")
_CELL = re.compile(r"(?:^|; )(?P<year>(?:19|20)\d\d)(?:年度?)?: (?P<value>[^;\n]*\d[^;\n]*)")
_PARTS = re.compile(r"\s*[,:;|—–]\s*|\s+-\s+|：|，")
_PARAGRAPH = re.compile(r"[^\n]+(?:\n[^\n]+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_UNFIT = re.compile(
    r"[\[\]{}|<>=_\\/@#*^~…•]|\.\.|https?:|www\.|\d{5,}|[;:]\s|(?<!\d),"
    r"|\b(?:fig|figs|figure|table|tab|eq|section|chapter|appendix|abb|tabelle|kapitel|figura)\b"
    r"|\ufffd",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"\b[A-ZÄÖÜ]{7,}\b")
_PRONOUNS = frozenset({"it", "this", "that", "these", "those", "they", "them", "here"})
_THIS_TEXT = re.compile(r"[本该此这][书文章节页]")
_CHOICE = re.compile(r"^(?:Can|May|Must|Should|Do|Does|Is|Are|Will)\b")
_FEWEST_ASKING, _FEWEST_OF_CHOICE = 3, 6  # words of a heading that asks, and of one to say yes to
_ZH_POINTING = re.compile(
    r"^(?:公司|其他|其它|上述|下列|有关|相关|这|那|它|他|她|其|本|该|此|我|你|而|但|并|且|如|若|在|从|对|由|将|被|把|以|为|与|和|或|及|的)"
    r"|(?:这|那|该|此)|的$"
)

Place = tuple[int, int]
"""From where to where a part of the document's text goes, end exclusive."""


@dataclass(frozen=True, slots=True)
class QuestionCandidate:
    """A question, the places in the document's text that answer it, and what the answer says.

    `says` is "" where that is not known; `kind` is by which of its forms it was made.
    """

    text: str
    places: tuple[Place, ...]
    kind: str
    says: str = ""


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading without its number, and the characters of the document's text below it."""

    text: str
    place: Place
    body: str


class QuestionedDocument:
    """A document as far as questions are made of it; `language` is a code, `title` its own."""

    def __init__(self, language: str, title: str, chunks: Sequence[ChunkOutline]) -> None:
        self.grammar: QuestionGrammar | None = GRAMMARS.get(language)
        self.is_chinese = language == "zh"
        self.title = " ".join(title.split())
        self.chunks = [each for each in chunks if each.locator.start is not None]

    @cached_property
    def small_words(self) -> frozenset[str]:
        """The words that the document writes in small letters somewhere."""
        return frozenset(
            word for each in self.chunks for word in _WORD.findall(each.text) if word.islower()
        )

    def spoken(self, words: str) -> str:
        """Return words as they stand inside a sentence; "" where a name may be among them."""
        made = [self._small(word) for word in words.split()]
        return " ".join(made) if all(made) else ""

    def is_about(self, name: str) -> bool:
        """Say whether a document, or a part with a heading, is about what bears a name."""
        folded = name.casefold().removeprefix("the ")
        if folded in POINTING or folded in VAGUE or _ZH_POINTING.search(name):
            return False
        if self.is_chinese:
            if name in self.title:
                return True
            if len(name) < 3:
                return False
        elif re.search(rf"\b{re.escape(folded)}s?\b", self.title.casefold()):
            return True
        if any(each.text.casefold() == folded for each in self.headings):
            return True
        if not self.is_chinese and re.fullmatch(r"[A-ZÄÖÜ]?[a-zà-ÿß]+", name):
            return False  # a common noun, or anybody's name
        return sum(each.text.count(name) for each in self.chunks) >= _OFTEN

    @cached_property
    def headings(self) -> list[_Heading]:
        """The headings that have something below them."""
        return _headings(self)

    def _small(self, word: str) -> str:
        if not word[0].isupper() or (word.isupper() and 1 < len(word) <= 5):
            return word
        return word.lower() if word.lower() in self.small_words else ""


def question_candidates(source: QuestionedDocument) -> list[QuestionCandidate]:
    """Return what may be asked of a document, the most natural first, each question once."""
    grammar = source.grammar
    if grammar is None:
        return []
    kinds = (
        list(_asking(source, grammar)),
        list(_statements(source, grammar)),
        list(_figures(source, grammar)),
        list(_cells(source, grammar)),
        list(_terms(source, grammar)),
        list(_under_headings(source, grammar)),
    )
    in_order = (*_in_turn(kinds), *_of_papers(source, grammar))
    found: dict[str, QuestionCandidate] = {}
    taken: set[Place] = set()
    for each in in_order:
        key, known = each.text.casefold(), found.get(each.text.casefold())
        is_asked_already = each.kind in _OF_HEADINGS and taken.intersection(each.places)
        if not is_presentable(each.text, grammar) or (known is None and is_asked_already):
            continue
        before = () if known is None else known.places
        found[key] = replace(each, places=(*before, *each.places))
        taken.update(each.places)
    return list(found.values())


def is_presentable(question: str, grammar: QuestionGrammar) -> bool:
    """Say whether a question is short, and free of what only a page has."""
    if not grammar.longest / 8 <= len(question) <= grammar.longest:
        return False
    return not _UNFIT.search(question) and not _CAPITALS.search(question)


def _in_turn(kinds: Iterable[Sequence[QuestionCandidate]]) -> Iterator[QuestionCandidate]:
    """Yield the first of every kind, then the second of every kind, and so on."""
    left = [list(each) for each in kinds if each]
    while left:
        yield from (each.pop(0) for each in left)
        left = [each for each in left if each]


def _asking(source: QuestionedDocument, grammar: QuestionGrammar) -> Iterator[QuestionCandidate]:
    """Yield headings that ask, as they are."""
    for each in source.headings:
        bare = each.text.rstrip("?？ ")
        words = len(bare) / 2 if source.is_chinese else len(bare.split())
        is_pointing = _PRONOUNS.intersection(bare.casefold().split()) or _THIS_TEXT.search(bare)
        fewest = _FEWEST_OF_CHOICE if _CHOICE.search(bare) else _FEWEST_ASKING
        if words < fewest or is_pointing or not grammar.asking.search(bare):
            continue
        opened = "¿" if grammar is GRAMMARS["es"] and not bare.startswith("¿") else ""
        yield QuestionCandidate(f"{opened}{bare}{grammar.mark}", (each.place,), "heading")


def _statements(
    source: QuestionedDocument, grammar: QuestionGrammar
) -> Iterator[QuestionCandidate]:
    """Yield what sentences of a known form answer."""
    for chunk in source.chunks:
        if chunk.kind not in _TEXTS:
            continue
        begin = chunk.locator.start or 0
        for span in sentences(chunk.text):
            said = " ".join(span.of(chunk.text).split())
            place = begin + span.start, begin + span.end
            for asked in _questions_of(said, _over(place, source.headings), source, grammar):
                yield QuestionCandidate(asked, (place,), "statement")


def _over(place: Place, headings: Sequence[_Heading]) -> str:
    """Return the heading that a place stands under, "" for none."""
    start, end = place
    for each in headings:
        if each.place[0] <= start and end <= each.place[1]:
            return each.text
    return ""


def _questions_of(
    said: str, heading: str, source: QuestionedDocument, grammar: QuestionGrammar
) -> Iterator[str]:
    """Yield the questions that a sentence answers; none where it is of no known form."""
    for pattern in grammar.statements:
        found = pattern.form.search(said)
        if found is None:
            continue
        groups = {name: text or "" for name, text in found.groupdict().items()}
        for name in ("art", "np"):
            groups[name] = _with_small_article(groups.get(name, ""))
        thing = groups["np"]
        if thing.isalpha() and thing.islower() and heading.endswith(f" {thing}"):
            groups["np"] = thing = heading[0].lower() + heading[1:]  # `Membership fee`
        groups["were"] = "were" if re.search(r"(?<!s)s$", thing) else "was"
        groups["apart"] = " statt" if groups.get("verb") == "findet" else ""
        if _is_fit(pattern, groups, source):
            yield pattern.question.format(title=source.title, **groups)


def _is_fit(
    pattern: StatementPattern, groups: Mapping[str, str], source: QuestionedDocument
) -> bool:
    """Say whether what a statement is about can be asked for alone."""
    thing = groups["np"]
    if "{title}" in pattern.question:
        return _is_title(source)
    if pattern.is_of_subject:
        return source.is_about(thing)
    if "year" in groups and thing.isalpha():  # `In 2024, revenue was …`
        return not (POINTING | VAGUE).intersection([thing.casefold()])
    return pattern.is_of_term or _is_thing(thing, source)


def _with_small_article(words: str) -> str:
    for article in ("The", "A", "An", "Der", "Die", "Das", "Ein", "Eine", "Le", "La", "El"):
        if words == article or words.startswith(f"{article} "):
            return words[0].lower() + words[1:]
    return words


def _is_title(source: QuestionedDocument) -> bool:
    """Say whether a document's title can stand in a question."""
    return 2 < len(source.title) <= LONGEST_TITLE and not _PARTS.search(source.title)


def _is_thing(words: str, source: QuestionedDocument) -> bool:
    """Say whether words name something that can be asked for where nothing stands around it."""
    if source.is_chinese:
        return len(words) >= 4 and not _ZH_POINTING.search(words)
    parts = words.split()
    folded = [part.casefold() for part in parts]
    if not parts or POINTING.intersection(folded) or re.search(r"\d", words):
        return _is_dated(parts, folded)
    if len(parts) == 1:
        return words[0].isupper() and len(words) >= 9  # a name, or a German compound
    return folded[0] not in VAGUE or len(parts) > 3


def _is_dated(parts: Sequence[str], folded: Sequence[str]) -> bool:
    """Say whether the only figure in a name is the year at its end."""
    return (
        len(parts) > 3
        and re.fullmatch(r"(?:19|20)\d\d", parts[-1]) is not None
        and not POINTING.intersection(folded)
        and not re.search(r"\d", " ".join(parts[:-1]))
    )


def _figures(source: QuestionedDocument, grammar: QuestionGrammar) -> Iterator[QuestionCandidate]:
    """Yield what rows of tables with years for columns answer: the newest year of each."""
    if not grammar.figure or grammar.rows is None:
        return
    rows = [
        (chunk.locator.start or 0, found)
        for chunk in source.chunks
        if chunk.kind is BlockKind.TABLE
        for found in _ROW.finditer(chunk.text)
    ]
    often = Counter(found["row"].casefold() for _, found in rows)
    for begin, found in rows:
        row, cell = found["row"].strip(), _newest(found["cells"])
        if cell is None or often[found["row"].casefold()] > 1 or not grammar.rows.search(row):
            continue
        is_many = grammar.many is not None and grammar.many.search(row)
        verb = "were" if is_many else "was"
        row = row if source.is_chinese else row.lower()
        asked = grammar.figure.format(verb=verb, row=row, year=cell["year"])
        start, end = begin + found.start(), begin + found.end()
        yield QuestionCandidate(asked, ((start, end),), "figure", cell["value"].strip())


def _cells(source: QuestionedDocument, grammar: QuestionGrammar) -> Iterator[QuestionCandidate]:
    """Yield what the cells of tables answer whose rows bear a name that comes once."""
    if not grammar.cell or grammar.columns is None:
        return
    rows = [
        (chunk.locator.start or 0, found)
        for chunk in source.chunks
        if chunk.kind is BlockKind.TABLE
        for found in _NAMED_ROW.finditer(chunk.text)
    ]
    often = Counter(found["name"].casefold() for _, found in rows)
    for begin, found in rows:
        name = found["name"].strip()
        if often[found["name"].casefold()] > 1 or not _is_row_name(name, source):
            continue
        for cell in _PAIR.finditer(found["cells"]):
            column = cell["column"] if source.is_chinese else cell["column"].lower()
            if grammar.columns.search(column) and re.search(r"\d", cell["value"]):
                asked = grammar.cell.format(name=name, column=re.sub(r"[（(].*", "", column))
                start, end = begin + found.start(), begin + found.end()
                yield QuestionCandidate(asked, ((start, end),), "cell", cell["value"].strip())
                break


def _is_row_name(name: str, source: QuestionedDocument) -> bool:
    """Say whether a cell names its row, and is no number, date or total."""
    if source.is_chinese:
        return re.fullmatch(r"[\u4e00-\u9fffA-Za-z]{2,12}", name) is not None and not re.search(
            r"合计|总计|小计|其他|其它", name
        )
    return re.fullmatch(r"[A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,3}", name) is not None


def _newest(cells: str) -> re.Match[str] | None:
    return max(_CELL.finditer(cells), key=lambda cell: int(cell["year"]), default=None)


def _terms(source: QuestionedDocument, grammar: QuestionGrammar) -> Iterator[QuestionCandidate]:
    """Yield what definitions of terms in quotation marks answer."""
    if not grammar.term:
        return
    for chunk in source.chunks:
        if chunk.kind not in _TEXTS:
            continue
        begin = chunk.locator.start or 0
        for span in sentences(chunk.text):
            term = quoted_term(span.of(chunk.text))
            if term and term[-1].isalnum():
                asked = grammar.term.format(np=term)
                yield QuestionCandidate(asked, ((begin + span.start, begin + span.end),), "term")


def _under_headings(
    source: QuestionedDocument, grammar: QuestionGrammar
) -> Iterator[QuestionCandidate]:
    """Yield what stands under headings of a known form; of a long document they say too little."""
    if len(source.chunks) > _LONGEST_ADVICE:
        return
    for each in source.headings:
        for pattern in grammar.headings:
            if asked := _asked_of(each, pattern, source):
                yield QuestionCandidate(asked, (each.place,), "under")
                break


def _asked_of(heading: _Heading, pattern: HeadingPattern, source: QuestionedDocument) -> str:
    found = pattern.form.search(heading.text)
    if found is None or (pattern.value is not None and not pattern.value.search(heading.body)):
        return ""
    words = source.spoken(found["np"]) if pattern.is_spoken else found["np"]
    if not words or POINTING.intersection(words.casefold().removeprefix("next ").split()):
        return ""
    if source.is_chinese and _ZH_POINTING.search(words):
        return ""
    return pattern.question.format(np=words)


def _of_papers(source: QuestionedDocument, grammar: QuestionGrammar) -> Iterator[QuestionCandidate]:
    """Yield what a contract, a policy or the like says of its headings."""
    for asked, pattern in _papers(source, grammar):
        for each in source.headings:
            words = _words_of(each, pattern, source)
            is_short = len(words.split()) <= 4 and 2 < len(words) <= 40
            if is_short and not _is_asking(words, grammar):
                yield QuestionCandidate(asked.replace("{np}", words), (each.place,), "paper")


def _words_of(heading: _Heading, pattern: TitlePattern, source: QuestionedDocument) -> str:
    """Return a heading as it stands in the question of a title; "" where it cannot."""
    words = heading.text
    if pattern.heading is not None:
        return words.lower() if pattern.heading.search(words.lower()) else ""
    if re.search(r"[“”«»„]", words):
        return ""
    return _spoken_heading(words, source) if pattern.is_spoken else words


def _parts(source: QuestionedDocument) -> list[str]:
    """Return a title, and what it is made of; nothing of a long one."""
    if len(source.title) > LONGEST_TITLE:
        return []
    return [source.title, *_PARTS.split(source.title)]


def _papers(
    source: QuestionedDocument, grammar: QuestionGrammar
) -> Iterator[tuple[str, TitlePattern]]:
    """Yield the questions of a title that says what the document is, a gap for the heading."""
    for part in _parts(source):
        for pattern in grammar.titles:
            found = pattern.form.search(part)
            title = _paper_name(found["title"], pattern, source) if found is not None else ""
            if title:
                yield pattern.question.replace("{title}", title), pattern


def _paper_name(title: str, pattern: TitlePattern, source: QuestionedDocument) -> str:
    """Return a title as words of a sentence; "" where a name may be among them."""
    if pattern.keeps_capitals:
        return title
    first, *rest = title.split()
    if any(word[0].isupper() for word in rest):
        return source.spoken(title)
    return " ".join([first.lower(), *rest])


def _spoken_heading(words: str, source: QuestionedDocument) -> str:
    """Return an English heading as words of a sentence: `Pets and subletting` is common nouns."""
    first, *rest = words.split() or [""]
    is_joined = len(rest) > 1 and rest[0] == "and" and all(word.islower() for word in rest)
    return " ".join([first.lower(), *rest]) if is_joined else source.spoken(words)


def _is_asking(words: str, grammar: QuestionGrammar) -> bool:
    return words.endswith(("?", "？")) or grammar.asking.search(words) is not None


def _headings(source: QuestionedDocument) -> list[_Heading]:
    """Return the headings that have something below them."""
    names = {name.strip() for each in source.chunks for name in each.section.split(" > ")}
    found = [each for chunk in source.chunks for each in _headings_in(chunk, names)]
    often = Counter(each.text.casefold() for each in found)
    return [
        each for each in found if often[each.text.casefold()] == 1 and _is_heading(each, source)
    ]


def _headings_in(chunk: ChunkOutline, names: set[str]) -> Iterator[_Heading]:
    """Yield the headings that stand in a chunk as paragraphs of their own."""
    if chunk.kind not in (*_TEXTS, BlockKind.TABLE):
        return
    paragraphs = list(_PARAGRAPH.finditer(chunk.text))
    at = [n for n, each in enumerate(paragraphs) if _may_head(paragraphs, n, each.group(), names)]
    begin = chunk.locator.start or 0
    for number, until in zip(at, [*at[1:], len(paragraphs)], strict=False):
        if until == number + 1:
            continue
        start, end = paragraphs[number + 1].start(), paragraphs[until - 1].end()
        text = _NUMBERING.sub("", " ".join(paragraphs[number].group().split())).rstrip(" :：.")
        yield _Heading(text, (begin + start, begin + end), chunk.text[start:end])


def _may_head(paragraphs: Sequence[re.Match[str]], number: int, text: str, names: set[str]) -> bool:
    """Say whether a paragraph is a heading: a known one, a numbered one, or a short line."""
    if "\n" in text.strip() or len(text) > _LONGEST_HEADING + 10:
        return False
    bare = " ".join(text.split())
    if bare in names:
        return True
    if is_ended(bare) and not bare.endswith(("?", "？")):
        return False
    below = paragraphs[number + 1].group() if number + 1 < len(paragraphs) else ""
    return len(below) > len(bare) and is_ended(below) and not is_ended(bare.rstrip("?？"))


def _is_heading(heading: _Heading, source: QuestionedDocument) -> bool:
    """Say whether a heading is about something, and something stands below it."""
    folded = heading.text.casefold()
    is_about = (
        len(heading.text) <= _LONGEST_HEADING
        and folded.replace(" ", "-") not in NO_HEADINGS
        and folded != source.title.casefold()
        and re.search(r"[^\W\d_]{2}", folded) is not None
        and not _CAPITALS.search(heading.text)
    )
    weight = len(heading.body) * (2 if source.is_chinese else 1)
    return is_about and weight >= _FEWEST_BODY
