"""Setting up a language model, step by step, without leaving the window."""
