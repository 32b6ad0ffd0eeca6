from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from desktop_rag.core import temp_files


def note(home: Path, path: Path) -> Path:
    """What a killed process left in the data folder."""
    made = home / f"unfinished-{path.stem}.json"
    made.write_text(json.dumps(str(path)))
    return made


def test_what_a_killed_process_was_writing_goes_at_the_next_start(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    left, mine = other / ".taken.ragkb.1.part", other / "mine.part"
    for path in (left, mine):
        path.write_text("text of the user's")
        note(home, path)
    temp_files.delete_leftovers(home)
    assert not left.exists()
    assert mine.exists()  # only what this program names so is ever deleted
    assert list(home.iterdir()) == []


def test_a_file_is_remembered_only_while_it_is_written(tmp_path: Path) -> None:
    with temp_files.noting_temp_file(tmp_path, tmp_path / ".a.part"):
        (noted,) = tmp_path.iterdir()
        assert ".a.part" in noted.read_text()
    assert list(tmp_path.iterdir()) == []


def test_many_that_write_at_the_same_time_are_all_remembered(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    paths = [tmp_path / f".{n}.part" for n in range(200)]

    def left_behind(path: Path) -> None:
        with temp_files.noting_temp_file(home, path.with_suffix(".whole.part")):
            writing = temp_files.noting_temp_file(home, path)
            writing.__enter__()  # and never ended, as by a kill
            path.write_text("half")
            kept.append(writing)

    kept: list[object] = []
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(left_behind, paths))
    assert len(list(home.iterdir())) == 200
    temp_files.delete_leftovers(home)
    assert not any(path.exists() for path in paths)
    assert list(home.iterdir()) == []


def test_a_note_that_can_not_be_read_harms_nobody(tmp_path: Path) -> None:
    (tmp_path / "unfinished-1.json").write_text("{half")
    (tmp_path / "unfinished-2.json").write_text("[1]")
    temp_files.delete_leftovers(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_lies_on_a_drive_that_is_away_is_remembered(tmp_path: Path) -> None:
    away = tmp_path / "away" / ".a.part"
    made = note(tmp_path, away)
    temp_files.delete_leftovers(tmp_path)
    away.parent.mkdir()
    away.write_text("back")
    temp_files.delete_leftovers(tmp_path)
    assert not away.exists()
    assert not made.exists()


def test_the_hidden_name_beside_a_file_fits_into_every_folder(tmp_path: Path) -> None:
    path = temp_files.hidden_path(tmp_path / f"{'燃' * 80}.md")
    path.write_text("text")
    assert path.parent == tmp_path


def test_a_note_that_cannot_be_deleted_stops_neither_the_writing_nor_a_start(
    tmp_path: Path,
) -> None:
    with temp_files.noting_temp_file(tmp_path, tmp_path / ".a.part"):
        (held,) = tmp_path.iterdir()
        held.unlink()
        held.mkdir()  # as on Windows a file that a scanner holds, it can't be unlinked
    temp_files.delete_leftovers(tmp_path)
    assert list(tmp_path.iterdir()) == [held]
    held.rmdir()
    note(tmp_path, tmp_path / ".a.part")
    temp_files.delete_leftovers(tmp_path)
    assert list(tmp_path.iterdir()) == []
