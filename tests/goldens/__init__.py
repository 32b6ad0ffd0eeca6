"""What the program says today, written down, to be held against what it says after a change."""
