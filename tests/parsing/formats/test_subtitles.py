from __future__ import annotations

from pathlib import Path

from desktop_rag.parsing.formats.subtitles import parse
from tests.parsing.open_documents import written

SRT = """1
00:00:01,000 --> 00:00:03,000
<i>The ships</i> sail

2
00:00:03,500 --> 00:00:05,000
at
seven.

3
01:12:30,500 --> 01:12:32,000
{\\an8}Later on.
"""
VTT = """WEBVTT - Harbour

NOTE not said

STYLE
::cue { color: red }

first
00:01.000 --> 00:03.000 align:start
<v Ann>Hello &amp; <c.loud>welcome</c>

00:03.000 --> 00:04.000
Shown on.

00:04.000 --> 00:05.000
Shown on.
"""
ASS = """[Script Info]
Title: Harbour
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:03.00,Default,Bob,0,0,0,,{\\an8}Hello,\\Nthere, all
Comment: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,never said
"""


def shown(path: Path) -> list[tuple[int | str, str]]:
    return [(block.place.value, block.text) for block in parse(path).blocks]


def test_cues_are_joined_until_a_silence(tmp_path: Path) -> None:
    expected = [("00:00:01", "The ships sail at seven."), ("01:12:30", "Later on.")]
    assert shown(written(tmp_path / "a.srt", SRT)) == expected
    assert shown(written(tmp_path / "b.srt", SRT.replace("\n", "\r\n"))) == expected


def test_what_is_not_said_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path / "a.vtt", VTT)
    assert shown(path) == [("00:00:01", "Ann: Hello & welcome Shown on.")]


def test_events_are_read_with_who_speaks(tmp_path: Path) -> None:
    path = written(tmp_path / "a.ass", ASS)
    assert shown(path) == [("00:00:01", "Bob: Hello, there, all")]
    assert parse(path).title == "Harbour"


def test_long_talks_are_parted_at_sentences(tmp_path: Path) -> None:
    cues = (
        f"{n}\n00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900\n"
        f"This is sentence number {n}.\n\n"
        for n in range(200)
    )
    blocks = parse(written(tmp_path / "a.srt", "".join(cues))).blocks
    assert all(block.text.endswith(".") and len(block.text) < 800 for block in blocks)
    assert " ".join(block.text for block in blocks).count("number") == 200


def test_a_file_without_times_is_text(tmp_path: Path) -> None:
    assert shown(written(tmp_path / "a.srt", "Only words.\n")) == [(1, "Only words.")]
