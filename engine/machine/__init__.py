"""The machine under the engine: backends and their verdicts, threads, memory."""
