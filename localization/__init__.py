"""How the window's other languages are kept: strings are read from the source, and compiled."""
