"""The local HTTP server: the peer's ``/generate`` and OpenAI's speech endpoint.

Needs the extra ``server``. Start with :class:`engine.server.server.LocalServer`.
"""
