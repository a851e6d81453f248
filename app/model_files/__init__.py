"""Model files: which there are, how they are fetched and opened."""
