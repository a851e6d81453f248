"""Model files: which ones are known, where they lie, and how they get here.

Nothing in this package opens a connection by itself: only :func:`engine.hub.fetch.fetch`
does, called for a file that a person chose, and never in offline mode.
"""
