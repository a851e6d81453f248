"""One synthesis: from a request to events, with the codec beside the language model (spec 06)."""
