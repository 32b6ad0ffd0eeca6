"""From a file's bytes to blocks of text with their places; sees neither catalog nor models."""
