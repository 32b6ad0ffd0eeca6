"""What is said around an answer: what it is, what it took, and what was set for its way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.core.events import DocumentsTask, Notice, NoticeCode, SearchStarted
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.settings_file import SettingDeclaration
from desktop_rag.gui.chat import transcript_text
from desktop_rag.gui.controllers.strategy_choices import TransformForm, WayForm
from desktop_rag.gui.controllers.transcript import Answered, Turn

ANSWERED = Answered("extracted", None, 0.5, 0, 0, 0)
TURN = Turn("How many?", "iter_retgen", "Forty [1].", ANSWERED, (SearchStarted("How many?", ""),))
ROUNDS = SettingDeclaration("rounds", int, default=2, title="Rounds", effect="")
WHOLE = SettingDeclaration("whole", bool, default=False, title="Whole pages", effect="")
PASSAGES = SettingDeclaration("hyde.passages", int, default=1, title="Passages", effect="")
FORM = WayForm(
    "iter_retgen",
    "ITER-RETGEN",
    (ROUNDS, WHOLE),
    (TransformForm("hyde", "Hypothetical answer (HyDE)", (PASSAGES,)),),
)


def test_an_answer_that_is_given_again_says_since_when_it_is_kept_and_counts_no_search() -> None:
    assert transcript_text.figures(TURN) == "1 search · 0.5 s"
    told = "Answered before, on {0}; the documents have not changed since."
    notice = Notice(Phrase(told, "2026-11-28 09:30", code=NoticeCode.ANSWERED_BEFORE))
    again = replace(TURN, notices=(notice.text,), trace=(*TURN.trace, notice))
    assert transcript_text.figures(again) == "kept from 2026-11-28 09:30, nothing was searched now"


def test_what_was_set_for_a_way_is_told_by_its_titles() -> None:
    turn = replace(
        TURN,
        transforms=("hyde",),
        options=("rounds=3", "whole=true", "hyde.passages=2", "gone=7"),
    )
    said = transcript_text.made_by(turn, (FORM,))
    for each in ("Hypothetical answer (HyDE)", "Rounds: 3", "Whole pages: yes", "Passages: 2"):
        assert each in said
    assert "gone=7" in said, "of another version: as it was typed"
    assert "rounds=3" in transcript_text.made_by(turn), "before the options are known"


@pytest.mark.parametrize(
    ("action", "said"), [("summarise", "Summary"), ("compare", "side by side"), ("each", "Rows")]
)
def test_what_is_made_of_whole_documents_is_no_mere_quotes(action: str, said: str) -> None:
    turn = replace(TURN, task=DocumentsTask(action, ("/a.pdf",)))
    told, _ = transcript_text.badge(turn)
    assert said in told
    assert transcript_text.badge(TURN)[0] == "Quotes from your documents, no language model"
