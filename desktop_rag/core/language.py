"""Which language and script a text is in, and which of its words carry meaning.

It looks at the characters alone: enough to choose a prompt and a refusal, and to know whether an
embedder was trained on a script. It knows no dictionary but a short list of English and Chinese
function words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

_RANGES = (
    ("kana", 0x3040, 0x30FF),
    ("hangul", 0x1100, 0x11FF),
    ("hangul", 0xAC00, 0xD7AF),
    ("han", 0x3400, 0x9FFF),
    ("han", 0xF900, 0xFAFF),
    ("han", 0x20000, 0x323AF),
    ("greek", 0x0370, 0x03FF),
    ("cyrillic", 0x0400, 0x052F),
    ("hebrew", 0x0590, 0x05FF),
    ("arabic", 0x0600, 0x077F),
    ("devanagari", 0x0900, 0x097F),
    ("thai", 0x0E00, 0x0E7F),
    ("latin", 0x0041, 0x024F),
)
_HAN_WITH_KANA = 10  # in Japanese, at most so many characters come with one of kana
_OF_CJK = frozenset({"han", "kana", "hangul"})
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CJK = "぀-ヿ㐀-鿿豈-﫿가-힯"
_RUN = re.compile(rf"[{_CJK}]+|[^{_CJK}]+")
_SINGLE = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")

_ENGLISH = """
a about according after all also am an and any are as at be been before being between both but by
can could did do does doing done during each either else for from get give given had has have having
he her here hers him his how i if in into is it its itself just let many may me might more most much
must my no nor not of off on once one only or other our out over own per please same say says she
should show so some such tell than that the their them then there these they this those through to
too under until up upon us use used very was we were what when where whether which while who whom
whose why will with within would you your
"""
_CHINESE = """
什么 哪些 哪个 哪里 哪一 哪种 哪座 哪家 多少 如何 怎么 怎样 为什么 为何 是否 请问 以及 或者 并且
因为 所以 但是 如果 这个 那个 我们 他们 它们 你们 可以 其中 关于 根据 对于 一下 告诉 的 了 是 吗 呢
吧 啊 哪 谁 几 什麼 哪個 哪裡 哪種 怎麼 怎樣 為什麼 為何 請問 這個 那個 我們 他們 關於 根據 對於
告訴 嗎 誰 幾
有多长 有多大 有多高 有多远 有多重 有多深 有多快 有多宽 有多長 有多遠 有多寬 多久 多长时间 多長時間
那些 那次 那场 那位 那天 那条 那种 那批 那座 那家 这些 这次 这场 这位 这天 这条 这种 这批 这座 这家
那場 那條 那種 這些 這次 這場 這位 這天 這條 這種 這批 這座 這家
"""
_OTHER_LATIN = """
aos att au aux av avec az að bir bu che con cu các có của da das de degli dei del della dem den
der des det di dla dos du een ein eine einen el els em es est esta ett että ez för gibi gli het
hogy ikke ile ini inte ist itu için jak je jeg jest jsou không la las le les là mais met mit más
na nao nei nella nem nicht nie não och oder og olarak ou para por que qui quot sau se sich sie som
sont sur să też til toho trong um uma una und uno untuk van von voor vor và wie yang za és đã được
že și
"""
ARTICLES = frozenset({"a", "an", "the"})
FUNCTION_WORDS = frozenset(_ENGLISH.split())
_OTHER_FUNCTION_WORDS = frozenset(_OTHER_LATIN.split())
_CHINESE_FUNCTION = re.compile("|".join(sorted(_CHINESE.split(), key=len, reverse=True)))


def language(text: str) -> str:
    """Return `zh`, `ja`, `ko`, or `en` for everything else.

    A Chinese question that names an English product is Chinese: characters weigh as much as words.
    """
    counts = _characters(text)
    kana, han, hangul = counts["kana"], counts["han"], counts["hangul"]
    if not (kana or han or hangul):
        return "en"
    words = sum(_script(word[0]) == "latin" for word in _WORD.findall(text))
    if hangul > max(words, han):
        return "ko"
    if kana and kana * _HAN_WITH_KANA >= han and kana + han >= words:
        return "ja"
    return "zh" if han and han >= words else "en"


def scripts(text: str) -> frozenset[str]:
    """Return the writing systems that hold a tenth or more of a text's letters.

    `latin`, `cjk`, `cyrillic`, `greek`, `arabic`, `hebrew`, `devanagari`, `thai` or `other`.
    """
    counts: Counter[str] = Counter()
    for script, count in _characters(text).items():
        counts["cjk" if script in _OF_CJK else script] += count
    total = sum(counts.values())
    return frozenset(script for script, count in counts.items() if count * 10 >= total)


def is_english(text: str) -> bool:
    """Say whether a text in Latin letters reads like English, rather than another language.

    By whose function words come more often; a text that has none of either may be English. Some
    of the commonest words of two dozen languages are known.
    """
    words = [word.casefold() for word in _WORD.findall(text)]
    english = sum(map(FUNCTION_WORDS.__contains__, words))
    return sum(map(_OTHER_FUNCTION_WORDS.__contains__, words)) <= english


def is_same_language(one: str, other: str) -> bool:
    """Say whether two texts may be in one language, as far as `language` and `is_english` tell."""
    same = language(one) == language(other)
    return same and (language(one) != "en" or is_english(one) == is_english(other))


def all_words(text: str) -> list[str]:
    """Return every word, casefolded, in order; each CJK character is a word of its own."""
    return _SINGLE.findall(text.casefold())


def content_words(text: str) -> list[str]:
    """Return the words that carry meaning, casefolded, in order; CJK as pairs of characters.

    A lone CJK character between function words is a word of its own.
    """
    found: list[str] = []
    for run in content_runs(text):
        found.extend(_pairs(run) if _script(run[0]) in _OF_CJK else [_stem(run)])
    return found


def content_runs(text: str) -> list[str]:
    """Return what is left without function words, casefolded, in order: words, and runs of CJK."""
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        for run in _RUN.findall(word):
            found.extend(_content_of(run))
    return found


def _content_of(run: str) -> list[str]:
    if _script(run[0]) not in _OF_CJK:
        return [] if run in FUNCTION_WORDS else [run.replace("’", "'").removesuffix("'s")]
    return [part for part in _CHINESE_FUNCTION.split(run) if part]


def _pairs(part: str) -> list[str]:
    return [part[i : i + 2] for i in range(len(part) - 1)] or [part]


def _stem(word: str) -> str:
    """Take the commonest endings off, so that `judges` meets `judge`; good for comparing only."""
    for ending in ("ies", "ing", "ied", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def _characters(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for character, count in Counter(text).items():
        if character.isalpha():
            found[_script(character)] += count
    return found


@lru_cache(maxsize=8192)
def _script(character: str) -> str:
    code = ord(character)
    for name, first, last in _RANGES:
        if first <= code <= last:
            return name
    return "latin" if "FULLWIDTH LATIN" in unicodedata.name(character, "") else "other"
