"""From a sound to a voice: recording, clip, transcript, checks, saving."""
