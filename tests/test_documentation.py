"""What the documentation says is so: its commands parse, its tests exist, its settings are all."""

from __future__ import annotations

import ast
import re
import shlex
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.cli import arguments
from desktop_rag.core import settings_file
from desktop_rag.strategies import reference_page, registry
from tests.conftest import REPOSITORY

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
SECURITY = (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8")
COMPLAINTS = (REPOSITORY / "docs" / "forty-complaints.md").read_text(encoding="utf-8")
STRATEGIES = (REPOSITORY / "docs" / "strategies.md").read_text(encoding="utf-8")

GLOSSARY = (REPOSITORY / "docs" / "glossary.md").read_text(encoding="utf-8")
GUIDES = [REPOSITORY / "CONTRIBUTING.md", *sorted((REPOSITORY / "docs" / "adding").glob("*.md"))]

NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", COMPLAINTS)))
BLOCKS = re.findall(r"^```\w*\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
LINES = [line for block in BLOCKS for line in block.splitlines() if line.strip()]
COMMANDS = [line for line in LINES if line.startswith("desktop-rag")]
SCRIPTS = [line for line in LINES if not line.startswith("desktop-rag")]
OPTIONS = [each for each in re.findall(r"`(--[^`]+)`", README) if each != "--slow"]


def words_of(line: str) -> list[str]:
    return shlex.split(line, comments=True)


def names_of_tests(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_test_that_the_forty_complaints_name_exists() -> None:
    paths = {path for path, _ in NAMED}
    there = {
        path: names_of_tests(REPOSITORY / path) for path in paths if (REPOSITORY / path).is_file()
    }
    lost = [f"{path}::{name}" for path, name in NAMED if name not in there.get(path, ())]
    assert len(NAMED) > 40
    assert lost == []


def test_all_forty_complaints_have_a_row_that_names_a_test_or_says_not_yet() -> None:
    rows = re.findall(r"^\| (\d+) \|(.*)\|$", COMPLAINTS, re.MULTILINE)
    assert [int(number) for number, _ in rows[:40]] == list(range(1, 41))
    assert [number for number, row in rows if "::test_" not in row and "Not yet" not in row] == []


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_the_readme_parses(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DESKTOP_RAG_HOME", raising=False)
    assert arguments.read(words_of(line)[1:]).request is not None


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_of_the_readme_is_one(option: str) -> None:
    arguments.read([*words_of(option), "doctor"])


@pytest.mark.parametrize("line", SCRIPTS)
def test_every_script_of_the_readme_is_there(line: str) -> None:
    assert (REPOSITORY / words_of(line)[0]).is_file()


@pytest.mark.parametrize(
    "page", ["README.md", "SECURITY.md", "docs/architecture.md", "docs/preparing.md"]
)
def test_every_link_of_a_page_to_a_file_leads_to_one(page: str) -> None:
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    paths = [to.partition("#")[0] for to in re.findall(r"\]\(([^):]+)\)", text)]
    assert len(paths) > 2
    assert [to for to in paths if not (REPOSITORY / page).parent.joinpath(to).exists()] == []


def test_the_security_page_names_settings_and_modules_that_exist() -> None:
    keys = set(re.findall(r"`([a-z]+\.[a-z_]+)`", SECURITY))
    assert keys
    assert keys <= {each.key for each in settings_file.setting_declarations()}
    modules = re.findall(r"python -m ([\w.]+)", SECURITY)
    assert {"tests.attacks", "tests.drills"} <= set(modules)
    for module in modules:
        assert (REPOSITORY / module.replace(".", "/") / "__main__.py").is_file()


def test_a_command_that_does_not_parse_is_seen() -> None:
    assert COMMANDS
    assert OPTIONS
    with pytest.raises(SystemExit):
        arguments.read(["find", "something"])


@pytest.mark.parametrize(
    "kind", [*registry.STRATEGIES, *registry.TRANSFORMS], ids=lambda kind: kind.name
)
def test_every_setting_of_a_strategy_or_transform_is_documented(kind: type[Any]) -> None:
    section = re.split(r"\n###? ", STRATEGIES.split(f"(`{kind.name}`)")[1])[0]
    assert kind.paper in section
    for option in fields(kind):
        row = next(line for line in section.splitlines() if line.startswith(f"| `{option.name}` |"))
        assert f"`{option.default}`" in row
        assert option.metadata["effect"] in row


def test_the_page_of_strategies_is_as_the_registry_makes_it() -> None:
    made_by = "python -m desktop_rag.strategies.reference_page > docs/strategies.md"
    assert reference_page.markdown() == STRATEGIES, f"run: {made_by}"


def test_the_glossary_names_modules_that_exist() -> None:
    rows = [line for line in GLOSSARY.splitlines() if line.startswith("|") and "`" in line]
    places = [place for row in rows for place in re.findall(r"`([a-z_]+(?:/[a-z_]+)*)/?`", row)]
    package = REPOSITORY / "desktop_rag"
    there = [(package / place).is_dir() or (package / f"{place}.py").is_file() for place in places]
    lost = [place for place, is_there in zip(places, there, strict=True) if not is_there]
    assert len(places) > 100
    assert lost == ["sources"]  # a table's name


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_what_contributors_are_shown_exists(guide: Path) -> None:
    text = guide.read_text(encoding="utf-8")
    links = [guide.parent / link for link in re.findall(r"\]\(([^)#:]+)\)", text)]
    top = "desktop_rag|tests|testing|localization|resources|docs|benchmarks|installer"
    paths = [REPOSITORY / path for path in re.findall(rf"`((?:{top})/[\w./-]+)`", text)]
    modules = re.findall(r"python -m ((?:tests|benchmarks|localization)[\w.]*)", text)
    files = [REPOSITORY / module.replace(".", "/") for module in modules]
    lost = [each for each in (*links, *paths) if not each.exists()]
    lost += [each for each in files if not (each.is_dir() or each.with_suffix(".py").exists())]
    placeholders = ("NAME.py", "CODE.ts")
    assert links or paths
    assert [each for each in lost if not each.name.endswith(placeholders)] == []
