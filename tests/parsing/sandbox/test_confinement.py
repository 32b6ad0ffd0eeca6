"""What a process that reads files may not do, asked from within it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from desktop_rag.parsing.sandbox import linux_confinement
from desktop_rag.parsing.sandbox.parser_pool import ParserPool
from testing import misbehaving_parser
from tests.parsing.sandbox.pool_helpers import outcomes, pool, text

__all__ = ["pool"]


def test_a_child_has_no_network_and_starts_no_program(pool: ParserPool) -> None:
    assert text(outcomes(pool, "call")["call"]) == "connect send look_up start"


def test_a_child_prints_nothing(pool: ParserPool, capfd: pytest.CaptureFixture[str]) -> None:
    assert text(outcomes(pool, "chatter")["chatter"]) == "has chattered"
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="priorities are classes there")
def test_a_child_gives_way_to_others(pool: ParserPool) -> None:
    assert int(text(outcomes(pool, "nice")["nice"])) >= min(19, os.nice(0) + 10)


def test_a_child_sees_nothing_of_a_shut_folder_and_writes_to_its_own_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shut = tmp_path / "shut"
    for folder in (shut, tmp_path / "docs"):
        folder.mkdir()
    (shut / "catalog.sqlite").write_text("every document's text")
    (tmp_path / "beside.txt").write_text("left alone")
    (tmp_path / "link").symlink_to(shut)
    monkeypatch.setenv("SHUT", str(shut))
    pool = ParserPool(1, 10.0, 400, misbehaving_parser.answer, shut=(str(shut),))
    try:
        assert text(outcomes(pool, "peek")["peek"]) == "nothing"
        assert text(outcomes(pool, "beside")["beside"]) == "written, left alone"
    finally:
        pool.close()
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "beside.txt",
        "docs",
        "link",
        "shut",
    ]
    assert (tmp_path / "beside.txt").read_text() == "left alone"


@pytest.mark.skipif(sys.platform != "linux", reason="asked of Linux only")
def test_c_code_in_a_child_reaches_no_network_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if linux_confinement.landlock_version() < 1:
        pytest.skip("this kernel has no Landlock")
    (tmp_path / "shut").mkdir()
    (tmp_path / "beside.txt").write_text("left alone")
    monkeypatch.setenv("SHUT", str(tmp_path / "shut"))
    pool = ParserPool(1, 10.0, 400, misbehaving_parser.answer)
    try:
        assert text(outcomes(pool, "native")["native"]) == ""
        assert text(outcomes(pool, "beside")["beside"]) == "written, left alone"
    finally:
        pool.close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["beside.txt", "shut"]


@pytest.mark.skipif(sys.platform != "linux", reason="asked of Linux only")
def test_a_child_can_type_nothing_into_the_terminal(pool: ParserPool) -> None:
    assert text(outcomes(pool, "terminal")["terminal"]) == "True /dev/null"
