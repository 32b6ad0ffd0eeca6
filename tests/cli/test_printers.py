from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.cli import list_printer
from desktop_rag.cli.arguments import CommandLine, read
from desktop_rag.cli.console import Console
from desktop_rag.cli.printers import printer_of
from desktop_rag.cli.text_format import place_in
from desktop_rag.core import answers_table


def printed(words: list[str], lines: list[dict[str, Any]]) -> None:
    command: CommandLine = read(["--data-dir", str(Path("/nowhere")), *words])
    printer = printer_of(command, Console())
    for line in lines:
        printer.show(line)
    printer.end()


SETUP = {
    "model": "m:3b", "digest": "abc", "parameters": "3B", "quantization": "Q4", "server": "0.30",
    "program": "1.0", "set": "s", "day": "2026-01-02", "num_ctx": 8192, "temperature": 0.0,
    "answer_tokens": 1024, "think": False, "embedder": "builtin", "reranker": "auto",
    "system": "Linux", "cores": 4, "memory_gb": 16,
}  # fmt: skip
FIGURES = dict.fromkeys((*answers_table.SUMMARY, *answers_table.PARTS, *answers_table.COST), 1.25)
PROGRESS = {"event": "progress", "done": 1, "total": 2, "current": "/a", "stage": "parse",
            "chunks": 3, "chunks_per_second": 9.0, "eta": 1.0}  # fmt: skip
FILE = {"event": "file", "path": "/a.pdf", "status": "encrypted", "reason": "It has a password.",
        "chunks": 0, "pages": None, "seconds": 0.1}  # fmt: skip
DONE = {"event": "done", "files": {"ready": 3, "encrypted": 1}, "chunks": 1234, "seconds": 75.0}
PASSAGE: dict[str, Any] = {
           "rank": 1, "chunk_id": "7", "path": "/a.pdf", "title": "A", "section": "2 Rent",
           "locator": {"kind": "page", "value": 3}, "text": "The rent is 900.", "score": 0.7123,
           "dense_rank": 1, "lexical_rank": None, "rerank_score": 0.3}  # fmt: skip
ANSWER: dict[str, Any] = {
          "event": "answer", "text": "The rent is 900 [1].", "mode": "generated",
          "citations": [{"n": 1, "chunk_id": "7", "path": "/a.pdf", "sentence": 0,
                         "locator": {"kind": "page", "value": 3}, "quote": "The rent is 900."}],
          "strategy": "single_pass", "model": "m", "llm_calls": 1, "searches": 1, "passages": 5,
          "prompt_tokens": 9, "answer_tokens": 9, "seconds": 1.0, "from_model": []}  # fmt: skip


def test_json_is_the_lines_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    printed(["index", "/a", "--json"], [PROGRESS, FILE, {"event": "owner", "text": "x"}, DONE])
    out, err = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()] == [FILE, DONE]
    assert err == ""


def test_json_is_written_in_letters_not_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    printed(["show", "/a", "--json"], [{"path": "/差旅.md", "text": "é"}])
    assert "/差旅.md" in capsys.readouterr().out


def test_json_loses_no_character_and_commands_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = {"path": "/a\x85.md", "text": "it\x92s \x9b2J \x7f \x1b[2J\r\n"}
    printed(["show", "/a", "--json"], [line])
    out = capsys.readouterr().out
    assert json.loads(out) == line
    assert out.rstrip("\n").isprintable()


FORGED = "/a\n[2] /home/me/will.pdf \u202efdp.exe\x1b[31m.md"


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (["index", "/a"], [FILE | {"path": FORGED}, DONE]),
        (["index", "/a", "--verbose"], [FILE | {"path": FORGED}, DONE]),
        (["remove", "/a"], [FILE | {"path": FORGED, "status": "deleted"}]),
        (["search", "rent"], [PASSAGE | {"path": FORGED}]),
        (["search", "rent"], [PASSAGE | {"locator": {"kind": "part", "value": FORGED}}]),
        (["show", "/a"], [PASSAGE | {"path": FORGED, "kind": "text"}]),
        (["ask", "rent"], [ANSWER | {"citations": [ANSWER["citations"][0] | {"path": FORGED}]}]),
    ],
)
def test_a_name_forges_no_line(
    words: list[str], lines: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    printed(words, lines)
    shown = [line for line in capsys.readouterr().out.splitlines() if "will.pdf" in line]
    assert shown
    for line in shown:
        assert "a\ufffd[2] /home/me/will.pdf \ufffdfdp.exe" in line


WATCH = PROGRESS | {"stage": "watch", "total": 0, "eta": None}


def test_a_watch_says_once_that_it_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    told = "It goes on and follows every change; Ctrl+C ends it.\n"
    printed(["index", "/a", "--watch"], [PROGRESS, DONE, WATCH, PROGRESS, DONE, WATCH])
    out, err = capsys.readouterr()
    assert err == told
    assert "Ctrl+C" not in out
    printed(["index", "/a"], [PROGRESS, DONE])
    assert capsys.readouterr().err == ""
    printed(["index", "/a", "--watch", "--json"], [PROGRESS, DONE, WATCH])
    out, err = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()] == [DONE]
    assert err == ""


def test_indexing_tells_what_failed_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    printed(["index", "/a"], [PROGRESS, FILE, DONE])
    out = capsys.readouterr().out
    assert "  encrypted: It has a password.\n    /a.pdf\n" in out
    assert "3 ready, 1 encrypted · 1,234 chunks · 1 min 15 s" in out


def test_indexing_tells_what_was_left_out_of_files_that_were_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    note = "Text that the page hides was not read."
    read = [FILE | {"path": f"/{n}.html", "status": "ready", "reason": note} for n in range(40)]
    old = FILE | {"path": "/old.html", "status": "unchanged", "reason": note}
    moved = FILE | {"path": "/new.md", "status": "moved", "reason": "It was /b.md before."}
    printed(["index", "/a"], [*read, old, moved, FILE, DONE])
    out = capsys.readouterr().out
    assert out.startswith(f"Read, with notes:\n  {note}\n    /0.html\n")
    assert "and 28 more" in out
    assert "\nNot in the knowledge base:\n  encrypted: It has a password.\n    /a.pdf\n" in out
    assert "old.html" not in out
    assert "new.md" not in out


def test_a_note_of_what_is_shown_leaves_its_json_as_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [{"event": "notice", "text": "/a.pdf: x"}, PASSAGE | {"kind": "text"}]
    printed(["show", "/a", "--json"], rows)
    out, err = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()] == rows[1:]
    assert err == "/a.pdf: x\n"


def test_a_reason_that_many_files_share_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    many = [FILE | {"path": f"/{number}.pdf"} for number in range(40)]
    printed(["index", "/a"], [*many, DONE])
    out = capsys.readouterr().out
    assert out.count("It has a password.") == 1
    assert "and 28 more" in out


def test_a_watch_tells_of_each_file_as_it_comes(capsys: pytest.CaptureFixture[str]) -> None:
    fine = FILE | {"status": "ready", "reason": "", "chunks": 2}
    printed(["index", "/a", "--watch"], [fine, FILE | {"status": "unchanged"}])
    assert capsys.readouterr().out == "ready       /a.pdf  (2 chunks)\n"


def test_a_passage_is_shown_with_its_place_score_and_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed(["search", "rent"], [PASSAGE])
    out = capsys.readouterr().out
    assert " 1. /a.pdf" in out
    assert "page 3 · 2 Rent · 0.712" in out
    assert "The rent is 900." in out


def test_finding_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    printed(["search", "rent"], [])
    assert capsys.readouterr().out == "Nothing found.\n"


def test_an_answer_is_printed_once_with_its_sources(capsys: pytest.CaptureFixture[str]) -> None:
    tokens = [{"event": "token", "text": text} for text in ("The rent ", "is 900 [1].")]
    printed(["ask", "what is the rent?"], [*tokens, ANSWER])
    out = capsys.readouterr().out
    assert out.count("The rent is 900 [1].") == 1
    assert "[1] /a.pdf · page 3" in out
    assert "“The rent is 900.”" in out


def test_on_a_terminal_the_answer_streams_and_is_not_said_twice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    tokens = [{"event": "token", "text": text} for text in ("The rent ", "is 900 [1].")]
    printed(["ask", "what is the rent?"], [*tokens, ANSWER])
    assert capsys.readouterr().out.count("The rent is 900 [1].") == 1


def test_a_streamed_answer_that_was_corrected_is_shown_as_it_is_now(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    printed(["ask", "rent?"], [{"event": "token", "text": "The rent is 900 [9]."}, ANSWER])
    out = capsys.readouterr().out
    assert out.index("[9]") < out.index("The rent is 900 [1].")


def test_a_search_between_the_parts_of_an_answer_does_not_wipe_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    before, between = ({"event": "search", "query": text, "why": ""} for text in ("one", "two"))
    parts = [{"event": "token", "text": text} for text in ("The rent ", "is 900 [1].")]
    printed(["ask", "rent?"], [before, parts[0], between, parts[1], ANSWER])
    out, err = capsys.readouterr()
    assert "The rent is 900 [1].\n" in out
    assert err == "\rSearching: one\r              \r"


def test_an_extract_is_told_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    printed(["ask", "rent?"], [ANSWER | {"mode": "extracted", "model": None}])
    assert "no language model" in capsys.readouterr().err


def test_what_is_made_of_whole_documents_is_told_as_what_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for action, told in (("summarise", "A summary of"), ("each", "Rows"), ("compare", "side by")):
        line = {"mode": "extracted", "model": None, "strategy": action}
        printed(["each", "rent?", "a.pdf"], [ANSWER | line])
        said = capsys.readouterr().err
        assert told in said
        assert "Quotes" not in said


def test_small_talk_names_the_first_knowledge_base_as_it_is_typed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    talk = {"event": "step", "name": "small talk", "text": "Nothing is searched."}
    printed(["ask", "Hello"], [talk, ANSWER])
    assert "(“My documents” is its name in the window; to type: --kb default)" in (
        capsys.readouterr().err
    )
    printed(["ask", "Hello", "--kb", "work"], [talk, ANSWER])
    printed(["ask", "rent?"], [ANSWER])
    assert "My documents" not in capsys.readouterr().err


def test_sentences_without_a_source_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    printed(["ask", "rent?"], [ANSWER | {"from_model": [0, 2]}])
    assert "sentences 1, 3" in capsys.readouterr().err


def test_what_an_answer_took_is_told_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    steps: list[dict[str, Any]] = [
        {"event": "search", "query": "rent", "why": "question"},
        {"event": "passages", "query": "rent", "passages": [PASSAGE | {"kept": True}]},
        {"event": "step", "name": "thought", "text": "look for rent"},
        {"event": "draft", "text": "900?", "kept": False},
        {"event": "call", "model": "m", "purpose": "answer", "prompt_tokens": None,
         "answer_tokens": 3, "dropped": ["a passage"], "seconds": 0.5},
        {"event": "chain", "chunk_id": "7", "title": "A", "score": 0.6, "follows": [
            {"chunk_id": "8", "title": "B", "by": "words", "name": "", "score": 0.82}]},
        {"event": "notice", "text": "Be warned."},
    ]  # fmt: skip
    printed(["ask", "rent?", "--verbose"], [*steps, ANSWER])
    err = capsys.readouterr().err
    for told in (
        "question",
        "kept 1",
        "look for rent",
        "900?",
        "? → 3",
        "a passage",
        "Be warned.",
        "Chain: A → B (82%)",
    ):
        assert told in err
    assert "single_pass · m · 1 search · 1 call" in err


def test_chunks_stand_under_their_document(capsys: pytest.CaptureFixture[str]) -> None:
    chunk = {"path": "/a.md", "chunk_id": "1", "locator": {"kind": "line", "value": 1},
             "kind": "text", "text": "one"}  # fmt: skip
    printed(["show", "/a.md"], [chunk, chunk | {"text": "two"}])
    out = capsys.readouterr().out
    assert out.count("/a.md") == 1
    assert "line 1 · text\none" in out


def test_a_wrong_check_is_shown_with_its_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    check = {"name": "catalog", "status": "error", "detail": "damaged", "remedy": "Mend it."}
    printed(["doctor"], [check])
    assert capsys.readouterr().out == "✗ catalog: damaged\n    Mend it.\n"


def test_no_knowledge_base_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    printed(["kb", "list"], [])
    assert capsys.readouterr().out == "There is no knowledge base yet.\n"


def test_a_kept_conversation_is_named_so_that_one_can_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed(["ask", "x", "--chat", "new"], [ANSWER | {"chat_id": 12}])
    assert "--chat 12" in capsys.readouterr().err
    printed(["ask", "x"], [ANSWER | {"chat_id": None}])
    assert "--chat" not in capsys.readouterr().err


def test_an_option_is_listed_as_it_can_be_typed(capsys: pytest.CaptureFixture[str]) -> None:
    option = {"name": "passages", "default": 1, "effect": "How many."}
    line = {"title": "T", "paper": "", "needs": [], "options": [option]}
    kinds = (("strategy", "dsp"), ("transform", "hyde"), ("preset", "fast"))
    printed(["strategies"], [line | {"kind": kind, "name": name} for kind, name in kinds])
    listed = [each.strip() for each in capsys.readouterr().out.splitlines() if "How many" in each]
    ways = ("--option passages=1", "--option hyde.passages=1", "passages=1")
    assert listed == [f"{way}  How many." for way in ways]


def test_what_is_kept_of_a_way_is_listed_below_its_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = {"kind": "strategy", "name": "dsp", "title": "T", "paper": "", "needs": []}
    kept = {"transforms": "hyde", "hops": "3"}
    printed(["strategies"], [line | {"options": [], "kept": kept}])
    assert capsys.readouterr().out.splitlines()[1:] == [
        "    kept: transforms=hyde",
        "    kept: hops=3",
    ]


def test_an_answer_says_what_options_its_way_had(capsys: pytest.CaptureFixture[str]) -> None:
    printed(["ask", "x", "--verbose"], [ANSWER | {"options": ["k=3"], "transforms": ["hyde"]}])
    assert "single_pass hyde k=3 · m · " in capsys.readouterr().err


def test_a_source_says_what_its_passage_is_about(capsys: pytest.CaptureFixture[str]) -> None:
    """Not a title that is the file's name again."""
    for passage, shown in [
        (PASSAGE, "[1] /a.pdf · page 3 · 2 Rent\n"),
        (PASSAGE | {"section": "", "title": "Lease"}, "[1] /a.pdf · page 3 · Lease\n"),
        (PASSAGE | {"section": "", "title": "a"}, "[1] /a.pdf · page 3\n"),
    ]:
        found = {"event": "passages", "query": "rent?", "passages": [passage]}
        printed(["ask", "rent?"], [found, ANSWER])
        assert shown in capsys.readouterr().out


def test_a_section_that_is_the_place_is_named_once() -> None:
    here = {"kind": "section", "value": "2 Rent"}
    assert place_in(here, "Lease > 2 Rent") == "section Lease > 2 Rent"
    assert place_in(here, "") == "section 2 Rent"
    assert place_in({"kind": "part", "value": "body"}, "Lease") == "part body · Lease"


@pytest.mark.parametrize(
    ("figures", "told"),
    [
        ({"lost": 0, "exact": True}, "1,724 kept; none lost"),
        ({"lost": 117, "exact": True}, "1,724 kept; 117 lost"),
        ({"lost": 0, "exact": False}, "1,724 kept; perhaps some lost"),
        ({"lost": 117, "exact": False}, "1,724 kept; at least 117 lost"),
        ({"lost": 117, "exact": False, "made_again": 304}, "1,724 kept; 304 are made again"),
        ({"lost": 117, "exact": False, "made_again": 0}, "1,724 kept; none missing"),
    ],
)
def test_a_recovery_says_what_is_known_to_be_lost(figures: dict[str, Any], told: str) -> None:
    row = {"kind": "vectors", "kept": 1724, "from_copy": 0} | figures
    assert list_printer.recover_row(Console(), row).endswith(told)


@pytest.mark.parametrize(
    ("renamed", "told"), [(0, "recovered."), (1, "a new name."), (3, "names.")]
)
def test_a_recovery_says_what_has_new_names(renamed: int, told: str) -> None:
    end = {"recovered": True, "empty": False, "renamed": renamed}
    assert list_printer.recover_row(Console(), end).endswith(told)


def test_answers_to_the_built_in_questions_end_in_a_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    row = FIGURES | {"setup": SETUP, "interval": [1.0, 9.0], "refused_right": None, "failed": 2}
    asked = PROGRESS | {"stage": "ask", "current": "ircot", "eta": 7200.0}
    lines = [asked, row | {"strategy": "ircot", "questions": 20, "instead": 0},
             row | {"strategy": "self_rag", "questions": 9, "instead": 5}]  # fmt: skip
    printed(["eval", "answers", "--real"], lines)
    told = capsys.readouterr()
    assert "`m:3b` (3B, Q4; digest `abc`), Ollama 0.30" in told.out
    assert "| ircot | 20 | 1.2 | 1.2 | 1.2 | 1.0–9.0 | 1.2 | 1.2 | – | 1.2 | 2 |" in told.out
    assert "self_rag: a single pass stood in for it in 5 answers" in told.out
    assert "some are not finished" in told.out
    assert "ircot: F1 1.25" in told.err
    assert told.err.count("kept at once") == 1
    printed(["eval", "answers", "--real", "--so-far"], [])
    assert capsys.readouterr().out == "Nothing is answered yet.\n"


def test_the_four_tasks_end_in_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    shares = ("bleu", "rouge_l", "f1", "citation_precision", "citation_recall", "refused")
    row: dict[str, Any] = dict.fromkeys(shares, 12.5)
    row |= {"interval": [1.0, 9.0], "corrected": None, "failed": 0}
    row |= {"strategy": "quotes", "task": "create", "questions": 3, "model": None, "seed": 4}
    row |= {"documents": 1204, "llm_calls": 0.0, "seconds_p50": 0.5}
    printed(["eval", "crud"], [PROGRESS | {"stage": "ask", "current": "quotes"}, row])
    told = capsys.readouterr()
    assert "made of 1,204 documents** (seed 4; model: none)" in told.out
    assert "| create | quotes, without a model | 3 | 12.5 | 12.5 | 1.0–9.0 | 12.5 | – |" in told.out
    assert "quotes create: F1 12.5" in told.err
    printed(["eval", "crud", "--so-far"], [])
    assert capsys.readouterr().out == "Nothing is answered yet.\n"


def signs(kb: str, meaning: float | None, words: float, *named: list[str]) -> dict[str, Any]:
    return {"kb": kb, "score": 1.0, "meaning": meaning, "words": words, "named": list(named)}


def test_it_is_told_which_knowledge_base_was_chosen_and_why(
    capsys: pytest.CaptureFixture[str],
) -> None:
    chosen = {
        "event": "chosen_kbs",
        "kbs": ["Contracts"],
        "ranking": [
            signs("Contracts", 0.81, 0.75, ["person", "meier"]), signs("Mail", 0.7, 0.2),
        ],
        "left_out": [["Diary", "nothing read"], ["Team", "no consent"]],
    }  # fmt: skip
    told = (
        "Chosen by the question: “Contracts” (nearest in meaning; 75% of the question's words in "
        "one passage; a person: meier). Next would be “Mail”. Left out: “Diary” (nothing is read "
        "there), “Team” (its passages may not go to the language model)."
    )
    printed(["search", "q", "--kb", "auto"], [chosen, PASSAGE])
    search = capsys.readouterr()
    printed(["ask", "q", "--kb", "auto"], [chosen, ANSWER])
    ask = capsys.readouterr()
    for said in (search, ask):
        assert told in " ".join(said.err.split())
        assert "Chosen" not in said.out
    printed(["search", "q", "--kb", "auto", "--json"], [chosen, PASSAGE])
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first["kbs"] == ["Contracts"]


def test_where_the_answer_may_be_stands_behind_it(capsys: pytest.CaptureFixture[str]) -> None:
    refused = ANSWER | {"mode": "refused", "text": "Not found.", "citations": []}
    printed(["ask", "q"], [{"event": "other_kb", "kb": "Contracts", "evidence": 0.9}, refused])
    said = capsys.readouterr()
    assert "Not found." in said.out
    assert "“Contracts” may know: ask there with --kb." in said.err


def test_an_adaptation_is_printed_with_what_was_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    measured = {
        "kb": "papers", "state": "not_kept", "effect": "…", "held_out": 120, "recall_before": 19.2,
        "recall_after": 21.7, "gain": [-1.2, 6.3], "vector_before": 14.7, "vector_after": 21.8,
        "trained": 160, "documents_then": 9, "documents": 11,
    }  # fmt: skip
    printed(["adapt"], [measured])
    told = capsys.readouterr().out
    assert "papers  not kept: no gain that could be told from chance" in told
    assert "recall@5 of 120 held-out questions 19.2 → 21.7" in told
    assert "interval of the gain -1.2 … +6.3" in told
    assert "the vector alone: 14.7 → 21.8" in told
    assert "trained on 160 questions on 9 documents; there are 11 now" in told
    printed(["adapt", "--list"], [{"kb": "papers", "state": "none", "effect": "It moves."}])
    assert "papers  not adapted\n    It moves." in capsys.readouterr().out
