"""What versions of Ollama do differently, read from its public source."""

from __future__ import annotations


def numbers(version: str) -> tuple[int, ...]:
    """Return a version to be compared."""
    return tuple(int(each) for each in version.partition("-")[0].split("."))


class Behaviour:
    """What one version does; each property names the version that changed it."""

    def __init__(self, version: str) -> None:
        self._numbers = numbers(version)

    @property
    def runs_llama_server(self) -> bool:
        """Whether the runner is llama.cpp's own server, whose errors are passed on (0.30.0)."""
        return self._numbers >= (0, 30)

    @property
    def lists_capabilities(self) -> bool:
        """Whether `/api/tags` tells what models can, and how long their context is (0.30.0)."""
        return self._numbers >= (0, 30)

    @property
    def refuses_overflow(self) -> bool:
        """Whether a prompt that is too long is an error where no context shifts (0.30.9)."""
        return self._numbers >= (0, 30, 9)

    @property
    def halves_long_prompts(self) -> bool:
        """Whether a prompt that is too long is cut to about half of the context (0.30.11)."""
        return self._numbers >= (0, 30, 11)

    @property
    def tells_runner_s_refusal(self) -> bool:
        """Whether an error of the runner's to `/api/embed` keeps its status and words (0.13.3).

        Before, a text that is too long was refused in other words, all else was a 500, and the
        marks around a text were not counted with it.
        """
        return self._numbers >= (0, 13, 3)

    @property
    def repeat_penalty(self) -> float:
        """What a request has that names none: 1.0 in 0.17.5 to 0.17.7, and since 0.32.10."""
        is_off = (0, 17, 5) <= self._numbers < (0, 18) or self._numbers >= (0, 32, 10)
        return 1.0 if is_off else 1.1

    @property
    def keeps_form_without_thinking(self) -> bool:
        """Whether `format` holds for models with a parser of Ollama's own, told not to think.

        Since 0.31.2; before, the form was put on only when the thinking had ended.
        """
        return self._numbers >= (0, 31, 2)
