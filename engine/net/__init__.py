"""What every client of the network shares."""
