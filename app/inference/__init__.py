"""The engine's side of the window: its thread, jobs and states, and the panel that steers it."""
