"""Runs first in the built program on Linux."""


def _give_back_search_path() -> None:
    """Programs that we start (a browser, a file manager) must find their own libraries."""
    import os

    if "LD_LIBRARY_PATH_ORIG" in os.environ:
        os.environ["LD_LIBRARY_PATH"] = os.environ.pop("LD_LIBRARY_PATH_ORIG")
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)


def _offer_portaudio() -> None:
    """The system's PortAudio, or else ours, with whatever of its companions is missing."""
    import ctypes
    import ctypes.util
    import os
    import sys

    usual = ctypes.util.find_library
    folder = os.path.join(sys._MEIPASS, "sound")
    needed = ("libasound.so.2", "libdb-5.3.so", "libjack.so.0", "libportaudio.so.2")

    def load(name: str) -> str:
        try:
            ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            own = os.path.join(folder, name)
            ctypes.CDLL(own, mode=ctypes.RTLD_GLOBAL)
            return own
        return name

    def find(name: str) -> str | None:
        if name != "portaudio":
            return usual(name)
        found = None
        for library in needed:
            try:
                found = load(library)
            except OSError:
                found = None
        return found

    ctypes.util.find_library = find


def _speak_utf8() -> None:
    """Without any locale Python would choose this one too, and Qt would complain."""
    import os

    if not any(os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        os.environ["LC_CTYPE"] = "C.UTF-8"


_give_back_search_path()
_speak_utf8()
_offer_portaudio()
