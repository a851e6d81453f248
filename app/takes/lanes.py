"""The takes of one press side by side: each with its picture, seed, length and lights."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPointF,
    QRect,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QPainter, QPolygonF
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.core.formats import clock, plain_tip
from app.core.theme import Theme
from app.takes.checking import best_of
from app.takes.list_model import Column, Index, TakeListModel
from app.takes.take import Take
from app.takes.verdict import ROLES, SIGNS, fault_lines, lights_text

MOST_SHOWN = 4
GAP = 8


class _Members(QSortFilterProxyModel):
    """The takes of one group, in words for the screen reader."""

    def __init__(self, model: TakeListModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.takes, self.group = model, ""
        self.setSourceModel(model)

    def show_group(self, group: str) -> None:
        self.group = group
        self.invalidate()

    def take_at(self, index: Index) -> Take | None:
        return self.takes.take_at(self.mapToSource(index).row()) if index.isValid() else None

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        take = self.takes.take_at(row)
        return take is not None and bool(self.group) and take.group == self.group

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        take = self.take_at(index)
        if take is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            words = self.tr("Take {number}, seed {seed}, {length}{light}")
            light = f", {lights_text(take.verdict)}" if take.verdict is not None else ""
            return words.format(
                number=index.row() + 1, seed=take.origin.seed, length=clock(take.seconds),
                light=light,
            )  # fmt: skip
        if role == Qt.ItemDataRole.ToolTipRole:
            told = fault_lines(take.verdict) if take.verdict is not None else []
            return plain_tip("\n".join(told) or self.tr("Click to look at it, Enter plays it."))
        return None


class _Lane(QStyledItemDelegate):
    """Paints number, waveform, seed, length and light."""

    def __init__(self, theme: Theme, lanes: Lanes) -> None:
        super().__init__(lanes)
        self._theme, self._lanes = theme, lanes

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, option.fontMetrics.height() + 10)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        take = self._lanes.members.take_at(index)
        if take is None:
            return
        colors, rect = self._theme.colors, option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.fillRect(rect, QColor(colors.accent_soft))
        metrics, best = option.fontMetrics, take is self._lanes.best
        painter.setPen(QColor(colors.accent if best else colors.dim))
        number = f"{'★ ' if take.starred else ''}{index.row() + 1}"
        left = rect.adjusted(GAP, 0, 0, 0)
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, number)
        facts = f"{take.origin.seed} · {clock(take.seconds)}"
        sign, shade = "", colors.dim
        if take.verdict is not None:
            sign, shade = SIGNS[take.verdict.light], getattr(colors, ROLES[take.verdict.light])
        side = metrics.horizontalAdvance(f"{2**31} · 00:00:00") + 2 * GAP
        mark = metrics.horizontalAdvance("✓") + 2 * GAP
        right = rect.adjusted(rect.width() - side - mark, 0, -mark, 0)
        painter.setPen(QColor(colors.text if chosen else colors.dim))
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(right, flags, facts)
        painter.setPen(QColor(shade))
        painter.drawText(rect.adjusted(0, 0, -GAP, 0), flags, sign)
        head = metrics.horizontalAdvance("★ 16") + 2 * GAP
        self._wave(painter, take, rect.adjusted(head, 3, -side - mark, -3))
        painter.restore()

    def _wave(self, painter: QPainter, take: Take, rect: QRect) -> None:
        """All lanes share one scale of time, so that their lengths are compared at a glance."""
        store, span = take.store, self._lanes.span
        columns = int(rect.width() * min(1.0, store.length / span)) if span else 0
        if columns < 2:
            return
        low, high = store.peaks(0.0, store.length / columns, columns)
        middle, half = rect.center().y() + 0.5, rect.height() / 2
        scale = half / max(0.05, float(np.max(np.maximum(high, -low))))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.colors.wave))
        top = [QPointF(rect.left() + x, middle - y * scale) for x, y in enumerate(high)]
        bottom = [QPointF(rect.left() + x, middle - y * scale + 1) for x, y in enumerate(low)]
        painter.drawPolygon(QPolygonF([*top, *reversed(bottom)]))


class Lanes(QListView):
    """Hidden for a take of its own.

    Attributes:
        best: the take that the rule would keep, once all are checked.
        span: samples that the width stands for.

    Signals:
        take_chosen(Take)
        replay_requested(Take)
    """

    take_chosen = Signal(object)
    replay_requested = Signal(object)

    def __init__(self, model: TakeListModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.members = _Members(model, self)
        self.best: Take | None = None
        self.span = 0
        self._take: Take | None = None
        self.setModel(self.members)
        self.setModelColumn(Column.TEXT)
        self.setItemDelegate(_Lane(theme, self))
        self.setAccessibleName(self.tr("Takes of one press"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.activated.connect(self._on_activated)
        for changed in (model.rowsInserted, model.rowsRemoved, model.dataChanged):
            changed.connect(self._measure)
        theme.changed.connect(self.viewport().update)
        self.hide()

    @Slot(object)
    def show_take(self, take: Take | None) -> None:
        """Show those that were made with ``take``."""
        self._take = take
        group = take.group if take is not None else ""
        if group != self.members.group:
            self.best = None
            self.members.show_group(group)
        self._measure()

    @Slot()
    def _measure(self) -> None:
        takes = self.members.takes.members(self.members.group)
        self.setVisible(len(takes) > 1)
        if len(takes) < 2:
            return
        stores = [take.store for take in takes]
        self.span = max(max(s.length, 0 if s.complete else s.expected) for s in stores)
        picked = best_of(takes)
        self.best = picked[0] if picked is not None else None
        self.setStatusTip(picked[1] if picked is not None else "")
        rows = min(MOST_SHOWN, len(takes))
        self.setFixedHeight(rows * max(1, self.sizeHintForRow(0)) + 2 * self.frameWidth())
        row = next((i for i, take in enumerate(takes) if take is self._take), 0)
        if self.currentIndex().row() != row:
            self.setCurrentIndex(self.members.index(row, Column.TEXT))
        self.viewport().update()

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, before: QModelIndex) -> None:
        take = self.members.take_at(index)
        if take is not None and take is not self._take:
            self.take_chosen.emit(take)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        take = self.members.take_at(index)
        if take is not None:
            self.replay_requested.emit(take)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()
