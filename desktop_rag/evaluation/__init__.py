"""Question sets, metrics and runs."""
