"""What Linux desktops are told: valid entries, commands that the program takes, types it reads."""

from __future__ import annotations

import configparser
import mimetypes
import shutil
import subprocess

import pytest

from desktop_rag.cli import arguments
from desktop_rag.core.requests import OpenRequest
from desktop_rag.parsing.format_registry import EXTENSIONS
from tests.conftest import REPOSITORY

FOLDER = REPOSITORY / "installer" / "linux"
ENTRIES = ("desktop-rag.desktop", "desktop-rag-ask.desktop")
MAIN, ACTION = "Desktop Entry", "Desktop Action ask"


def entry(name: str) -> configparser.ConfigParser:
    made = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    made.optionxform = str  # type: ignore[assignment, method-assign] # keys are case sensitive
    made.read(FOLDER / name, encoding="utf-8")
    return made


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="the tool is not installed")
@pytest.mark.parametrize("name", ENTRIES)
def test_the_freedesktop_tool_has_nothing_to_say(name: str) -> None:
    told = subprocess.run(
        ["desktop-file-validate", FOLDER / name], capture_output=True, text=True, check=True
    )
    assert told.stdout + told.stderr == ""


@pytest.mark.parametrize(
    ("name", "group", "purpose"),
    [(ENTRIES[0], MAIN, "read"), (ENTRIES[0], ACTION, "ask"), (ENTRIES[1], MAIN, "ask")],
)
def test_each_command_is_one_that_the_program_takes(name: str, group: str, purpose: str) -> None:
    program, *words = entry(name)[group]["Exec"].split()
    assert program == "desktop-rag"
    assert words.pop() == "%F"
    given = arguments.read([*words, "/a b.pdf", "/c.md"]).opening
    assert given == OpenRequest(("/a b.pdf", "/c.md"), purpose=purpose)


@pytest.mark.parametrize("name", ENTRIES)
def test_every_type_with_a_known_ending_is_read(name: str) -> None:
    types = entry(name)[MAIN]["MimeType"].rstrip(";").split(";")
    assert len(types) == len(set(types)) > 30
    for each in types:
        endings = mimetypes.guess_all_extensions(each)
        assert not endings or EXTENSIONS & set(endings), each


def test_each_entry_has_its_chinese_name_and_lies_in_the_package() -> None:
    bundle = (REPOSITORY / "installer" / "bundle").read_text(encoding="utf-8")
    for name in ENTRIES:
        groups = entry(name)
        assert all(
            "Name[zh_CN]" in groups[each] or "GenericName[zh_CN]" in groups[each]
            for each in groups.sections()
        )
        assert f'("{name}", "usr/share/applications")' in bundle
