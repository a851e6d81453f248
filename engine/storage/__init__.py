"""Files: whole-file writing, strict JSON, locks, and where shipped data lies."""
