"""What a run brought: its table, a plot, and which questions made the difference to the last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.answers_table import answers_table
from desktop_rag.core.crud_table import crud_table
from desktop_rag.core.evaluation_records import QUOTES, EvaluationResult, EvaluationRun
from desktop_rag.gui.lab import evaluation_text
from desktop_rag.gui.lab.evaluation_jobs import QuestionSource, RunHistory
from desktop_rag.gui.lab.evaluation_plots import (
    CorpusSizePlot,
    IntervalBar,
    IntervalPlot,
    curve_lines,
)
from desktop_rag.gui.lab.evaluation_text import ANSWERS, BM25, CRUD, RETRIEVAL, RGB, SIZES, tr
from desktop_rag.gui.lab.metrics_table import MetricsTableModel, MetricsTableView
from desktop_rag.gui.lab.run_comparison import (
    ScoreChange,
    changed_settings,
    previous_run,
    score_change,
)
from desktop_rag.gui.message_translation import join_sentences
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.announcements import announce
from desktop_rag.gui.widgets.tooltips import tip

_BESIDE = (BM25, QUOTES)  # rows to compare others with
_WHOLE = 0.9995
_FEW = 20  # questions below which a bootstrap is too sure of itself
_MOST = 300  # questions of one kind that are listed
_HEADING = Qt.ItemDataRole.UserRole


class EvaluationResults(QWidget):
    """Shows a `RunHistory`'s runs, one at a time. `table_wanted` carries the one to write to a
    file.
    """

    table_wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._record = RunHistory(QuestionSource(), RETRIEVAL, (), {})
        self._titles: Mapping[str, str] = {}
        self.runs = QComboBox()
        self.export = QPushButton(self.tr("Export figures…"))
        self.copy = QPushButton(self.tr("Copy as table"))
        self.model = MetricsTableModel(self)
        self.table = MetricsTableView(self.model)
        self.plot = IntervalPlot(theme)
        self.curve = CorpusSizePlot(theme)
        self.curve_title = QLabel()
        self.plot_title = QLabel()
        self.about = QLabel()
        self.gained = QLabel()
        self.settings = QLabel()
        self.all_well = QLabel()
        self.list = QListWidget()
        self._dress()
        self._lay_out()
        self.runs.currentIndexChanged.connect(self._show_run)
        self.table.selectionModel().currentRowChanged.connect(self._compare)
        self.export.clicked.connect(self._export)
        self.copy.clicked.connect(self._copy)
        theme.changed.connect(self._compare)

    def show_record(self, record: RunHistory, titles: Mapping[str, str]) -> None:
        """Show the newest run of a record."""
        self._record, self._titles = record, titles
        self.runs.blockSignals(True)
        self.runs.clear()
        for run in record.runs:
            self.runs.addItem(evaluation_text.time_text(run.made), run.id)
        self.runs.blockSignals(False)
        self._show_run()

    @property
    def run(self) -> EvaluationRun | None:
        """The run that is shown."""
        at = self.runs.currentIndex()
        return self._record.runs[at] if 0 <= at < len(self._record.runs) else None

    @Slot()
    def _show_run(self) -> None:
        run = self.run
        if run is None:
            return
        self.model.show_rows(run.task, [each.figures for each in run.ways], self._titles)
        self.copy.setVisible(_has_setup(run))
        measure = self._measure()
        said = tr("%1, with its 95% interval; a ring is the run before.", measure)
        asked = max((len(each.scores) for each in run.ways), default=0)
        few = tr("With fewer than %1 questions the interval says little.", _FEW)
        self.plot_title.setText(said if asked >= _FEW else join_sentences(said, few))
        self._plot(run, measure)
        own = next((n for n, each in enumerate(run.ways) if each.name not in _BESIDE), 0)
        self.table.selectRow(own)
        self._compare()

    def _plot(self, run: EvaluationRun, measure: str) -> None:
        """Show a curve where sizes were measured, else a dot a way."""
        is_curve = run.task == SIZES
        parts: tuple[tuple[QWidget, bool], ...] = (
            (self.curve_title, True),
            (self.curve, True),
            (self.plot_title, False),
            (self.plot, False),
        )
        for part, is_of_curve in parts:
            part.setVisible(is_curve is is_of_curve)
        if is_curve:
            rows = [each.figures for each in run.ways]
            names = [evaluation_text.row_name(row, self._titles) for row in rows]
            self.curve_title.setText(tr("%1 by the number of passages", measure))
            self.curve.show_lines(measure, curve_lines(rows, _plotted(run.task), names))
        else:
            self.plot.show_bars(measure, [self._bar(each, run) for each in run.ways])

    def _measure(self) -> str:
        return evaluation_text.metric_name(_plotted(self._record.task))

    def _bar(self, way: EvaluationResult, run: EvaluationRun) -> IntervalBar:
        key = _plotted(self._record.task)
        low, high = way.figures.get("interval", (0.0, 0.0))
        before = previous_run(self._record.runs, run, way)
        last = before.way(way.name) if before is not None else None
        change = score_change(way, before)
        is_like = last is not None and change is not None and change.is_all
        known = float(last.figures[key]) if last is not None and is_like else None
        name = evaluation_text.row_name(way.figures, self._titles)
        return IntervalBar(name, float(way.figures[key]), low, high, known)

    @Slot()
    def _compare(self) -> None:
        """Say what the chosen way gained, and list its questions."""
        run, at = self.run, self.table.currentIndex().row()
        if run is None or not 0 <= at < len(run.ways):
            return
        way = run.ways[at]
        before = previous_run(self._record.runs, run, way)
        about = _told(way, before) if run.task == RGB else evaluation_text.setup_text(way.figures)
        self.about.setVisible(bool(about))
        self.about.setText(about)
        found = score_change(way, before)
        name = evaluation_text.row_name(way.figures, self._titles)
        if found is None or before is None:
            self.gained.setText(tr("%1: measured for the first time on this set.", name))
            self.settings.hide()
        else:
            self.gained.setText(evaluation_text.change_text(name, self._compared(), found))
            keys = changed_settings(run.settings, before.settings)
            self.settings.setText(evaluation_text.changed_settings_text(keys))
            self.settings.show()
        self._list(way, found)

    def _compared(self) -> str:
        """Return what is compared with the run before."""
        named = {ANSWERS: tr("F1 or a right refusal"), RGB: tr("right replies")}
        return named.get(self._record.task) or self._measure()

    def _list(self, way: EvaluationResult, found: ScoreChange | None) -> None:
        if self._record.task == CRUD:  # of its tasks no text is kept
            self.list.hide()
            self.all_well.hide()
            return
        is_finding = self._record.task in (RETRIEVAL, SIZES)
        lost = found.lost if found is not None else ()
        missed = [n for n, score in way.scores.items() if score < _WHOLE and n not in lost]
        self.list.clear()
        if found is not None:
            self._group(tr("Found now") if is_finding else tr("Right now"), found.found, "good")
            self._group(tr("Lost"), found.lost, "bad")
        self._group(tr("Not all found") if is_finding else tr("Not right"), missed, "muted")
        self.list.setVisible(bool(self.list.count()))
        self.all_well.setVisible(not self.list.count())
        self.all_well.setText(
            tr("The passages of every question were found.")
            if is_finding
            else tr("Every answer is right.")
        )

    def _group(self, title: str, ids: Sequence[str], role: str) -> None:
        if not ids:
            return
        self._add(f"{title} ({len(ids):,})", role, is_heading=True)
        for each in ids[:_MOST]:
            text = self._record.texts.get(each, tr("A question that is no longer in the set"))
            self._add(text, "text")
        if len(ids) > _MOST:
            self._add(tr("… and %1 more", f"{len(ids) - _MOST:,}"), "muted")

    def _add(self, text: str, role: str, *, is_heading: bool = False) -> None:
        item = QListWidgetItem(text if is_heading else f"    {text}")
        item.setForeground(self._theme.colors.of(role))
        item.setToolTip(tip(text))
        if is_heading:
            font = self.list.font()
            font.setBold(True)
            item.setFont(font)
        self.list.addItem(item)

    @Slot()
    def _export(self) -> None:
        if self.run is not None:
            self.table_wanted.emit(self.run)

    @Slot()
    def _copy(self) -> None:
        """Put the run's figures, with what they were measured with, on the clipboard."""
        if self.run is not None:
            as_table = crud_table if self.run.task == CRUD else answers_table
            QGuiApplication.clipboard().setText(as_table([e.figures for e in self.run.ways]))
            announce(self, self.tr("The table is on the clipboard."))

    def _dress(self) -> None:
        self.runs.setAccessibleName(self.tr("Run"))
        self.copy.setToolTip(
            tip(self.tr("The figures, and what they were measured with, as text to send"))
        )
        for label in (self.plot_title, self.about, self.gained, self.settings):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.plot_title.setObjectName("small")
        self.curve_title.setObjectName("small")
        self.about.setObjectName("muted")
        self.settings.setObjectName("small")
        self.gained.setObjectName("heading")
        self.list.setAccessibleName(self.tr("Questions that made the difference"))
        self.list.setObjectName("plain")
        self.list.setMinimumHeight(120)
        self.all_well.setObjectName("muted")

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        label = QLabel(self.tr("Run of"))
        label.setObjectName("muted")
        label.setBuddy(self.runs)
        top.addWidget(label)
        top.addWidget(self.runs)
        top.addStretch(1)
        top.addWidget(self.copy)
        top.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(top)
        parts: tuple[QWidget, ...] = (self.curve_title, self.curve, self.table, self.about)
        for part in (*parts, self.plot_title, self.plot, self.gained, self.settings):
            column.addWidget(part)
        column.addWidget(self.all_well)
        column.addWidget(self.list, 1)
        column.addStretch(0)


def _told(way: EvaluationResult, before: EvaluationRun | None) -> str:
    """Return what an ability's row is about."""
    last = before.way(way.name) if before is not None else None
    return evaluation_text.ability_row_text(way.figures, last.figures if last is not None else {})


def _has_setup(run: EvaluationRun) -> bool:
    return any("setup" in each.figures or "task" in each.figures for each in run.ways)


def _plotted(task: str) -> str:
    """Return the figure of a task that is plotted."""
    return {ANSWERS: "f1", RGB: "right", CRUD: "rouge_l"}.get(task, "recall@5")
