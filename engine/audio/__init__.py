"""Sound: reading, writing, levels, rates, checks of recordings, and playing as it is made.

The library that reads sound files is loaded with the first name that needs it.
"""

from typing import TYPE_CHECKING

from engine import lazy_names
from engine.audio.clip import AudioClip
from engine.audio.encode import ExportFormat, encode_audio
from engine.audio.live_output import LiveSink
from engine.audio.reference_checks import Check, check_reference
from engine.audio.resample import StreamResampler, downmix, resample
from engine.audio.start_rule import Cover, SpeedMeter, cover
from engine.audio.wav import encode_wav, write_wav

if TYPE_CHECKING:
    from engine.audio.files import read_audio
else:
    __getattr__ = lazy_names(__name__, {"engine.audio.files": ("read_audio",)})
