"""One process owns a data folder: its lock, its socket, and its clients."""
