"""One module a format; runs in child processes and sees neither store nor models."""
