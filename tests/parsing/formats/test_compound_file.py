from __future__ import annotations

import struct
from pathlib import Path

import pytest

from desktop_rag.parsing.formats.compound_file import (
    compound_file,
    names_within,
    properties_of,
    root_names,
    stream_bytes,
)
from tests.parsing import old_office_samples

SUMMARY = "\x05SummaryInformation"


def properties(title: bytes, page: int, count: int = 2) -> bytes:
    """Return a set of properties with a code page and a title; `count` is how many it claims."""
    values = struct.pack("<IHH", 2, page, 0) + struct.pack("<II", 0x1E, len(title)) + title
    places = struct.pack("<4I", 1, 24, 2, 32)
    section = struct.pack("<II", 24 + len(values), count) + places + values
    return bytes(44) + struct.pack("<I", 48) + section


def test_streams_are_read_by_their_paths(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    large = bytes(range(256)) * 40
    streams = {"Small": b"a few bytes", "Folder/Large": large, "Folder/Inner/Small": b"inside"}
    path.write_bytes(old_office_samples.compound_file(streams))
    assert root_names(path) == {"small", "folder"}
    with compound_file(path) as opened:
        assert {name: stream_bytes(opened, name) for name in streams} == streams
        assert stream_bytes(opened, "Folder") == stream_bytes(opened, "None") == b""
        assert stream_bytes(opened, "Folder/Large", 10) == large[:10]


@pytest.mark.parametrize("page", [1251, 65001])
def test_a_title_is_read_in_its_code_page(tmp_path: Path, page: int) -> None:
    path = tmp_path / "a.bin"
    title = "Гавань".encode("cp1251" if page == 1251 else "utf-8") + b"\0rest"
    path.write_bytes(old_office_samples.compound_file({SUMMARY: properties(title, page)}))
    with compound_file(path) as opened:
        assert properties_of(opened).title == "Гавань"


def test_properties_that_claim_to_be_many_cost_no_more(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    claimed = properties(b"Harbour", 1252, count=0xFFFFFFFF)
    path.write_bytes(old_office_samples.compound_file({SUMMARY: claimed}))
    with compound_file(path) as opened:
        properties_of(opened)  # ends: the library's own reader goes on for hours
    path.write_bytes(old_office_samples.compound_file({SUMMARY: claimed[:60]}))
    with compound_file(path) as opened:
        assert properties_of(opened).title == ""


def test_sectors_in_a_circle_are_no_stream(tmp_path: Path) -> None:
    raw = bytearray(old_office_samples.compound_file({"Large": bytes(20_000)}))
    table = 512 + 512 * int.from_bytes(raw[76:80], "little")
    raw[table : table + 8] = struct.pack("<II", 1, 0)  # the first two sectors name each other
    path = tmp_path / "a.bin"
    path.write_bytes(raw)
    with compound_file(path) as opened:
        assert len(stream_bytes(opened, "Large")) <= 20_000


def test_folders_that_name_each_other_are_listed_once(tmp_path: Path) -> None:
    raw = old_office_samples.compound_file({"Outer/Inner/Text": b"inside", "Beside": b"x"})
    inner, outer = (raw.index(name.encode("utf-16-le")) for name in ("Inner", "Outer"))
    child = slice(76, 80)  # of a directory's entry: the first of what lies in it
    changed = bytearray(raw)
    changed[inner + child.start : inner + child.stop] = raw[outer + 76 : outer + 80]
    path = tmp_path / "a.bin"
    path.write_bytes(changed)
    assert root_names(path) == {"outer", "beside"}
    with compound_file(path) as opened:
        assert names_within(opened, "Outer") == ["Inner"]
        assert names_within(opened, "outer/nothing") == []


def test_folders_in_folders_without_end_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    deep = "/".join("a" for _ in range(3000))
    path.write_bytes(old_office_samples.compound_file({f"{deep}/Text": b"inside", "B": b"x"}))
    with pytest.raises(ValueError, match="no compound file"):
        root_names(path)


def test_what_is_no_compound_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"no compound file at all" * 100)
    with pytest.raises(ValueError, match="no compound file"), compound_file(path):
        pass
