"""The command line: does what the window does, without Qt and without a display."""
