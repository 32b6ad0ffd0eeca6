"""The texts that models are told, in the question's language: `Prompts("en").text("react/rules")`.

They are files: `resources/prompts/LANGUAGE/STRATEGY or AREA/NAME.txt`.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Template

from desktop_rag.core.paths import resources


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts of one language; a language without a folder takes the English ones.

    The prompts themselves ask for an answer in the question's language.
    """

    language: str

    def text(self, name: str, **values: str) -> str:
        """Return a prompt with its `$names` filled in; a value's own `$` stays as it is."""
        folder = resources() / "prompts"
        file = folder / self.language / f"{name}.txt"
        if not file.is_file():
            file = folder / "en" / f"{name}.txt"
        return Template(file.read_text(encoding="utf-8").strip()).substitute(values)

    def closed_book(self, manner: str) -> str:
        """Return the rules of an answer from what the model knows itself."""
        return self.text("answer/closed_book", manner=self.text(manner))

    def draft(self, *, only_documents: bool) -> str:
        """Return the rules of a chain of thought that is searched with, and not shown."""
        scope = "documents_only" if only_documents else "documents_first"
        return self.text("iter_retgen/chain_of_thought", scope=self.text(f"iter_retgen/{scope}"))

    @property
    def not_found(self) -> str:
        """The sentence that says that the documents do not hold the answer."""
        return self.text("answer/not_found")

    @property
    def nothing_read(self) -> str:
        """The sentence that says that there is no document yet to hold it."""
        return self.text("answer/nothing_read")
