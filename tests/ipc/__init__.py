"""The service: one owner, its clients, and what they say to each other."""
