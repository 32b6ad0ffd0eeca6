from __future__ import annotations

import json
from pathlib import Path

from benchmarks.format_coverage import measured, table

ROW = {"lenient": False, "expect": "ok"}


def write(folder: Path, name: str, text: str, phrases: dict[str, dict[str, int]]) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    told = {"must_contain": list(phrases), "where": list(phrases.values())}
    return json.dumps(ROW | {"path": name, "ext": name.rpartition(".")[2]} | told)


def test_states_phrases_and_places_are_counted_by_format(tmp_path: Path) -> None:
    long = "A heron stands in the shallow water and waits."
    rows = [
        write(tmp_path, "a.txt", long, {"heron stands": {}, "otter": {}}),
        write(tmp_path, "b.txt", "", {}),
        write(tmp_path, "c.md", f"# Birds\n\n{long}", {"shallowwater": {}}),
    ]
    (tmp_path / "manifest.jsonl").write_text("\n".join(rows), encoding="utf-8")
    found = measured(tmp_path)
    lines = table(found, "2026-01-02").splitlines()
    assert lines[0] == "3 files, 2026-01-02; 0 pages recognised in 0 s."
    assert lines[4:] == [
        "| md | 1 | 1 of 1 (100.0%) | 1 of 1 (100.0%) | – |",
        "| txt | 2 | 1 of 2 (50.0%) | 1 of 2 (50.0%) | – |",
        "| **all** | 3 | 2 of 3 (66.7%) | 2 of 3 (66.7%) | – |",
    ]
    wrong = sorted(line for each in found for line in each.score.wrong)
    assert wrong == ["a.txt: 'otter' not found", "b.txt: ok, but empty"]
