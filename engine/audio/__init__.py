"""Audio in and out: reading files, resampling, references, post-processing, WAV writing."""
