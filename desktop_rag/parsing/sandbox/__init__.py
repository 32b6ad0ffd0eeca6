"""Child processes that parse: what they may not do, and what is done when they fail."""
