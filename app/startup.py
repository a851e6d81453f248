"""From the command line to the last line: one window for each user, and a clean end."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QApplication

from app.application import Application, StartOptions, make_application
from app.core.file_arguments import OpenedFiles
from app.core.single_instance import SingleInstance
from app.help.diagnostics import LogFile

log = logging.getLogger(__name__)

WAKE_MS = 200


def run(argv: list[str], options: StartOptions) -> int:
    """Show the window and stay until it is closed; returns the exit code.

    When the engine thread does not end in time (a library call that cannot be interrupted),
    everything is saved by then and the process leaves at once: ending Qt with the thread
    alive would abort it, and killing the thread could leave locks held.
    """
    app = make_application(argv)
    paths = options.paths()
    first = SingleInstance(paths.config)
    files = [*([options.model] if options.model is not None else []), *options.files]
    if not first.claim(files):
        print("s2studio: the window is open already; it was asked to come to the front.")
        return 0
    log_file = LogFile(paths.logs or paths.data)
    session = Application(app, options)
    session.help.log = log_file
    first.asked.connect(session.come_to_front)
    if sys.platform == "darwin":  # elsewhere files come with the command line
        OpenedFiles(app).asked.connect(session.come_to_front)
    app.aboutToQuit.connect(session.shutdown)
    waker = _quit_on_signals(app)
    sys.excepthook = session.report_fault
    threading.excepthook = _log_thread_fault
    session.show()
    code = QCoreApplication.exec()
    waker.stop()
    ended = session.shutdown()
    first.release()
    if not ended:
        log.warning("the engine thread did not end in time")
        log_file.close()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # there is none in a program without a console
                stream.flush()
        os._exit(code)
    log_file.close()
    return code


def _log_thread_fault(fault: threading.ExceptHookArgs) -> None:
    kind, error = fault.exc_type, fault.exc_value or fault.exc_type()
    log.critical("a fault in a thread", exc_info=(kind, error, fault.exc_traceback))


def _quit_on_signals(app: QApplication) -> QTimer:
    """Ctrl+C and a polite kill close the window like the user would. Python runs its handlers
    only between its own instructions, so a timer gives it some while Qt waits."""
    for number in (signal.SIGINT, signal.SIGTERM):
        # In a turn of its own, which comes also when Qt does not wait for events yet.
        signal.signal(number, lambda *_: QTimer.singleShot(0, app.quit))
    waker = QTimer(app)
    waker.timeout.connect(lambda: None)
    waker.start(WAKE_MS)
    return waker
