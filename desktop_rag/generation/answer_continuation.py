"""Join what a model writes on to an answer that was cut: nothing doubled, nothing lost.

A cut may fall into a word. The model is therefore given the answer without its last word, and
writes that anew; what it repeats of the words before is taken off.
"""

from __future__ import annotations

import re

from desktop_rag.core.sentences import is_ended

# Scripts that put no space between words or sentences.
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
LAST_WORD = re.compile(rf"(?:\[[^\]]*|[^\s{_WIDE}]+)$")
"""The word, or the citation, in which a text ends."""
IS_WIDE = re.compile(f"[{_WIDE}]")

_TAIL = 400  # characters of the answer that a model may repeat
_FEWEST = 2  # words that are no accident
_FEWEST_WIDE = 4  # characters
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d\.$")  # may be half of a decimal
_CLOSING = tuple(".,;:!?)]}。，、；：！？）】」』")


class AnswerContinuation:
    """Takes the pieces that a model writes on to a text, and gives what stands behind `kept`.

    `kept` is the text without the word in which it was cut. Pieces are held back as long as they
    may be a repetition of its end.
    """

    def __init__(self, text: str) -> None:
        self.kept, self._gap, self._word = _parted(text.rstrip())
        self._is_ended = is_ended(self.kept)
        self._tail = self.kept[-_TAIL:]
        self._held = ""
        self._is_joined = False

    def feed(self, piece: str) -> str:
        """Take the next piece; return what comes behind the text so far."""
        if self._is_joined:
            return piece
        self._held += piece
        said = self._held.lstrip()
        return "" if said.rstrip() in self._tail else self._join()

    def end(self) -> str:
        """Return what was held back and is new, when no more comes."""
        return "" if self._is_joined or not self._held.strip() else self._join()

    def _join(self) -> str:
        self._is_joined = True
        said = self._held.lstrip()
        new = said[self._repeated(said) :]
        rest = new.lstrip()
        space = new[: len(new) - len(rest)] or self._held[: len(self._held) - len(said)]
        return self._space_before(rest, space) + rest if rest else ""

    def _repeated(self, said: str) -> int:
        """Return how many characters at the beginning are the end of the text once more."""
        for count in range(min(len(said), len(self._tail)), 0, -1):
            if self._tail.endswith(said[:count]) and self._is_repetition(said, count):
                return count
        return 0

    def _is_repetition(self, said: str, count: int) -> bool:
        part = said[:count].rstrip()
        if len(IS_WIDE.findall(part)) >= _FEWEST_WIDE:
            return True
        before = self._tail[: len(self._tail) - count][-1:]
        is_whole = not before.isalnum() and not (part[-1].isalnum() and said[count:][:1].isalnum())
        return is_whole and len(_WORD.findall(part)) >= _FEWEST

    def _space_before(self, rest: str, space: str) -> str:
        """Return what stood before the cut word if it comes again, else the model's own space."""
        if self._word and rest.startswith(self._word):
            return self._gap
        if space or self._gap or not self._is_ended:
            return space or self._gap
        beside = self.kept[-1] + rest[0]
        return "" if IS_WIDE.search(beside) or rest.startswith(_CLOSING) else " "


def _parted(text: str) -> tuple[str, str, str]:
    """Return a text without the word it was cut in, the space before that word, and the word."""
    if is_ended(text) and not _NUMBER.search(text):
        return text, "", ""
    whole = LAST_WORD.sub("", text)
    kept = whole.rstrip()
    if not kept:
        return text, "", ""
    return kept, whole[len(kept) :], text[len(whole) :]
