"""Takes: the archive that keeps them, their provenance inside sound files, and export."""
