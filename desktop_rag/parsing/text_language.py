"""Which language a document is in, told by its text: a code of ISO 639-1, or nothing.

Chinese, Japanese, Korean and English are told by their characters and commonest words; whatever
else there is by `langdetect`, which is slow to load and therefore asked only then.
"""

from __future__ import annotations

from desktop_rag.core.language import is_english, language, scripts

SAMPLE = 4000  # characters that are looked at
_FEWEST = 60  # letters of a text whose language is told
_SUREST = 0.9  # that the library must be sure of a language


def language_code(sample: str) -> str:
    """Return the code of a text's language; nothing for a short text, or a mixed one."""
    if sum(map(str.isalpha, sample)) < _FEWEST:
        return ""
    told = language(sample)
    if told != "en" or (scripts(sample) == {"latin"} and is_english(sample)):
        return told
    from langdetect import DetectorFactory, LangDetectException, detect_langs

    DetectorFactory.seed = 0  # it draws samples: the same text must give the same code
    try:
        found = detect_langs(sample)
    except LangDetectException:
        return ""
    return found[0].lang[:2] if found and found[0].prob >= _SUREST else ""
