from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from desktop_rag.core.evaluation_records import SavedQuestion
from desktop_rag.core.types import DocumentId, Locator, LocatorKind
from desktop_rag.gui.lab.proposals_dialog import ProposalsDialog
from desktop_rag.gui.lab.question_dialog import QuestionDialog
from desktop_rag.gui.lab.question_form import PassageChoice, QuestionForm
from testing.narrowing import present
from testing.window_driver import Driver, wait_for


def proposed(driver: Driver, *questions: str) -> ProposalsDialog:
    dialog = ProposalsDialog(driver.context, "mine", driver.window)
    place = Locator(LocatorKind.PART, "")
    for each in questions:
        piece = PassageChoice("/ferry.md", "Ferry", "It is white.", place, DocumentId(1), (0, 12))
        dialog._add(
            QuestionForm("mine", SavedQuestion(0, each, ("white",), (), ("default",)), (piece,))
        )
    dialog.open()
    return dialog


def changed(dialog: ProposalsDialog, row: int) -> QuestionDialog:
    dialog.list.itemDoubleClicked.emit(dialog.list.item(row))
    (opened,) = present(dialog.window().parent()).findChildren(QuestionDialog)
    return opened


def asked(dialog: ProposalsDialog) -> list[str]:
    shown = [dialog.list.item(n).text().partition("\n")[0] for n in range(dialog.list.count())]
    assert shown == [form.question.question for form in dialog._forms]
    return shown


def test_a_proposal_leaves_the_list_when_its_change_is_saved_and_not_before(driver: Driver) -> None:
    dialog = proposed(driver, "What colour?", "Which ferry?", "When?")
    changed(dialog, 1).reject()
    assert asked(dialog) == ["What colour?", "Which ferry?", "When?"]
    wait_for(lambda: not dialog.findChildren(QuestionDialog))
    opened = changed(dialog, 1)
    save = opened.buttons.button(QDialogButtonBox.StandardButton.Save)
    QTest.mouseClick(save, Qt.MouseButton.LeftButton)
    assert asked(dialog) == ["What colour?", "When?"]
    button = dialog.buttons.button(QDialogButtonBox.StandardButton.Save)
    assert button.text() == "Save ticked (2)"
    wait_for(lambda: any(each.questions for each in driver.context.measuring.known.own))
    dialog.reject()
