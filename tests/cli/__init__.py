"""The command line's words and prints."""
