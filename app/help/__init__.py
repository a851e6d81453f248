"""Manual, keys, settings, reports, about."""
