"""Intents become jobs, events become state: the window's logic, QtCore only."""
