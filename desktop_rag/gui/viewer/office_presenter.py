"""An office document as it looks: when its pages are made, offered and shown."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.gui.controllers.office_pages import (
    OfficeOffer,
    OfficePages,
    OfficePagesController,
    office_kind,
)
from desktop_rag.gui.controllers.open_document import (
    FileState,
    LocatedDocument,
    OpenDocument,
    ViewError,
)
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.banner import Banner


class OfficePresenter(QObject):
    """Follows the document that is open; `line` says what is made of it.

    `changed` says that it is to be shown otherwise now.
    """

    changed = Signal()

    def __init__(
        self, theme: Theme, pages: OfficePagesController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.line = Banner(theme, "banner")
        self._controller = pages
        self._placed: LocatedDocument | None = None
        self._pages: OfficePages | None = None
        self._is_offered = self._is_wanted = self._is_asked = False
        pages.offered.connect(self._take_offer)
        pages.came.connect(self._take)
        pages.failed.connect(self._fail)
        self.line.acted.connect(self.show_pages)

    @property
    def looks(self) -> bool | None:
        """Whether it is shown as it looks; None where that can't be."""
        if not self._is_offered or self._placed is None:
            return None
        return self.shown(self._placed.opened) is not None

    def shown(self, document: OpenDocument) -> OpenDocument | None:
        """Return the PDF to show in a document's place; None where its text is to be shown."""
        if not self._is_wanted or self._pages is None:
            return None
        return self._pages.shown(document)

    def follow(self, placed: LocatedDocument) -> None:
        """Take the document that is shown now, or other marks in it."""
        before, self._placed = self._placed, placed
        is_as_read = placed.file_state is FileState.SAME and bool(placed.content)
        if not is_as_read or office_kind(placed.opened.path) is None:
            self.forget()
        elif before is None or before.content != placed.content:
            self.forget()
            self._placed = placed
            self._controller.look(placed)
        elif before.opened.marks != placed.opened.marks and self._is_asked:
            self._pages = None
            self._ask(placed)
        elif self._pages is not None and self._is_wanted:
            self._say_lost()

    def forget(self) -> None:
        """Let go of the document."""
        self._placed = self._pages = None
        self._is_offered = self._is_wanted = self._is_asked = False
        self.line.hide()
        self._controller.leave()

    @Slot()
    def show_pages(self) -> None:
        """Show it as it looks, as soon as it can be, and its kind from now on."""
        if self._placed is None:
            return
        self._controller.choose(self._placed.opened.path, as_pages=True)
        self._is_wanted = True
        self.line.hide()
        if self._pages is None:
            self.line.say(self.tr("Preparing pages…"))
            self._ask(self._placed)
        else:
            self._say_lost()
        self.changed.emit()

    def show_text(self) -> None:
        """Show its text, and its kind so from now on."""
        if self._placed is not None and self._is_wanted:
            self._controller.choose(self._placed.opened.path, as_pages=False)
            self.give_up()

    def give_up(self) -> None:
        """Show the text of this document."""
        self._is_wanted = False
        self.line.hide()

    @Slot(object)
    def _take_offer(self, offer: OfficeOffer) -> None:
        if self._placed is None or offer.content != self._placed.content:
            return
        self._is_offered = True
        if offer.is_chosen:
            self._is_wanted = offer.is_made
            if not offer.is_made:
                self.line.say(self.tr("Preparing pages…"))
            self._ask(self._placed)
        self.changed.emit()

    @Slot(object)
    def _take(self, pages: OfficePages) -> None:
        """Show pages that were wanted; others are offered, so that nothing moves under a reader."""
        if self._placed is None or not pages.serves(self._placed.opened):
            return
        self._pages = pages
        if self._is_wanted:
            self.line.hide()
            self._say_lost()
            self.changed.emit()
        else:
            self.line.say(self.tr("The pages are ready."), self.tr("Show as it looks"))

    def _ask(self, placed: LocatedDocument) -> None:
        self._is_asked = True
        self._controller.want(placed)

    def _say_lost(self) -> None:
        if self._placed is not None and self.shown(self._placed.opened) is None:
            self.line.say(
                self.tr("The quote was not found on the pages. This is the document's text.")
            )
        else:
            self.line.hide()

    @Slot(object)
    def _fail(self, trouble: ViewError) -> None:
        if self._placed is not None:
            self._is_wanted = self._is_asked = False
            what, remedy = translate_message(trouble.what), translate_message(trouble.remedy)
            self.line.say(join_sentences(what, remedy))
            self.changed.emit()
