from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.cli.arguments import read
from desktop_rag.core.requests import (
    AdaptRequest,
    AskRequest,
    ContinueRequest,
    DescribeRequest,
    EvalRequest,
    IndexRequest,
    KbRequest,
    NoteRequest,
    OpenRequest,
    SearchRequest,
)


def test_a_worker_is_given_one_folder_s_name_and_never_watches(
    capsys: pytest.CaptureFixture[str],
) -> None:
    request = read(["index", "/a", "--worker", "--folder", "docs", "--kb", "team"]).request
    assert request == IndexRequest("team", ("/a",), worker=True, folder="docs")
    for words in (
        ["/a", "--worker", "--watch"],
        ["/a", "--folder", "docs"],
        ["/a", "/b", "--worker", "--folder", "docs"],
    ):
        with pytest.raises(SystemExit):
            read(["index", *words])
        assert "--worker" in capsys.readouterr().err


def test_common_options_stand_before_and_after_the_command() -> None:
    typed = read(
        ["--kb", "a", "--set", "x=1", "search", "q", "--kb", "b", "--json", "--set", "y=2=3"]
    )
    assert isinstance(typed.request, SearchRequest)
    assert typed.request.kbs == ("a", "b")
    assert typed.overrides == {"x": "1", "y": "2=3"}
    assert typed.json
    assert not typed.verbose


def test_without_a_command_the_window_is_meant() -> None:
    assert read([]).request is None


def test_paths_alone_open_the_window_with_them(tmp_path: Path) -> None:
    words = ["--kb", "default", str(tmp_path)]
    assert read(words).request is None
    assert read(words).opening == OpenRequest((str(tmp_path),), "default")
    assert read(["open", "a.pdf", "b.pdf"]).opening == OpenRequest(("a.pdf", "b.pdf"))
    assert read(["open", "--kb", "work"]).opening == OpenRequest((), "work")
    shown = OpenRequest(("a.pdf",), purpose="read")
    assert read(["open", "--read", "a.pdf"]).opening == shown
    assert read(["open", "--ask", "a.pdf"]).opening == OpenRequest(("a.pdf",), purpose="ask")
    assert read(["--kb", "work"]).opening == OpenRequest((), "work")


def test_a_word_that_is_neither_command_nor_path_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        read([str(tmp_path / "missing")])


def test_the_last_data_folder_counts(tmp_path: Path) -> None:
    typed = read(["--data-dir", "/elsewhere", "doctor", "--data-dir", str(tmp_path)])
    assert typed.data_dir == tmp_path
    assert typed.request == DescribeRequest("doctor")


def test_the_data_folder_may_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    assert read(["doctor"]).data_dir == tmp_path / "home"


def test_paths_are_absolute_for_the_owner_stands_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    request = read(["index", "a/../b.txt", "--watch", "--retry", "--exclude", "*.bak"]).request
    assert request == IndexRequest(
        "default", (str(tmp_path.resolve() / "b.txt"),), ("*.bak",), watch=True, retry=True
    )


def test_every_word_of_a_question_is_read() -> None:
    request = read(
        ["ask", "why?", "--kb", "papers", "--strategy", "iter_retgen", "--preset", "fast",
         "--transform", "hyde", "--transform", "rewrite", "--model", "m", "-k", "3",
         "--where", "ext:pdf", "--chat", "7", "--option", "rounds=2"]
    ).request  # fmt: skip
    assert request == AskRequest(
        kbs=("papers",),
        question="why?",
        strategy="iter_retgen",
        preset="fast",
        transforms=("hyde", "rewrite"),
        model="m",
        k=3,
        where="ext:pdf",
        chat_id=7,
        options={"rounds": "2"},
        may_reuse=True,
    )


def test_a_conversation_can_be_begun() -> None:
    request = read(["ask", "why?", "--chat", "new"]).request
    assert isinstance(request, AskRequest)
    assert request.new_chat
    assert request.chat_id is None
    assert request.kbs == ("default",)


def test_a_conversation_goes_on_in_its_own_knowledge_bases() -> None:
    request = read(["ask", "why?", "--chat", "7"]).request
    assert isinstance(request, AskRequest)
    assert request.kbs == ()


def test_an_evaluation_is_read() -> None:
    request = read(
        ["eval", "retrieval", "--corpus", "/c", "--questions", "/q", "--strategy", "a,b",
         "-k", "2,5", "--limit", "9"]
    ).request  # fmt: skip
    assert request == EvalRequest("retrieval", "/c", "/q", ("a", "b"), (2, 5), 9)


def test_the_built_in_questions_need_no_files() -> None:
    usual = EvalRequest("answers", strategies=(), builtin=True)
    assert read(["eval", "answers", "--real"]).request == usual
    words = ["--strategy", "quotes,ircot", "--limit", "20", "--model", "m", "--fresh", "--so-far"]
    assert read(["eval", "answers", "--real", *words]).request == replace(
        usual, strategies=("quotes", "ircot"), limit=20, model="m", fresh=True, so_far=True
    )
    table = read(["eval", "answers", "--real", "--out", "table.md"]).request
    assert isinstance(table, EvalRequest)
    assert Path(table.out).is_absolute()


@pytest.mark.parametrize(
    "words",
    [
        ["--real", "--set", "mine"],
        ["--real", "--corpus", "/c", "--questions", "/q"],
        ["--real", "--judge"],
        ["--set", "mine", "--fresh"],
        ["--set", "mine", "--so-far"],
        ["--set", "mine", "--out", "/t.md"],
    ],
)
def test_the_built_in_questions_and_others_do_not_mix(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        read(["eval", "answers", *words])
    assert ended.value.code == 2


def test_answers_to_a_set_are_measured_in_a_single_pass_where_no_way_is_named() -> None:
    request = read(["eval", "answers", "--set", "mine"]).request
    assert request == EvalRequest("answers", saved="mine")


def test_what_measures_the_model_takes_no_way_to_search() -> None:
    assert read(["eval", "rgb", "--set", "mine"]).request == EvalRequest("rgb", saved="mine")
    for more in (["--strategy", "flare"], ["-k", "5"]):
        with pytest.raises(SystemExit):
            read(["eval", "rgb", "--set", "mine", *more])


def test_tasks_of_ones_own_documents_are_read() -> None:
    usual = EvalRequest("crud", strategies=(), kbs=("default",))
    assert read(["eval", "crud"]).request == usual
    words = ["--kb", "a", "--kb", "b", "--strategy", "quotes", "--count", "3", "--seed", "9"]
    assert read(["eval", "crud", *words, "--fresh", "--model", "m"]).request == replace(
        usual, kbs=("a", "b"), strategies=("quotes",), limit=3, seed=9, fresh=True, model="m"
    )
    with pytest.raises(SystemExit):
        read(["eval", "crud", "--count", "0"])


def test_all_that_a_base_follows_is_brought_up_to_date() -> None:
    assert read(["kb", "update", "notes", "--retry"]).request == IndexRequest("notes", retry=True)
    assert read(["kb", "update"]).request == IndexRequest("default")


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        (["kb", "list"], KbRequest("list")),
        (["kb", "create", "notes"], KbRequest("create", "notes")),
        (["kb", "delete", "--kb", "notes"], KbRequest("delete", "notes", quotes="lose")),
        (["kb", "delete", "notes", "--quotes", "keep"], KbRequest("delete", "notes")),
        (["kb", "rebuild"], KbRequest("rebuild", "default")),
        (["kb", "export", "notes", "/f.zip"], KbRequest("export", "notes", "/f.zip")),
        (["kb", "recognize", "notes", "off"], KbRequest("recognize", "notes", switch="off")),
        (["kb", "archives", "notes", "on"], KbRequest("archives", "notes", switch="on")),
        (["kb", "serve", "notes", "off"], KbRequest("serve", "notes", switch="off")),
        (["kb", "recognize", "on", "--kb", "x"], KbRequest("recognize", "x", switch="on")),
        (["kb", "health"], KbRequest("health")),
        (["kb", "health", "notes"], KbRequest("health", "notes")),
        (["kb", "import", "/f.zip"], KbRequest("import", "", "/f.zip")),
    ],
)
def test_knowledge_bases_are_named_after_the_action_or_by_the_option(
    words: list[str], request_: KbRequest
) -> None:
    assert read(words).request == request_


@pytest.mark.parametrize(
    "words",
    [
        ["fly"],
        ["search"],
        ["search", "q", "-k", "0"],
        ["search", "q", "-k", "many"],
        ["search", "q", "--unknown"],
        ["search", "q", "--set", "novalue"],
        ["index"],
        ["index", ""],
        ["index", "/a", "--kb", "a", "--kb", "b"],
        ["kb"],
        ["kb", "create"],
        ["kb", "recognize", "notes", "perhaps"],
        ["kb", "archives", "notes", "default"],
        ["kb", "serve", "notes"],
        ["mcp", "notes"],
        ["eval", "retrieval"],
        ["ask", "q", "--chat", "old"],
    ],
)
def test_wrong_usage_is_status_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        read(words)
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_bytes_that_are_no_text_in_a_question_become_a_mark() -> None:
    request = read(["search", "caf\udce9"]).request
    assert isinstance(request, SearchRequest)
    assert request.query == "caf�"


def test_a_knowledge_base_without_a_name_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        read(["search", "harbour", "--kb", " "])
    assert end.value.code == 2
    assert "argument --kb: the name is empty" in capsys.readouterr().err


def test_an_answer_is_continued_in_its_conversation_and_without_a_question(
    capsys: pytest.CaptureFixture[str],
) -> None:
    typed = read(["ask", "--chat", "3", "--continue", "--model", "qwen3:4b"])
    assert typed.request == ContinueRequest(3, model="qwen3:4b")
    for words in (["--continue"], ["--chat", "new", "--continue"], ["Why?", "--chat", "3"]):
        with pytest.raises(SystemExit):
            read(["ask", *words, *(["--continue"] if "--continue" not in words else [])])
        assert "--continue writes on the last answer" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        read(["ask", "--chat", "3"])
    assert "The question is empty." in capsys.readouterr().err


def test_a_question_chooses_its_knowledge_base_where_that_is_wished() -> None:
    for words in (["--choose-kb"], ["--kb", "auto"]):
        for command in ("ask", "search"):
            request = read([command, *words, "Who pays?"]).request
            assert isinstance(request, (AskRequest, SearchRequest))
            assert request.chooses_kb
            assert request.kbs == (("auto",) if "--kb" in words else ())
    some = read(["ask", "--choose-kb", "--kb", "a", "--kb", "b", "Who pays?"]).request
    assert isinstance(some, AskRequest)
    assert some.kbs == ("a", "b")
    plain = read(["ask", "--kb", "auto", "--kb", "b", "Who pays?"]).request
    assert isinstance(plain, AskRequest)
    assert not plain.chooses_kb


def test_a_conversation_that_goes_on_does_not_choose(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        read(["ask", "--choose-kb", "--chat", "3", "Who pays?"])
    assert "goes on in its own knowledge bases" in capsys.readouterr().err


def test_a_retriever_is_adapted_by_proposed_questions_or_those_of_a_path(tmp_path: Path) -> None:
    assert read(["adapt", "--kb", "a"]).request == AdaptRequest("a")
    told = read(["adapt", "--questions", str(tmp_path), "--count", "90", "--model", "m"]).request
    assert told == AdaptRequest("default", "adapt", str(tmp_path.resolve()), 90, "m")
    assert read(["adapt", "--list"]).request == AdaptRequest("default", "list")
    assert read(["adapt", "--remove"]).request == AdaptRequest("default", "remove")
    with pytest.raises(SystemExit):
        read(["adapt", "--list", "--remove"])


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        ([], NoteRequest("list")),
        (["list"], NoteRequest("list")),
        (["remove", "3"], NoteRequest("remove", 3)),
        (["add", "mine"], NoteRequest("add", text="mine", kbs=("default",))),
        (
            ["add", "--chat", "2", "--answer", "7", "--kb", "b"],
            NoteRequest("add", chat_id=2, answer_id=7, kbs=("b",)),
        ),
        (
            ["add", "said", "--file", "/d/a.md"],
            NoteRequest("add", text="said", path="/d/a.md", kbs=("default",)),
        ),
    ],
)
def test_notes_are_listed_saved_and_deleted(words: list[str], request_: NoteRequest) -> None:
    assert read(["notes", *words]).request == request_


@pytest.mark.parametrize(
    "words",
    [["add"], ["add", "x", "--answer", "3"], ["add", "--chat", "1", "--file", "/a"], ["remove"]],
)
def test_a_note_of_nothing_is_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        read(["notes", *words])
