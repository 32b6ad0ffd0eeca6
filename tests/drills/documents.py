"""A folder of documents that the drills change: every text is different and found by its words."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

_SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo zu cha the pli gro ster".split()  # noqa: SIM905
_FILLING = 4  # sentences, of which two sections do not fit into one chunk
_SUFFIXES = ("md", "txt", "csv", "html", "md")


class Documents:
    """The files below a folder, written, changed, moved and deleted by a seeded chance."""

    def __init__(self, folder: Path, files: int, seed: int = 7) -> None:
        self.folder = folder
        self._dice = random.Random(seed)
        self._next = 0
        self.subjects: list[str] = []
        folder.mkdir(parents=True)
        self.add(files)

    @property
    def files(self) -> list[Path]:
        """The files that are there now."""
        return sorted(path for path in self.folder.rglob("*.*") if path.is_file())

    def add(self, count: int, folder: str = "") -> None:
        """Write new files, in a folder or spread over four."""
        for _ in range(count):
            number, self._next = self._next, self._next + 1
            below = self.folder / (folder or f"part{number % 4}")
            below.mkdir(exist_ok=True)
            self._write(below / f"{number:03}.{_SUFFIXES[number % len(_SUFFIXES)]}")

    def add_sections(self, count: int, name: str = "list") -> None:
        """Write one long file of small sections, each of them a chunk."""
        parts = ["# A long list"]
        for _ in range(count):
            parts += [f"## {self._word()} {self._word()}", self._prose(self._word(), _FILLING)]
        (self.folder / f"{name}.md").write_text("\n\n".join(parts), encoding="utf-8")

    def change(self, count: int) -> None:
        """Write other texts into some files."""
        for path in self._some(count):
            self._write(path)

    def move(self, count: int) -> None:
        """Put some files into new folders, under their names: those are titles."""
        for path in self._some(count):
            path.rename(self._new_folder() / path.name)

    def copy(self, count: int) -> None:
        """Put the content of some files in a second place."""
        for path in self._some(count):
            shutil.copy(path, self._new_folder())

    def delete(self, count: int) -> None:
        """Delete some files."""
        for path in self._some(count):
            path.unlink()

    def any_file(self) -> Path:
        """Return one of the files."""
        return self._some(1)[0]

    def queries(self) -> list[str]:
        """Return twenty searches: of one document's subject, and of words that many have."""
        spread = self.subjects[:: max(1, len(self.subjects) // 14)][:14]
        dice = random.Random(len(self.subjects))
        common = [" ".join(_word(dice) for _ in range(3)) for _ in range(4)]
        return [*(f"What is known of {each}?" for each in spread), *common, "港口 1904", "rows"]

    def _new_folder(self) -> Path:
        made = self.folder / f"moved{self._dice.randrange(10**9)}"
        made.mkdir()
        return made

    def _some(self, count: int) -> list[Path]:
        files = self.files
        return self._dice.sample(files, min(count, len(files)))

    def _write(self, path: Path) -> None:
        subject = f"{self._word()}{self._word()}"
        self.subjects.append(subject)
        writer = {"csv": self._table, "html": self._page}.get(path.suffix[1:], self._text)
        path.write_text(writer(subject), encoding="utf-8")

    def _text(self, subject: str) -> str:
        parts = [f"# On {subject}"]
        for _ in range(self._dice.randint(1, 5)):
            parts += [f"## The {self._word()}", self._prose(subject, self._dice.randint(3, 14))]
        return "\n\n".join([*parts, f"{subject} 的港口建于 {self._dice.randint(1800, 1999)} 年。"])

    def _page(self, subject: str) -> str:
        return f"<html><body><h1>{subject}</h1><p>{self._prose(subject, 12)}</p></body></html>"

    def _table(self, subject: str) -> str:
        rows = (f"{subject},{self._dice.randint(1, 9999)},{self._word()}" for _ in range(20))
        return "\n".join(["name,number,rows", *rows])

    def _prose(self, subject: str, sentences: int) -> str:
        return " ".join(self._sentence(subject) for _ in range(sentences))

    def _sentence(self, subject: str) -> str:
        words = [self._word() for _ in range(self._dice.randint(5, 11))]
        words.insert(self._dice.randrange(len(words)), subject)
        return f"{' '.join(words).capitalize()}."

    def _word(self) -> str:
        return _word(self._dice)


def _word(dice: random.Random) -> str:
    return "".join(dice.choices(_SYLLABLES, k=dice.randint(2, 3)))
