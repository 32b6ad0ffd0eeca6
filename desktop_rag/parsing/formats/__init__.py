"""One module a family of formats; runs in a child process."""
