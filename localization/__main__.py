"""Bring the window's languages up to date: `python -m localization`.

Reads the strings from the source into `resources/translations`, keeps what is translated, compiles
the files, and names what still has to be translated. Run it after a string was added or changed.
"""

from __future__ import annotations

import sys

from desktop_rag.core.paths import resources
from localization import all_messages, linguist
from localization.linguist import ENGLISH, TRANSLATED
from localization.string_extraction import Message

FOLDER = resources() / "translations"


def main() -> int:
    """Bring every file up to date; 1 when something is not translated."""
    FOLDER.mkdir(exist_ok=True)
    messages = all_messages.messages()
    text = "".join(sentence + "\n" for sentence in all_messages.sentences())
    (FOLDER / "sentences.txt").write_text(text, encoding="utf-8")
    counted = [message for message in messages if message.counts]
    missing = [(ENGLISH, each) for each in _bring_up(ENGLISH, counted)]
    for language in TRANSLATED:
        missing += [(language, each) for each in _bring_up(language, messages)]
    for language, message in missing:
        print(f"not translated, {language.code}: {message.context}: {message.source!r}")
    return 1 if missing else 0


def _bring_up(language: linguist.Language, messages: list[Message]) -> list[Message]:
    path = FOLDER / f"desktop_rag_{language.code}.ts"
    known = linguist.read(path)
    if language is ENGLISH:
        known = {each: _plural(each) for each in messages} | known
    linguist.write(path, language, messages, known)
    linguist.compiled(path, path.with_suffix(".qm"))
    return [message for message in messages if message not in known]


def _plural(message: Message) -> tuple[str, ...]:
    """Return a counted string's two forms where it is written with “(s)”."""
    return message.source.replace("(s)", ""), message.source.replace("(s)", "s")


if __name__ == "__main__":
    sys.exit(main())
