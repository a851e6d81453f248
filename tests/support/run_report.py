"""What a run tells while it goes on: each failure by name at once, and at its end the slow tests.

A test that computes for more than two seconds bears a marker, so that a person can leave it out.
Seconds are those of the processor, since a busy machine stretches the others; they are told and
not asserted, since machines differ.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

LIMIT_S = 2.0
KEY = "unmarked_slow_s"
MARKERS = {"real", "slow", "speech", "packaged"}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    started = time.process_time()
    yield
    took = time.process_time() - started
    if took > LIMIT_S and not MARKERS & {mark.name for mark in item.iter_markers()}:
        item.user_properties.append((KEY, round(took, 1)))


class RunReport:
    """Writes for the process that collects the results of all workers."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._slow: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        took = dict(report.user_properties).get(KEY)
        if isinstance(took, float):
            self._slow[report.nodeid] = took
        writer = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and writer is not None:
            writer.ensure_newline()
            writer.write_line(f"FAILED while {report.when}: {report.nodeid}")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._slow:
            terminalreporter.section(f"above {LIMIT_S:g} s without the marker slow")
            for name, seconds in sorted(self._slow.items(), key=lambda row: -row[1]):
                terminalreporter.write_line(f"{seconds:5.1f} s {name}")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(RunReport(config))
