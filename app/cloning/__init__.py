"""From a sound to a voice: recording, clip, transcript, checks, saving."""

# A built program starts itself with it, since it has no other Python.
CHILD_FLAG = "--transcribe-child"
