"""The checks of a clip: chips with light and number, and the words and cure of one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.widgets.labels import label, set_state

if TYPE_CHECKING:
    from engine.reference_checks import Check

SIGNS = {"green": "✓", "amber": "▲", "red": "✕"}
STATES = {"green": "ok", "amber": "warn", "red": "bad"}
CORE = ("length", "level", "transcript")
ORDER = {"red": 0, "amber": 1, "green": 2}


class FlowLayout(QLayout):
    """Puts widgets in lines like words, as many a line as fit."""

    def __init__(self, parent: QWidget, gap: int = 3) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), False)

    def sizeHint(self) -> QSize:
        return QSize(120, self.heightForWidth(max(120, self.geometry().width())))

    def minimumSize(self) -> QSize:
        widest = max((i.minimumSize().width() for i in self._items), default=0)
        return QSize(widest, 0)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, True)

    def _arrange(self, rect: QRect, place: bool) -> int:
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            size = item.sizeHint()
            if x > rect.x() and x + size.width() > rect.right() + 1:
                x, y, line = rect.x(), y + line + self._gap, 0
            if place:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self._gap
            line = max(line, size.height())
        return y + line - rect.y()


class CheckLights(QWidget):
    """Chips of the checks; choosing one shows what it means and how to cure it.

    The worst check is chosen by itself. Green ones beyond the most telling are folded away.

    Attributes:
        checks: what is shown.

    Signals:
        cure_requested(str): key of a check whose cure the user wants.
    """

    cure_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.checks: list[Check] = []
        self.chips: dict[str, QPushButton] = {}
        self._cures: dict[str, str] = {}
        self._chosen = ""
        self._all = False
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        self._field = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self._field.setSizePolicy(policy)
        self._flow = FlowLayout(self._field)
        self.words = label("", "hint", wrap=True)
        self.words.setAccessibleName(self.tr("What the chosen check found"))
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.cure = QPushButton()
        self.cure.setProperty("role", "small")
        self.cure.setAccessibleName(self.tr("Cure of the chosen check"))
        self.cure.clicked.connect(self._on_cure)
        self.more = QPushButton()
        self.more.setProperty("role", "check")
        self.more.setAccessibleName(self.tr("Show all checks"))
        self.more.clicked.connect(self._on_more)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        row.addWidget(self.cure, 0, Qt.AlignmentFlag.AlignVCenter)
        box.addWidget(self._field)
        box.addLayout(row)
        self.setAccessibleName(self.tr("Checks of the clip"))

    @property
    def chosen(self) -> str:
        """Key of the check that is explained."""
        return self._chosen

    def show_checks(self, checks: list[Check], cures: dict[str, str]) -> None:
        """Show ``checks``; ``cures`` names the button of each one that the window can cure."""
        known = {c.key: c for c in self.checks}
        self.checks, self._cures = checks, cures
        worst = min(checks, key=lambda c: ORDER[c.light], default=None)
        kept = next((c for c in checks if c.key == self._chosen), None)
        if kept is None or kept.light == "green" or kept != known.get(kept.key):
            troubled = worst is not None and worst.light != "green"
            self._chosen = worst.key if worst is not None and troubled else ""
        self._fill()

    def _fill(self) -> None:
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None and widget is not self.more:
                widget.hide()
                widget.deleteLater()
        self.chips = {}
        ranked = sorted(self.checks, key=lambda c: ORDER[c.light])
        shown = [c for c in ranked if self._all or c.light != "green" or c.key in CORE]
        for check in shown:
            chip = self.chips[check.key] = self._chip(check)
            self._flow.addWidget(chip)
            chip.show()
        hidden = len(self.checks) - len(shown)
        self.more.setVisible(bool(hidden) or self._all)
        if hidden:
            self.more.setText(self.tr("✓ {count} more").format(count=hidden))
        else:
            self.more.setText(self.tr("less"))
        self.more.setAccessibleName(self.tr("Show all checks"))
        self.more.setToolTip(self.tr("Show all checks") if hidden else "")
        self._flow.addWidget(self.more)
        self._explain()
        self._field.updateGeometry()
        self.updateGeometry()

    def _chip(self, check: Check) -> QPushButton:
        chip = QPushButton(f"{SIGNS[check.light]} {self._short(check)}")
        chip.setProperty("role", "check")
        chip.setCheckable(True)
        chip.setChecked(check.key == self._chosen)
        set_state(chip, STATES[check.light])
        words = f"{check.message} {check.cure}".strip()
        chip.setToolTip(words)
        light = {
            "green": self.tr("good"), "amber": self.tr("could be better"), "red": self.tr("bad"),
        }[check.light]  # fmt: skip
        chip.setAccessibleName(f"{self._short(check)}, {light}")
        chip.setAccessibleDescription(words)
        chip.clicked.connect(lambda _=False, key=check.key: self._choose(key))
        return chip

    def _short(self, check: Check) -> str:
        value = check.value
        names = {
            "length": self.tr("length {0} s").format(f"{value:.1f}"),
            "clipping": self.tr("clipping {0}×").format(round(value)),
            "level": self.tr("level {0} dB").format(f"{value:.0f}".replace("-", "−")),
            "noise": self.tr("noise −{0} dB").format(f"{max(0.0, value):.0f}"),
            "end_silence": self.tr("silence {0} s").format(f"{value:.1f}"),
            "ending": self.tr("ending −{0} dB").format(f"{max(0.0, value):.0f}"),
            "zeros": self.tr("zeros {0} %").format(round(value)),
            "channels": self.tr("channels {0}").format(f"{value:.1f}".replace("-", "−")),
            "bandwidth": self.tr("up to {0} kHz").format(f"{value:.1f}"),
            "transcript": self.tr("text {0}/s").format(round(value)),
        }
        return names.get(check.key, f"{check.key} {value:.3g} {check.unit}")

    def _explain(self) -> None:
        check = next((c for c in self.checks if c.key == self._chosen), None)
        button = self._cures.get(self._chosen, "") if check and check.light != "green" else ""
        words = ""
        if check is not None:
            words = check.message if button or not check.cure else check.cure
            self.words.setToolTip(f"{check.message} {check.cure}".strip())
        self.words.setText(words)
        self.words.setVisible(bool(words))
        self.cure.setText(button)
        if button:
            self.cure.setAccessibleName(f"{button}: {check.message if check else ''}")
        self.cure.setToolTip(check.cure if check else "")
        self.cure.setVisible(bool(button))

    def _choose(self, key: str) -> None:
        self._chosen = "" if key == self._chosen else key
        for name, chip in self.chips.items():
            chip.setChecked(name == self._chosen)
        self._explain()
        self.updateGeometry()

    @Slot()
    def _on_cure(self) -> None:
        self.cure_requested.emit(self._chosen)

    @Slot()
    def _on_more(self) -> None:
        self._all = not self._all
        self._fill()
