"""Intents become jobs, events become state: the window's mind, QtCore only."""
