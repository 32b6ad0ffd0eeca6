"""Every command of the contract, typed, and every line that it prints as JSON."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.system.terminal import Terminal, Typed

LEASE = """# Lease agreement

The tenant is Maria Keller and the landlord is Otto Brandt. The flat is at Gartenweg 12 in Zug.

## Rent

The monthly rent is 1,450 francs, due on the first working day of each month.

## Notice

Either party may end the lease with a notice of three months, at the end of a quarter.
"""
MENU = "dish,price\nlentil soup,8.50\nroast trout,24.00\napple tart,7.20\n"

PASSING = r'[\d.]+ s\b|"seconds": [\d.]+|copies: \d+, .*|space: [\d.]+ \w+'
"""What the clock, a copy of the catalog made meanwhile, or another program's files change."""
FILE_KEYS = ["event", "path", "status", "reason", "chunks", "pages", "seconds"]
PASSAGE_KEYS = {
    "rank", "chunk_id", "path", "locator", "title", "section", "text", "score",
    "dense_rank", "lexical_rank", "rerank_score",
}  # fmt: skip
ANSWER_KEYS = {
    "event", "text", "mode", "citations", "strategy", "model", "llm_calls", "searches",
    "passages", "prompt_tokens", "answer_tokens", "seconds", "from_model",
}  # fmt: skip


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "lease.md").write_text(LEASE, encoding="utf-8")
    (folder / "menu.csv").write_text(MENU, encoding="utf-8")
    (folder / "nothing.txt").write_text("", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    return Terminal(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def indexed(terminal: Terminal, documents: Path) -> Typed:
    return terminal.type("index", documents, "--json")


def test_index_prints_a_line_a_file_and_the_sum(indexed: Typed, documents: Path) -> None:
    assert indexed.status == 0
    *files, done = indexed.lines
    assert all(list(line) == FILE_KEYS for line in files)
    states = {Path(line["path"]).name: line["status"] for line in files}
    assert states == {"lease.md": "ready", "menu.csv": "ready", "nothing.txt": "empty"}
    assert all(line["chunks"] > 0 for line in files if line["status"] == "ready")
    assert all(line["reason"] for line in files if line["status"] != "ready")
    assert list(done) == ["event", "files", "chunks", "seconds"]
    assert done["event"] == "done"
    assert done["files"] == {"ready": 2, "empty": 1}
    assert all(line["path"].startswith(str(documents)) for line in files)


@pytest.mark.usefixtures("indexed")
def test_a_second_index_finds_everything_unchanged(terminal: Terminal, documents: Path) -> None:
    done = terminal.type("index", documents / "lease.md", "--json").lines[-1]
    assert done["files"] == {"unchanged": 1}


@pytest.mark.usefixtures("indexed")
@pytest.mark.parametrize(
    "words",
    [
        "index LEASE", "search rent", "ask rent --json", "explain rent --text francs",
        "show LEASE", "remove /nowhere", "kb list", "passwords", "strategies", "models",
        "eval sets", "doctor", "recover",
    ],
)  # fmt: skip
def test_a_command_prints_the_same_where_its_process_starts_from_nothing(
    terminal: Terminal, documents: Path, words: str
) -> None:
    lease = str(documents / "lease.md")
    typed = [lease if word == "LEASE" else word for word in words.split()]
    started = replace(terminal, is_forked=False).type(*typed)
    forked = terminal.type(*typed)
    assert (started.status, started.err) == (forked.status, forked.err)
    assert started.status == (1 if "/nowhere" in words else 0), started.err
    assert re.sub(PASSING, "", started.out) == re.sub(PASSING, "", forked.out)


@pytest.mark.usefixtures("indexed")
def test_search_prints_a_line_a_passage(terminal: Terminal, documents: Path) -> None:
    found = terminal.type("search", "how high is the rent", "-k", "2", "--json")
    assert found.status == 0
    assert 1 <= len(found.lines) <= 2
    first = found.lines[0]
    assert set(first) >= PASSAGE_KEYS
    assert "event" not in first
    assert first["rank"] == 1
    assert first["path"] == str(documents / "lease.md")
    assert "1,450" in first["text"]
    assert isinstance(first["chunk_id"], str)
    assert set(first["locator"]) >= {"kind", "value", "start", "end"}


@pytest.mark.usefixtures("indexed")
def test_ask_without_ollama_answers_with_quotes(terminal: Terminal) -> None:
    asked = terminal.type("ask", "How high is the monthly rent?", "--json")
    assert asked.status == 0
    *events, answer = asked.lines
    assert {line["event"] for line in events} >= {"search", "passages", "notice"}
    found = next(line for line in events if line["event"] == "passages")
    assert all(set(each) >= PASSAGE_KEYS | {"kept"} for each in found["passages"])
    assert set(answer) >= ANSWER_KEYS
    assert answer["event"] == "answer"
    assert answer["mode"] == "extracted"
    assert answer["model"] is None
    assert "1,450" in answer["text"]
    cited = answer["citations"][0]
    assert set(cited) >= {"n", "chunk_id", "path", "locator", "quote"}
    assert cited["quote"] in LEASE


@pytest.mark.usefixtures("indexed")
def test_linked_hops_print_their_chains(terminal: Terminal) -> None:
    question = "How high is the monthly rent?"
    asked = terminal.type("ask", question, "--strategy", "linked_hops", "--json")
    assert asked.status == 0
    chains = [line for line in asked.lines if line["event"] == "chain"]
    assert chains
    found = {
        passage["chunk_id"]
        for line in asked.lines
        if line["event"] == "passages"
        for passage in line["passages"]
    }
    for chain in chains:
        assert list(chain) == ["event", "chunk_id", "title", "score", "follows"]
        assert chain["chunk_id"] in found
        for follow in chain["follows"]:
            assert list(follow) == ["chunk_id", "title", "by", "name", "score"]
            assert follow["chunk_id"] in found
            assert follow["by"] in ("name", "words", "question")
    assert not [line for line in asked.lines if "at" in line]


@pytest.mark.usefixtures("indexed")
def test_ask_for_what_is_not_there_is_refused(terminal: Terminal) -> None:
    asked = terminal.type("ask", "Who painted the ceiling of the Sistine Chapel?", "--json")
    assert asked.status == 0
    assert asked.lines[-1]["mode"] == "refused"
    assert asked.lines[-1]["citations"] == []


@pytest.mark.usefixtures("indexed")
def test_ask_in_words_names_its_sources(terminal: Terminal, documents: Path) -> None:
    asked = terminal.type("ask", "How high is the monthly rent?")
    assert asked.status == 0
    assert "1,450" in asked.out
    assert f"[1] {documents / 'lease.md'}" in asked.out
    assert "Ollama" in asked.err


@pytest.mark.usefixtures("indexed")
def test_explain_prints_a_line_a_stage_and_the_verdict(terminal: Terminal, documents: Path) -> None:
    words = ("explain", "how high is the rent", "--text", "monthly rent is 1,450", "--json")
    told = terminal.type(*words)
    assert told.status == 0
    *stages, verdict = told.lines
    keys = ["event", "name", "state", "text", "rank", "of", "cut", "score", "vector_search"]
    assert all(list(line) == keys for line in stages)
    assert [line["name"] for line in stages][:4] == ["indexed", "filter", "meaning", "words"]
    assert (verdict["event"], verdict["found"], verdict["rank"]) == ("verdict", True, 1)
    assert verdict["path"] == str(documents / "lease.md")
    (other,) = terminal.type(
        "explain", "rent", "--path", documents / "nothing.txt", "--json"
    ).lines[-1:]
    assert (other["fell_at"], other["what"]) == ("indexed", "The file holds no bytes.")


@pytest.mark.usefixtures("indexed")
def test_explain_says_it_in_words_and_wants_a_passage(terminal: Terminal) -> None:
    told = terminal.type("explain", "how high is the rent", "--text", "roast trout", "-k", "1")
    assert "✗ Passages" in told.out
    assert told.out.rstrip().splitlines()[-1].startswith(("Use ", "Add "))
    unnamed = terminal.type("explain", "how high is the rent")
    assert unnamed.status == 2
    assert "--text" in unnamed.err


@pytest.mark.usefixtures("indexed")
def test_show_prints_the_chunks_in_order(terminal: Terminal, documents: Path) -> None:
    shown = terminal.type("show", documents / "lease.md", "--json").lines
    assert all(list(line) == ["path", "chunk_id", "locator", "kind", "text"] for line in shown)
    text = "\n".join(line["text"] for line in shown)
    assert text.index("Maria Keller") < text.index("1,450") < text.index("three months")


def test_remove_takes_out_every_trace(documents: Path, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "home")
    terminal.type("index", documents)
    asked = terminal.type("ask", "How high is the monthly rent?", "--chat", "new")
    assert "1,450" in asked.out
    removed = terminal.type("remove", documents / "lease.md", "--json")
    assert [line["status"] for line in removed.lines] == ["deleted"]
    assert terminal.type("search", "monthly rent", "--json").out.count("lease.md") == 0
    stored = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    for told in (b"Gartenweg", b"1,450"):
        assert not [path for path in stored if told in path.read_bytes()]


def test_what_conversations_quote_is_kept_where_that_is_wanted(
    documents: Path, tmp_path: Path
) -> None:
    terminal = Terminal(tmp_path / "home")
    terminal.type("index", documents)
    terminal.type("ask", "How high is the monthly rent?", "--chat", "new")
    removed = terminal.type("remove", documents / "lease.md", "--quotes", "keep")
    assert removed.status == 0
    stored = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert [path for path in stored if b"1,450" in path.read_bytes()]


def test_knowledge_bases_are_listed_made_mended_and_deleted(
    documents: Path, tmp_path: Path
) -> None:
    terminal = Terminal(tmp_path / "home")
    assert terminal.type("kb", "list", "--json").lines == []
    made = terminal.type("kb", "create", "notes", "--json").lines
    assert [(line["name"], line["files"], line["chunks"]) for line in made] == [("notes", 0, 0)]
    terminal.type("index", documents, "--kb", "notes")
    rebuilt = terminal.type("kb", "rebuild", "notes", "--json").lines
    assert rebuilt[0]["files"] == 3
    assert rebuilt[0]["states"] == {"ready": 2, "empty": 1}
    assert terminal.type("search", "rent", "--kb", "notes", "--json").lines
    assert terminal.type("kb", "delete", "notes", "--json").status == 0
    assert terminal.type("kb", "list", "--json").lines == []
    assert terminal.type("search", "rent", "--kb", "notes").status == 1


def test_strategies_presets_and_transforms_are_described(terminal: Terminal) -> None:
    lines = terminal.type("strategies", "--json").lines
    assert all(
        list(line) == ["kind", "name", "title", "paper", "needs", "options"] for line in lines
    )
    named = {(line["kind"], line["name"]) for line in lines}
    assert named >= {("strategy", "single_pass"), ("strategy", "iter_retgen")}


@pytest.mark.usefixtures("indexed")
def test_kept_options_of_a_way_hold_until_the_command_line_names_others(
    terminal: Terminal,
) -> None:
    kept = "answering.options=single_pass.k=1 single_pass.gone=2"
    asked = ("ask", "What is the monthly rent?", "--strategy", "single_pass", "--json")
    told = terminal.type(*asked, "--set", kept).lines
    assert told[-1]["options"] == ["k=1"]
    assert told[-1]["passages"] == 1
    notices = [line["text"] for line in told if line["event"] == "notice"]
    left_out = "These kept options are not possible, and left out: single_pass.gone=2."
    assert notices.count(left_out) == 1
    named = terminal.type(*asked, "--set", kept, "--option", "k=2").lines
    assert named[-1]["options"] == ["k=2"]
    assert "options" not in terminal.type(*asked).lines[-1]
    listed = terminal.type("strategies", "--json", "--set", kept).lines
    assert [line["kept"] for line in listed if "kept" in line] == [{"k": "1"}]


def test_models_tell_what_is_there(terminal: Terminal) -> None:
    lines = terminal.type("models", "--json").lines
    assert all({"kind", "name", "there"} <= set(line) for line in lines)
    there = {line["kind"]: line["there"] for line in lines if line["name"] != "any"}
    assert there["embedder"] is not None
    assert any(line["kind"] == "embedder" and line["there"] for line in lines)
    assert any(line["kind"] == "language" and not line["there"] for line in lines)


@pytest.mark.usefixtures("indexed")
def test_the_doctor_checks_everything(terminal: Terminal) -> None:
    checked = terminal.type("doctor", "--json", env={"HTTP_PROXY": "http://127.0.0.1:1"})
    assert checked.status == 0
    assert all(list(line) == ["name", "status", "detail", "remedy"] for line in checked.lines)
    states = {line["name"]: line["status"] for line in checked.lines}
    assert states.pop("Ollama") == "warning"
    assert set(states.values()) == {"ok"}, checked.lines
    assert {"catalog", "indexes of default", "data folder", "proxies"} <= set(states)
    told = {line["name"]: line["detail"] for line in checked.lines}
    assert "http" in told["proxies"]


def test_an_evaluation_prints_a_line_a_strategy(terminal: Terminal, tmp_path: Path) -> None:
    corpus = [
        {"id": "a", "title": "Zug", "text": "Zug is a town in Switzerland with a lake."},
        {"id": "b", "title": "Trout", "text": "A trout is a fish that lives in cold rivers."},
        {"id": "c", "title": "Lentil", "text": "The lentil is a legume that soups are made of."},
    ]
    asked = [{"id": "1", "question": "Which fish lives in rivers?", "answers": [], "gold": ["b"]}]
    (tmp_path / "corpus.jsonl").write_text(_rows(corpus), encoding="utf-8")
    (tmp_path / "questions.jsonl.gz").write_bytes(gzip.compress(_rows(asked).encode()))
    made = terminal.type(
        "eval", "retrieval", "--corpus", tmp_path / "corpus.jsonl",
        "--questions", tmp_path / "questions.jsonl.gz", "--strategy", "single_pass",
        "-k", "2,5,10", "--json",
    )  # fmt: skip
    assert made.status == 0, made.err
    line = next(line for line in made.lines if line["strategy"] == "single_pass")
    assert set(line) >= {
        "dataset", "strategy", "questions", "recall@2", "recall@5", "recall@10", "all@5",
        "mrr@10", "passages", "llm_calls", "ms_p50", "ms_p95", "interval",
    }  # fmt: skip
    assert line["recall@5"] == 100.0


def _rows(values: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(each) + "\n" for each in values)


def test_a_set_of_one_s_own_is_typed_measured_and_deleted(
    terminal: Terminal, tmp_path: Path
) -> None:
    asked = {"id": "1", "question": "How high is the rent?", "answers": ["1,450"], "gold": []}
    (tmp_path / "mine.jsonl").write_text(json.dumps(asked) + "\n", "utf-8")
    assert terminal.type("kb", "create", "asked").status == 0
    made = terminal.type("eval", "import", tmp_path / "mine.jsonl", "--kb", "asked", "--json")
    assert [line["name"] for line in made.lines] == ["mine"]
    shown = terminal.type("eval", "show", "mine")
    assert "How high is the rent?" in shown.out
    measured = terminal.type("eval", "answers", "--set", "mine", "--json")
    assert measured.status == 0
    assert [(line["dataset"], line["questions"]) for line in measured.lines] == [("mine", 1)]
    assert terminal.type("eval", "delete", "mine").status == 0
    gone = terminal.type("eval", "retrieval", "--set", "mine")
    assert (gone.status, gone.out) == (1, "")
    assert "no question set named “mine”" in gone.err
