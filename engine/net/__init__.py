"""What every client of the network shares; :mod:`engine.net.rules` imports no network."""
