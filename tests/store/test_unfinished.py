from __future__ import annotations

from pathlib import Path

from desktop_rag.store import unfinished


def test_what_a_killed_process_was_writing_goes_at_the_next_start(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    left, mine = other / ".taken.ragkb.1.part", other / "mine.part"
    for path in (left, mine):
        path.write_text("text of the user's")
    (home / "unfinished.json").write_text(f'["{left}", "{mine}"]')
    unfinished.sweep(home)
    assert not left.exists()
    assert mine.exists()  # only what this program names so is ever deleted


def test_a_file_is_remembered_only_while_it_is_written(tmp_path: Path) -> None:
    with unfinished.noted(tmp_path, tmp_path / ".a.part"):
        assert ".a.part" in (tmp_path / "unfinished.json").read_text()
    assert list(tmp_path.iterdir()) == []


def test_a_note_that_can_not_be_read_harms_nobody(tmp_path: Path) -> None:
    (tmp_path / "unfinished.json").write_text("{half")
    unfinished.sweep(tmp_path)


def test_what_lies_on_a_drive_that_is_away_is_remembered(tmp_path: Path) -> None:
    away = tmp_path / "away" / ".a.part"
    (tmp_path / "unfinished.json").write_text(f'["{away}"]')
    unfinished.sweep(tmp_path)
    away.parent.mkdir()
    away.write_text("back")
    unfinished.sweep(tmp_path)
    assert not away.exists()
    assert not (tmp_path / "unfinished.json").exists()
