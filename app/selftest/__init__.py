"""What a start with --selftest tries, and the smoke test of a build."""
