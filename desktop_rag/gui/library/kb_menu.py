"""The menu of knowledge bases: new, prepare, rename, export, import, share, rebuild, delete."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit, QMenu, QWidget

from desktop_rag.core.requests import FilesRequest, KbRequest
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.library_previews import ImportPreview, RemovalPreview
from desktop_rag.gui.display_text import shown_name
from desktop_rag.gui.library.import_dialog import ImportDialog
from desktop_rag.gui.library.join_dialog import JoinDialog
from desktop_rag.gui.library.preparation_dialog import PreparationDialog
from desktop_rag.gui.library.removal_dialog import RemovalDialog
from desktop_rag.gui.library.unshare_dialog import UnshareDialog

_ENDING = ".ragkb"
_LINE_WIDTH = 440


class KbMenu(QObject):
    """Acts on the knowledge base that is shown, with dialogs over `window`.

    `health_wanted` asks for the page of what its files lack, `serving_wanted` whether other
    programs may ask it, `look_asked` carries the `PreparationRow` of what is to be shown.
    """

    health_wanted = Signal()
    serving_wanted = Signal()
    look_asked = Signal(object)

    def __init__(self, library: LibraryController, window: QWidget) -> None:
        super().__init__(window)
        self._library = library
        self._window = window
        self._folder = ""
        self._apart: tuple[str, ...] = ()
        self.menu = QMenu(window)
        self._about_this: list[QAction] = []
        self._fill()
        self.menu.aboutToShow.connect(self._refresh)

    @Slot()
    def ask_for_name(self) -> None:
        """Ask for the name of a new knowledge base."""
        dialog = self._line(self.tr("New knowledge base"), self.tr("Name:"), "")
        dialog.setOkButtonText(self.tr("Create"))
        dialog.textValueSelected.connect(self._create)
        dialog.open()

    @Slot()
    def ask_for_new_name(self) -> None:
        """Ask for another name for the current knowledge base."""
        name = shown_name(self._library.snapshot.current)
        dialog = self._line(self.tr("Rename knowledge base"), self.tr("New name:"), name)
        dialog.setOkButtonText(self.tr("Rename"))
        dialog.textValueSelected.connect(self._rename)
        dialog.open()

    @Slot()
    def ask_before_deleting(self) -> None:
        """Say what goes with the current knowledge base, and ask."""
        self.weigh(())

    def weigh(self, paths: tuple[str, ...]) -> None:
        """Find out what goes with files and folders, and ask where that is much."""
        self._library.commands.weigh(RemovalPreview(self._library.snapshot.current, paths))

    @Slot(object)
    def ask_about(self, removal: RemovalPreview) -> None:
        """Ask about what was weighed, or do it where no question is due."""
        if not removal.needs_asking:
            self._library.take_out(removal.request("keep"))
            return
        box = RemovalDialog(removal, self._window)
        box.agreed.connect(self._library.take_out)
        box.open()

    @Slot(object)
    def ask_what_to_follow(self, offer: ImportPreview) -> None:
        """Import what was examined; ask first where it would follow folders of this computer."""
        if not offer.places:
            self._library.change_base(offer.request())
            return
        box = ImportDialog(offer, self._window)
        box.agreed.connect(self._library.change_base)
        box.open()

    @Slot(object)
    def ask_for_patterns(self, folder: str) -> None:
        """Ask what a followed folder leaves out."""
        sources = self._library.snapshot.sources
        source = next((each for each in sources if each.path == folder), None)
        if source is None:
            return
        self._folder = folder
        self._apart = tuple(each for each in source.exclude if "," in each)
        told = ", ".join(each for each in source.exclude if each not in self._apart)
        label = self.tr("Names or paths that are left out, separated by commas:")
        dialog = self._line(self.tr("Leave out of this folder"), label, told)
        dialog.textValueSelected.connect(self._set_patterns)
        dialog.open()

    @Slot()
    def ask_where_to_export(self) -> None:
        """Ask for the file that the current knowledge base goes into."""
        name = f"{shown_name(self._library.snapshot.current)}{_ENDING}".replace("/", "-")
        dialog = QFileDialog(self._window, self.tr("Export knowledge base"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # none is written over
        dialog.selectFile(name)
        dialog.fileSelected.connect(self._export)
        dialog.open()

    @Slot()
    def ask_what_to_import(self) -> None:
        """Ask for the file of an exported knowledge base."""
        dialog = QFileDialog(self._window, self.tr("Import knowledge base"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(
            [self.tr("Knowledge bases") + f" (*{_ENDING})", self.tr("All files") + " (*)"]
        )
        dialog.fileSelected.connect(self._import)
        dialog.open()

    @Slot()
    def ask_how_to_share(self) -> None:
        """Say what sharing sends where, and ask what the knowledge base is called there."""
        label = self.tr(
            "Every text of this knowledge base, the paths of its files and your name\n"
            "go to the shared Chroma server that the settings name.\n\nWhat it is called there:"
        )
        name = shown_name(self._library.snapshot.current)
        dialog = self._line(self.tr("Share knowledge base"), label, name)
        dialog.setOkButtonText(self.tr("Share"))
        dialog.textValueSelected.connect(self._share)
        dialog.open()

    @Slot()
    def ask_before_unsharing(self) -> None:
        """Ask whether the current knowledge base is also taken off the server."""
        snapshot = self._library.snapshot
        if snapshot.share is None:
            return
        box = UnshareDialog(snapshot.current, snapshot.share, self._window)
        box.agreed.connect(self._library.change_base)
        box.open()

    @Slot()
    def ask_what_to_join(self) -> None:
        """Show what is shared on the server, and ask which of it is fetched."""
        box = JoinDialog(self._library.commands, self._window)
        box.agreed.connect(self._join)
        box.open()

    @Slot()
    def show_preparations(self) -> None:
        """Show what the current knowledge base is, and can be, prepared for."""
        self.show_preparations_of(self._library.snapshot.current)

    def show_preparations_of(self, kb: str) -> None:
        """Show what a knowledge base is, and can be, prepared for."""
        library = self._library
        box = PreparationDialog(kb, library.preparations, library.adaptation, self._window)
        box.look_asked.connect(self.look_asked)
        box.open()

    @Slot()
    def _refresh(self) -> None:
        snapshot = self._library.snapshot
        is_there = any(kb.name == snapshot.current for kb in snapshot.kbs)
        for action in self._about_this:
            action.setEnabled(is_there)
        self._unshare.setVisible(snapshot.share is not None)
        self._recognition.setChecked(snapshot.recognizes_text)
        self._archives.setChecked(snapshot.opens_archives)

    @Slot(str)
    def _create(self, name: str) -> None:
        if name.strip():
            self._library.change_base(KbRequest("create", self._stored(name.strip())))

    @Slot(str)
    def _rename(self, name: str) -> None:
        current = self._library.snapshot.current
        if name.strip() and name.strip() not in (current, shown_name(current)):
            new = self._stored(name.strip())
            self._library.change_base(KbRequest("rename", current, new_name=new))

    @Slot(object)
    def _join(self, request: KbRequest) -> None:
        """Fetch one under its name there, with a number behind it where that is shown already."""
        shown = {shown_name(each.name) for each in self._library.snapshot.kbs}
        numbered = (f"{request.name} ({n})" for n in count(2))
        new = "" if request.name not in shown else next(n for n in numbered if n not in shown)
        self._library.change_base(replace(request, new_name=new))

    def _stored(self, shown: str) -> str:
        """Return what is stored under a name that is shown already, so that it is seen as taken."""
        names = [each.name for each in self._library.snapshot.kbs]
        return next((each for each in names if shown_name(each) == shown), shown)

    @Slot(str)
    def _set_patterns(self, text: str) -> None:
        globs = tuple(each.strip() for each in text.split(",") if each.strip()) + self._apart
        kb = self._library.snapshot.current
        self._library.commands.carry_out(FilesRequest("patterns", kb, (self._folder,), globs=globs))

    @Slot(str)
    def _export(self, file: str) -> None:
        self._library.change_base(KbRequest("export", self._library.snapshot.current, file))

    @Slot(str)
    def _share(self, name: str) -> None:
        if name.strip():
            kb = self._library.snapshot.current
            request = KbRequest("share", kb, new_name=name.strip(), agrees=True)
            self._library.change_base(request)

    @Slot(str)
    def _import(self, file: str) -> None:
        self._library.commands.examine(file)

    @Slot()
    def _rebuild(self) -> None:
        self._library.change_base(KbRequest("rebuild", self._library.snapshot.current))

    @Slot(bool)
    def _switch_recognition(self, on: bool) -> None:  # noqa: FBT001 - a signal's value
        kb, switch = self._library.snapshot.current, "on" if on else "off"
        self._library.change_base(KbRequest("recognize", kb, switch=switch))

    @Slot(bool)
    def _switch_archives(self, on: bool) -> None:  # noqa: FBT001 - a signal's value
        kb, switch = self._library.snapshot.current, "on" if on else "off"
        self._library.change_base(KbRequest("archives", kb, switch=switch))

    @Slot()
    def _look_again(self) -> None:
        self._library.update_all()

    def _line(self, title: str, label: str, text: str) -> QInputDialog:
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        dialog.setLabelText(label)
        dialog.setTextValue(text)
        dialog.resize(_LINE_WIDTH, dialog.sizeHint().height())
        edit = dialog.findChild(QLineEdit)
        if edit is not None:
            edit.selectAll()
        return dialog

    def _fill(self) -> None:
        menu = self.menu
        menu.addAction(self.tr("New knowledge base…"), self.ask_for_name)
        menu.addAction(self.tr("Import…"), self.ask_what_to_import)
        menu.addAction(self.tr("Join a shared knowledge base…"), self.ask_what_to_join)
        menu.addSeparator()
        self._unshare = QAction(self.tr("Stop sharing…"), menu)
        self._unshare.triggered.connect(self.ask_before_unsharing)
        self._recognition = QAction(self.tr("Read scans and pictures"), menu)
        self._recognition.setCheckable(True)
        self._recognition.triggered.connect(self._switch_recognition)
        self._archives = QAction(self.tr("Look into archives"), menu)
        self._archives.setCheckable(True)
        self._archives.triggered.connect(self._switch_archives)
        self._about_this = [
            menu.addAction(self.tr("Look for changes now"), self._look_again),
            menu.addAction(self.tr("Health…"), self.health_wanted.emit),
            menu.addAction(self.tr("Prepare…"), self.show_preparations),
            self._recognition,
            self._archives,
            menu.addAction(self.tr("Rename…"), self.ask_for_new_name),
            menu.addAction(self.tr("Export to a file…"), self.ask_where_to_export),
            menu.addAction(self.tr("Share on a server…"), self.ask_how_to_share),
            self._unshare,
            menu.addAction(self.tr("Let other programs ask it…"), self.serving_wanted.emit),
            menu.addAction(self.tr("Rebuild the search index"), self._rebuild),
        ]
        menu.insertAction(self._about_this[-2], self._unshare)
        menu.insertActions(self._about_this[5], [self._recognition, self._archives])
        menu.addSeparator()
        self._about_this.append(
            menu.addAction(self.tr("Delete this knowledge base…"), self.ask_before_deleting)
        )
