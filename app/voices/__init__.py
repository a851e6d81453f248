"""The voice library."""
