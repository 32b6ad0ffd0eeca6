"""The password of files that have one, and where it is kept."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import parts_of
from desktop_rag.core.secret import Secret
from desktop_rag.gui.controllers.passwords import EnteredPassword, PasswordController
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.file_menu import FileTarget
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.dialog_size import fit_height
from desktop_rag.gui.widgets.paragraph import paragraph

_WIDTH = 420


class PasswordDialog(QDialog):
    """Asks for one password for all the files; they are read again at once. Show it with `open()`.

    The tick can be set as soon as it is known that there is a key ring.
    """

    def __init__(
        self,
        passwords: PasswordController,
        targets: tuple[FileTarget, ...],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Enter password"))
        self._passwords = passwords
        self._targets = targets
        self.password = QLineEdit()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.password.setAccessibleName(self.tr("Password"))
        self.is_shown = QCheckBox(self.tr("Show the password"))
        self.keep = QCheckBox(self.tr("Keep it in the system's key ring"))
        self.keep.setEnabled(False)
        self.place = paragraph(self._until_the_end(), "small")
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = self._buttons.addButton(
            self.tr("Read the file") if len(targets) == 1 else self.tr("Read the files"),
            QDialogButtonBox.ButtonRole.AcceptRole,
        )
        self.go.setObjectName("primary")
        self.go.setDefault(True)
        self.go.setEnabled(False)
        self._lay_out()
        self._connect()
        passwords.look_for_key_ring()

    def _connect(self) -> None:
        self.password.textChanged.connect(self._refresh)
        self.is_shown.toggled.connect(self._show)
        self.keep.toggled.connect(self._tell_place)
        self._buttons.accepted.connect(self._agree)
        self._buttons.rejected.connect(self.reject)
        self._passwords.key_ring_found.connect(self._offer)
        self._passwords.key_ring_away.connect(self._refuse)

    @Slot()
    def _offer(self) -> None:
        self.keep.setEnabled(True)

    @Slot(object)
    def _refuse(self, error: UserError) -> None:
        self.place.setText(translate_message(error.sentence))
        fit_height(self, _WIDTH)

    @Slot()
    def _tell_place(self) -> None:
        kept = self.tr("It is kept until you choose “Forget password” or remove the file.")
        self.place.setText(kept if self.keep.isChecked() else self._until_the_end())
        fit_height(self, _WIDTH)

    def _until_the_end(self) -> str:
        return self.tr("The password is kept until Desktop RAG ends.")

    @Slot()
    def _refresh(self) -> None:
        self.go.setEnabled(bool(self.password.text()))

    @Slot(bool)
    def _show(self, shown: bool) -> None:  # noqa: FBT001 - a signal's value
        mode = QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password
        self.password.setEchoMode(mode)

    @Slot()
    def _agree(self) -> None:
        password = Secret(self.password.text())
        if not password:
            return
        self.accept()
        paths = tuple(target.path for target in self._targets)
        self._passwords.enter(EnteredPassword(paths, password, self.keep.isChecked()))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        column.addWidget(paragraph(self._heading(), "heading"))
        if told := self._told():
            column.addWidget(paragraph(told, "muted"))
        column.addWidget(self.password)
        column.addWidget(self.is_shown)
        column.addSpacing(4)
        column.addWidget(self.keep)
        column.addWidget(self.place)
        column.addSpacing(6)
        column.addWidget(self._buttons)
        self.setFixedWidth(_WIDTH)
        fit_height(self, _WIDTH)

    def _heading(self) -> str:
        if len(self._targets) == 1:
            name = library_text.last_name(self._targets[0].path)
            return fill(self.tr("Password of “%1”"), name)
        return fill(self.tr("One password for %1"), library_text.files(len(self._targets)))

    def _told(self) -> str:
        """Return why a single file was not read; of several that need not be the same."""
        row = self._targets[0].row
        if len(self._targets) > 1 or row is None:
            return self.tr("It is tried on each of them.")
        return translate_message(parts_of(row.reason)[0])
