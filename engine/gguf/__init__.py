"""GGUF model files: container, storage types, and weights as torch modules (spec 01)."""
