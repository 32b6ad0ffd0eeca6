from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.core import settings_file
from desktop_rag.core.errors import StoreDamaged, UsageError, UserError
from desktop_rag.core.settings import Settings


def test_without_a_file_everything_is_as_declared(home: Path) -> None:
    assert settings_file.load(home) == Settings()


def test_every_setting_has_a_name_an_effect_and_a_default_within_its_bounds() -> None:
    listed = settings_file.setting_declarations()
    assert len({each.key for each in listed}) == len(listed) > 25
    for each in listed:
        assert each.title
        assert each.effect.endswith(".")
        settings_file.with_value(Settings(), each.key, each.default)


def test_what_is_saved_is_loaded(home: Path) -> None:
    changed = settings_file.load(
        home, {"retrieval.candidates": "80", "allow_remote": "yes", "ollama.host": " h:1 "}
    )
    settings_file.save(home, changed)
    loaded = settings_file.load(home)
    assert changed.privacy.allow_remote
    assert loaded.retrieval.candidates == 80
    assert loaded.ollama.host == "h:1"


def test_a_consent_for_one_run_is_neither_kept_nor_read(home: Path) -> None:
    settings_file.save(home, settings_file.load(home, {"allow_remote": "yes"}))
    assert not settings_file.load(home).privacy.allow_remote
    (home / "settings.json").write_text('{"privacy": {"allow_remote": true}}')
    assert not settings_file.load(home).privacy.allow_remote


def test_only_what_differs_is_written_and_strangers_are_kept(home: Path) -> None:
    home.mkdir()
    file = home / "settings.json"
    file.write_text('{"version": 9, "future": {"a": 1}, "ollama": {"unknown": 2, "num_ctx": 4096}}')
    loaded = settings_file.load(home)
    assert loaded.ollama.num_ctx == 4096
    settings_file.save(
        home, replace(loaded, ollama=replace(loaded.ollama, num_ctx=8192, model="m"))
    )
    written = json.loads(file.read_text())
    assert written == {"version": 1, "future": {"a": 1}, "ollama": {"unknown": 2, "model": "m"}}
    assert [each.name for each in home.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("retrieval.candidatse", "5", "Did you mean “retrieval.candidates”"),
        ("temprature", "0", "Did you mean “ollama.temperature”"),
        ("zzzzzzz", "0", "There is no setting"),
        ("candidates", "4", "from 5 to 500"),
        ("candidates", "501", "from 5 to 500"),
        ("candidates", "many", "a whole number"),
        ("candidates", "7.5", "a whole number"),
        ("alpha", "nan", "from 0.0 to 1.0"),
        ("alpha", "x", "is a number"),
        ("fusion", "best", "rrf, weighted"),
        ("allow_remote", "perhaps", "on or off"),
        ("keep_alive", "for ever", "Write it like 5m"),
        ("chroma_url", "example", "Write it like http://127.0.0.1:8000"),
    ],
)
def test_a_wrong_override_is_refused_with_what_to_do(
    home: Path, name: str, text: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        settings_file.load(home, {name: text})


def test_a_value_in_the_file_that_does_not_fit_is_passed_over(home: Path) -> None:
    home.mkdir()
    stored = {"retrieval": {"candidates": 0, "alpha": 1, "fusion": 7}, "ollama": "no section"}
    (home / "settings.json").write_text(json.dumps(stored))
    loaded = settings_file.load(home)
    assert loaded.retrieval == replace(Settings().retrieval, alpha=1.0)


def test_what_is_passed_over_is_told_and_a_section_that_is_none_can_be_saved_over(
    home: Path,
) -> None:
    assert settings_file.invalid_entries(home) == []
    home.mkdir()
    stored = {"version": 1, "retrieval": {"candidates": 0, "alpha": 1, "rerankr": "no"}}
    (home / "settings.json").write_text(json.dumps(stored | {"ollama": "no section"}))
    assert settings_file.invalid_entries(home) == [
        "“ollama” holds no settings.",
        "retrieval.candidates cannot be 0.",
        "“retrieval.rerankr” is no setting of this version that is kept.",
    ]
    settings_file.save(home, settings_file.load(home, {"ollama.model": "qwen3:4b"}))
    assert settings_file.load(home).ollama.model == "qwen3:4b"


@pytest.mark.parametrize("text", ["{", "[1]", "\x00"])
def test_a_file_that_cannot_be_read_is_said_and_left(home: Path, text: str) -> None:
    home.mkdir()
    file = home / "settings.json"
    file.write_text(text)
    with pytest.raises(StoreDamaged, match="settings file"):
        settings_file.load(home)
    assert file.read_text() == text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk at hand")
def test_on_a_full_disk_the_old_file_stays_and_a_sentence_says_why(home: Path) -> None:
    settings_file.save(home, settings_file.load(home, {"candidates": "80"}))
    before = (home / "settings.json").read_bytes()
    (home / "settings.json.new").symlink_to("/dev/full")
    changed = settings_file.load(home, {"candidates": "90"})
    with pytest.raises(UserError, match="No space left") as told:
        settings_file.save(home, changed)
    assert "Make room" in told.value.remedy
    assert (home / "settings.json").read_bytes() == before
    assert [each.name for each in home.iterdir()] == ["settings.json"]
    settings_file.save(home, changed)
    assert settings_file.load(home).retrieval.candidates == 90
