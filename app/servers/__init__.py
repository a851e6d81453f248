"""Serving other programs, and speaking through a server elsewhere."""
