"""Takes: their data, pictures, list, archive, export."""
