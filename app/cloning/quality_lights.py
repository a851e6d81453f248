"""The checks of a clip: chips with light and number, and the words and cure of one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.core.engine_texts import engine_text
from app.core.formats import plain_tip
from app.widgets.labels import label, set_state
from app.widgets.layout import in_column, in_row

if TYPE_CHECKING:
    from engine.audio import Check

SIGNS = {"green": "✓", "amber": "▲", "red": "✕"}
STATES = {"green": "ok", "amber": "warn", "red": "bad"}
CORE = ("length", "level", "transcript", "words")
GAP = 3
ORDER = {"red": 0, "amber": 1, "green": 2}


class ChipField(QWidget):
    """Puts its buttons in lines like words, as many a line as fit.

    Not a layout of its own class: items of such a layout belong to Qt and to Python at once,
    which ends in a crash.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips: list[QPushButton] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_chips(self, chips: list[QPushButton]) -> None:
        """Show these buttons; those that were shown before stay the caller's."""
        self._chips = chips
        for chip in chips:
            chip.setParent(self)
            chip.show()
        self._arrange(self.width(), True)
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(width, False)

    def sizeHint(self) -> QSize:
        return QSize(120, self.heightForWidth(max(120, self.width())))

    def minimumSizeHint(self) -> QSize:
        widest = max((chip.sizeHint().width() for chip in self._chips), default=0)
        return QSize(widest, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(self.width(), True)

    def _arrange(self, width: int, place: bool) -> int:
        x = y = line = 0
        for chip in self._chips:
            size = chip.sizeHint()
            if x and x + size.width() > width:
                x, y, line = 0, y + line + GAP, 0
            if place:
                chip.setGeometry(x, y, size.width(), size.height())
            x += size.width() + GAP
            line = max(line, size.height())
        return y + line


class QualityLights(QWidget):
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
        self._shown: dict[str, Check] = {}
        self._field = ChipField()
        self.words = label("", "hint", wrap=True)
        self.words.setAccessibleName(self.tr("What the chosen check found"))
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.cure = QPushButton()
        self.cure.setProperty("role", "small")
        self.cure.setAccessibleName(self.tr("Cure of the chosen check"))
        self.cure.clicked.connect(self._on_cure)
        self.more = QPushButton(self._field)
        self.more.setProperty("role", "check")
        self.more.setAccessibleName(self.tr("Show all checks"))
        self.more.clicked.connect(self._on_more)
        below = in_row((self.words, 1), self.cure)
        below.setAlignment(self.cure, Qt.AlignmentFlag.AlignVCenter)
        in_column(self._field, below, spacing=4, on=self)
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
        ranked = sorted(self.checks, key=lambda c: ORDER[c.light])
        shown = [c for c in ranked if self._all or c.light != "green" or c.key in CORE]
        if [c.key for c in shown] != list(self.chips):
            for old in self.chips.values():
                old.hide()
                old.deleteLater()
            self.chips = {check.key: self._chip(check) for check in shown}
            self._shown = {}
            self._order_tab()
        for check in shown:
            chip = self.chips[check.key]
            chip.setChecked(check.key == self._chosen)
            # Each key in the transcript comes by here: only what changed is made anew.
            if self._shown.get(check.key) != check:
                self._dress(chip, check)
        self._shown = {c.key: c for c in shown}
        hidden = len(self.checks) - len(shown)
        folds = bool(hidden) or self._all
        self.more.setVisible(folds)
        if hidden:
            self.more.setText(self.tr("✓ {count} more").format(count=hidden))
        else:
            self.more.setText(self.tr("less"))
        self.more.setAccessibleName(self.tr("Show all checks"))
        self.more.setToolTip(self.tr("Show all checks") if hidden else "")
        self._field.show_chips([*self.chips.values(), *([self.more] if folds else [])])
        self._explain()
        self.updateGeometry()

    def _order_tab(self) -> None:
        """Tab goes through the chips as they stand; new ones would come last in the window."""
        chips = list(self.chips.values())
        before = self.more.previousInFocusChain()
        while before is not None and (
            before in chips or before.focusPolicy() is Qt.FocusPolicy.NoFocus
        ):
            before = before.previousInFocusChain()
        for chip in chips:
            if before is not None and before is not self.more:  # all alone in a window
                QWidget.setTabOrder(before, chip)
            before = chip

    def _chip(self, check: Check) -> QPushButton:
        chip = QPushButton(self._field)
        chip.setProperty("role", "check")
        chip.setCheckable(True)
        chip.clicked.connect(lambda _=False, key=check.key: self._choose(key))
        return chip

    def _dress(self, chip: QPushButton, check: Check) -> None:
        chip.setText(f"{SIGNS[check.light]} {self._short(check)}")
        set_state(chip, STATES[check.light])
        words = _words(check)
        chip.setToolTip(plain_tip(words))
        light = {
            "green": self.tr("good"), "amber": self.tr("could be better"), "red": self.tr("bad"),
        }[check.light]  # fmt: skip
        chip.setAccessibleName(f"{self._short(check)}, {light}")
        chip.setAccessibleDescription(words)

    def _short(self, check: Check) -> str:
        value, missing = check.value, self.tr("no text")
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
            "words": self.tr("words −{0} %").format(round(value)) if value else self.tr("words"),
            "transcript": self.tr("text {0}/s").format(round(value)) if value else missing,
        }
        return names.get(check.key, f"{check.key} {value:.3g} {check.unit}")

    def _explain(self) -> None:
        check = next((c for c in self.checks if c.key == self._chosen), None)
        button = self._cures.get(self._chosen, "") if check and check.light != "green" else ""
        words = ""
        if check is not None:
            words = engine_text(check.message if button or not check.cure else check.cure)
            self.words.setToolTip(plain_tip(_words(check)))
        self.words.setText(words)
        self.words.setVisible(bool(words))
        self.cure.setText(button)
        if button:
            self.cure.setAccessibleName(f"{button}: {engine_text(check.message) if check else ''}")
        self.cure.setToolTip(engine_text(check.cure) if check else "")
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


def _words(check: Check) -> str:
    return f"{engine_text(check.message)} {engine_text(check.cure)}".strip()
