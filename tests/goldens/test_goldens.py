"""What is left out of a golden is what differs from run to run, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.goldens.__main__ import compare
from tests.goldens.normalize import plain


def test_times_and_last_digits_are_left_out_and_nothing_else() -> None:
    one = '{"path": "~/x.md", "score": 0.123412, "seconds": 1.5, "text": "Rent"}'
    two = '{"text": "Rent", "path": "~/x.md", "score": 0.123438, "seconds": 2.5}'
    assert plain(one) == plain(two)
    assert plain(one) != plain(one.replace("Rent", "rent"))
    assert plain(one) != plain(one.replace("0.1234", "0.1244"))


def test_what_says_something_else_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("old", '{"n": 1}\n'), ("new", '{"n": 2}\n')):
        (tmp_path / name / "lines").mkdir(parents=True)
        (tmp_path / name / "lines" / "search.jsonl").write_text(text)
    assert compare(tmp_path / "old", tmp_path / "old") == 0
    assert compare(tmp_path / "old", tmp_path / "new") == 1
    said = capsys.readouterr().out
    assert '-{"n": 1}' in said
    assert '+{"n": 2}' in said
    assert said.endswith("1 commands, 1 of them say something else\n")
