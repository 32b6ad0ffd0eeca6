"""What the settings keep of the options of ways: a text that is read and written."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import UsageError
from desktop_rag.core.settings_file import load, save, with_value
from desktop_rag.core.way_options import NO_CHANGES, WayOptions, parse_options, write_options

KEY = "answering.options"
CHANGES = WayOptions({"rounds": "2", "hyde.passages": "4"}, ("hyde", "verify"))


def test_what_is_written_is_read_again() -> None:
    text = write_options("react.k=8", "iter_retgen", CHANGES)
    assert text == (
        "react.k=8, iter_retgen.transforms=hyde+verify, iter_retgen.rounds=2, "
        "iter_retgen.hyde.passages=4"
    )
    assert parse_options(text) == {"react": WayOptions({"k": "8"}), "iter_retgen": CHANGES}


def test_a_way_without_changes_is_written_no_more() -> None:
    text = write_options("react.k=8, crag.k=3", "react", NO_CHANGES)
    assert text == "crag.k=3"
    assert write_options(text, "crag", NO_CHANGES) == ""


def test_spaces_are_as_good_as_commas() -> None:
    assert set(parse_options("react.k=8 crag.k=3,dsp.k=2")) == {"react", "crag", "dsp"}


def test_it_is_kept_in_the_settings_file(tmp_path: Path) -> None:
    text = write_options("", "iter_retgen", CHANGES)
    save(tmp_path, with_value(load(tmp_path), KEY, text))
    assert load(tmp_path).answering.options == text
    assert load(tmp_path, {KEY: ""}).answering.options == ""


@pytest.mark.parametrize("wrong", ["rounds=2", "react.k", "react.k=8; crag.k=3", "a b"])
def test_a_text_of_another_form_is_no_setting(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(UsageError):
        load(tmp_path, {KEY: wrong})
