"""The sentences of :mod:`engine.hub`, marked for translation as those of the engine are."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

SENTENCES = (
    QT_TRANSLATE_NOOP("Engine", "The download failed"),
    QT_TRANSLATE_NOOP("Engine", "Offline mode is on"),
    QT_TRANSLATE_NOOP("Engine", "The license was not accepted"),
    QT_TRANSLATE_NOOP("Engine", "The hub asks who you are"),
    QT_TRANSLATE_NOOP("Engine", "The file is not there"),
    QT_TRANSLATE_NOOP("Engine", "The file is damaged"),
    QT_TRANSLATE_NOOP("Engine", "The disk is full"),
    QT_TRANSLATE_NOOP("Engine", "Already being downloaded"),
    QT_TRANSLATE_NOOP("Engine", "no connection to the server"),
    QT_TRANSLATE_NOOP("Engine", "the server sends nothing"),
    QT_TRANSLATE_NOOP("Engine", "the connection was cut"),
    QT_TRANSLATE_NOOP("Engine", "the connection ended early"),
    QT_TRANSLATE_NOOP("Engine", "the name of the server is not known; is this machine online?"),
    QT_TRANSLATE_NOOP("Engine", "the server sends the request in a circle"),
    QT_TRANSLATE_NOOP("Engine", "the server redirects to nowhere"),
    QT_TRANSLATE_NOOP("Engine", "the server redirects to an address without encryption"),
    QT_TRANSLATE_NOOP("Engine", "the server sent another piece than the one asked for"),
    QT_TRANSLATE_NOOP("Engine", "the server has fewer bytes than are here"),
    QT_TRANSLATE_NOOP("Engine", "the file was changed on the server; it is fetched anew"),
    QT_TRANSLATE_NOOP("Engine", "this version is gone; the newest one is asked for"),
    QT_TRANSLATE_NOOP("Engine", "the certificate of the server is not trusted"),
    QT_TRANSLATE_NOOP("Engine", "Try later. What is there is kept; going on begins behind it."),
    QT_TRANSLATE_NOOP("Engine", "Try later."),
    QT_TRANSLATE_NOOP("Engine", "Wait for it, or stop it in the other window."),
    QT_TRANSLATE_NOOP("Engine", "Turn offline mode off, or use a file that you have."),
    QT_TRANSLATE_NOOP("Engine", "Read it and accept it first."),
    QT_TRANSLATE_NOOP("Engine", "Make room, or choose a folder on another disk."),
    QT_TRANSLATE_NOOP("Engine", "What is there is kept. Make room and go on."),
    QT_TRANSLATE_NOOP("Engine", "Choose a folder on another disk; FAT32 ends at 4 GB."),
    QT_TRANSLATE_NOOP("Engine", "Choose another folder."),
    QT_TRANSLATE_NOOP("Engine", "It was thrown away. Try again, or another source."),
    QT_TRANSLATE_NOOP(
        "Engine", "It was thrown away. Try again; with a mirror, try the hub itself."
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "It was changed there, or the mirror is not honest. Nothing was kept of it."
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "Sign in to the network first, or look at the address of the mirror."
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "Look at the clock of this machine and at the address of the mirror."
    ),
    QT_TRANSLATE_NOOP("Engine", "Look at the address of the mirror, or use a file that you have."),
    QT_TRANSLATE_NOOP(
        "Engine", "Accept the terms on the page of the weights and set an access token."
    ),
    QT_TRANSLATE_NOOP("Engine", "This is refused. Use another mirror."),
    QT_TRANSLATE_NOOP("Engine", "Use another mirror."),
    QT_TRANSLATE_NOOP("Engine", "Look at the address of the mirror, or try the hub itself."),
    QT_TRANSLATE_NOOP("Engine", "Look at HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE."),
    QT_TRANSLATE_NOOP("Engine", "Remove it where it lies."),
    QT_TRANSLATE_NOOP("Engine", "Close whatever uses it, then try again."),
)

# The first one that fits is taken, so the more particular ones come first.
PATTERNS = (
    QT_TRANSLATE_NOOP("Engine", "{0} could not be fetched: {1}"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Try again in {0} minutes. What is there is kept; going on begins behind it.",
    ),
    QT_TRANSLATE_NOOP("Engine", "the server asks for patience (status {0})"),
    QT_TRANSLATE_NOOP("Engine", "the server has a fault (status {0})"),
    QT_TRANSLATE_NOOP("Engine", "the storage refused (status {0})"),
    QT_TRANSLATE_NOOP("Engine", "the server announces {0} bytes in place of {1}"),
    QT_TRANSLATE_NOOP("Engine", "the connection failed ({0})"),
    QT_TRANSLATE_NOOP("Engine", "{0} is not here, and offline mode is on"),
    QT_TRANSLATE_NOOP("Engine", "{0} is already being downloaded"),
    QT_TRANSLATE_NOOP("Engine", "the weights are under the {0}"),
    QT_TRANSLATE_NOOP("Engine", "{0} are still to come and {1} are free in {2}"),
    QT_TRANSLATE_NOOP("Engine", "the disk is full: {0} cannot be written on"),
    QT_TRANSLATE_NOOP("Engine", "{0} is too large for the file system of {1}"),
    QT_TRANSLATE_NOOP("Engine", "{0} arrived with the SHA-256 {1} in place of {2}"),
    QT_TRANSLATE_NOOP("Engine", "what arrived as {0} cannot be used: {1}"),
    QT_TRANSLATE_NOOP("Engine", "the file {0} on the server is not the one that is known"),
    QT_TRANSLATE_NOOP("Engine", "a web page came in place of {0}"),
    QT_TRANSLATE_NOOP("Engine", "{0} has no {1} (status {2})"),
    QT_TRANSLATE_NOOP("Engine", "{0} is given only to accounts that were let in (status {1})"),
    QT_TRANSLATE_NOOP("Engine", "the server answered with status {0} for {1}"),
    QT_TRANSLATE_NOOP("Engine", "the server packs {0} though it was asked not to"),
    QT_TRANSLATE_NOOP("Engine", "{0} is not in the model folder"),
    QT_TRANSLATE_NOOP("Engine", "the server sends more than {0} can be"),
    QT_TRANSLATE_NOOP("Engine", "the network settings of this machine cannot be used ({0})"),
    QT_TRANSLATE_NOOP("Engine", "{0} cannot be removed ({1})"),
)
