"""The conversation: transcript, composer, list of conversations."""
