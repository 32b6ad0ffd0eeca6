"""The vocabulary: values, events, errors, settings and paths; imports nothing of ours."""
