"""How well pages of many layouts are read: made here, with the exact text that each holds."""
