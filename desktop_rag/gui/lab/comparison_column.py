"""One column of a comparison: a way to answer, its state, its answer, and what can be done with it.

The answer is shown by itself and read from its beginning while it grows.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.core.events import NoticeCode
from desktop_rag.core.phrases import has_code
from desktop_rag.gui.chat.answer_view import AnswerView
from desktop_rag.gui.chat.strategy_combo import StrategyCombo
from desktop_rag.gui.chat.transcript_view import CitationClick
from desktop_rag.gui.controllers.llm_health import Health, Missing, Ready
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices
from desktop_rag.gui.controllers.transcript import Outcome
from desktop_rag.gui.lab import comparison_text
from desktop_rag.gui.lab.compare_controller import AnswerMethod, ComparisonColumn
from desktop_rag.gui.lab.method_chip import MethodChip
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton

_NARROWEST = 270  # pixels in which an answer can be read


class ComparisonColumnView(QFrame):
    """Shows a `ComparisonColumn`. Its signals carry its number, `chosen` the number and the
    `AnswerMethod`.

    `stopped` asks for the end of its answer, `cited` carries its number and that of a source.
    `prepared` asks for what its knowledge bases are prepared for.
    """

    chosen = Signal(object)
    removed = Signal(object)
    stopped = Signal()
    used = Signal(object)
    asked = Signal(object)
    prepared = Signal()
    cited = Signal(object)
    web_asked = Signal(object)

    def __init__(self, theme: Theme, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.number = number
        self._theme = theme
        self._way = AnswerMethod("")
        self._told: Outcome | None = None
        self._running = False
        self.setObjectName("answer")
        self.ways = StrategyCombo(theme)
        self.how = MethodChip()
        self.end = IconButton(theme, "close", self.tr("Take this way out"))
        self.state = QLabel()
        self.figures = QLabel()
        self.view = AnswerView(theme)
        self.use = QPushButton(self.tr("Use from now on"))
        self.ask = QPushButton(self.tr("Ask in the conversation"))
        self.prepare = QPushButton(self.tr("Prepare…"))
        self._dress()
        self._lay_out()
        self._connect()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for a width in which an answer can be read, and its buttons too."""
        least = super().minimumSizeHint()
        return QSize(max(_NARROWEST, least.width()), least.height())

    def offer(self, offers: StrategyChoices) -> None:
        """Offer ways and what can be done around them; what is chosen stays so."""
        self.ways.offer(offers, self._way.name)
        self.how.offer(offers)

    def offer_models(self, health: Health) -> None:
        """Offer the models that there are; that there is none is told above the answer."""
        found = health if isinstance(health, Ready) else Ready(())
        self.how.offer_models(found.models, found.elsewhere)
        self.view.leave_out(health.what if isinstance(health, Missing) else "")

    def show_column(
        self, column: ComparisonColumn, offers: StrategyChoices, *, waits: bool
    ) -> None:
        """Show how far this way is."""
        turn, self._way = column.turn, column.way
        self._running = turn is not None and turn.running
        self.ways.choose(column.way.name)
        self.how.show_way(column.way)
        said, role = comparison_text.state(column, waits=waits)
        self.state.setText(said)
        colours = QPalette(self.palette())
        colours.setColor(QPalette.ColorRole.WindowText, self._theme.colors.of(role))
        self.state.setPalette(colours)
        self.figures.setText(comparison_text.figures(column, offers))
        title = comparison_text.method_title(column.way, offers)
        self.view.setAccessibleName(self.tr("Answer: %1").replace("%1", title))
        self.view.show_transcript(column.shown)
        self.ask.setEnabled(turn is not None and not turn.running)
        notices = turn.notices if turn is not None else ()
        self.prepare.setVisible(any(has_code(each, NoticeCode.UNPREPARED) for each in notices))
        self._tell(column, title)

    def set_free(self, *, is_free: bool, may_go: bool) -> None:
        """Let the way be changed, or not while answers are on their way; let it be taken out."""
        for each in (self.ways, self.how):
            each.setEnabled(is_free)
        if self._running:
            text = self.tr("Stop this answer, and go on with the next")
            self.end.paint_as("stop", "muted", text)
        else:
            self.end.paint_as("close", "muted", self.tr("Take this way out"))
        self.end.setVisible(self._running or may_go)

    def show_usual(self, name: str) -> None:
        """Say whether this way is the one that the settings have."""
        is_plain = not self._way.transforms
        is_usual = is_plain and self._way.name == name and not self._way.model
        self.use.setEnabled(is_plain and not is_usual)
        self.use.setText(self.tr("In use") if is_usual else self.tr("Use from now on"))
        why = self.tr("The settings keep a way and a model, no changes to the question.")
        plain = self.tr("Answer every question in this way, unless another is chosen for it")
        self.use.setToolTip(plain if is_plain else why)

    def _tell(self, column: ComparisonColumn, title: str) -> None:
        """Have a screen reader say how the answer ended, once."""
        turn = column.turn
        ended = turn.outcome if turn is not None and not turn.running else None
        if ended is not None and ended is not self._told:
            self.view.speaker.say(f"{title}. {self.state.text()}. {self.figures.text()}")
        self._told = ended

    @Slot(int)
    def _choose_way(self, row: int) -> None:
        name = self.ways.itemData(row) or self._way.name
        self._choose(AnswerMethod(name, self._way.transforms, self._way.model))

    @Slot(object)
    def _choose(self, way: AnswerMethod) -> None:
        self.chosen.emit((self.number, way))

    @Slot()
    def _end(self) -> None:
        if self._running:
            self.stopped.emit()
        else:
            self.removed.emit(self.number)

    @Slot()
    def _use(self) -> None:
        self.used.emit(self.number)

    @Slot()
    def _ask(self) -> None:
        self.asked.emit(self.number)

    @Slot(object)
    def _cite(self, pointed: CitationClick) -> None:
        self.cited.emit((self.number, pointed.n))

    def _dress(self) -> None:
        self.ways.setObjectName("")
        policy = self.end.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # else all below would move
        self.end.setSizePolicy(policy)
        self.figures.setObjectName("small")
        for label in (self.state, self.figures):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        for button in (self.use, self.ask, self.prepare):
            button.setObjectName("quiet")
        self.prepare.setToolTip(self.tr("What the knowledge base can be prepared for"))
        self.ask.setToolTip(self.tr("Ask the question there in this way, to go on with it"))

    def _lay_out(self) -> None:
        first, last = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self.ways)
        first.addWidget(self.how)
        first.addStretch(1)
        first.addWidget(self.end)
        for button in (self.use, self.ask):
            last.addWidget(button)
        last.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 6)
        column.setSpacing(4)
        column.addLayout(first)
        column.addWidget(self.state)
        column.addWidget(self.figures)
        column.addWidget(self.view, 1)
        column.addWidget(self.prepare, 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(last)

    def _connect(self) -> None:
        self.ways.activated.connect(self._choose_way)
        self.how.chosen.connect(self._choose)
        self.end.clicked.connect(self._end)
        self.use.clicked.connect(self._use)
        self.ask.clicked.connect(self._ask)
        self.prepare.clicked.connect(self.prepared)
        self.view.cited.connect(self._cite)
        self.view.web_asked.connect(self.web_asked)
