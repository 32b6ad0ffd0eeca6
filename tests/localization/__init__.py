"""Tests of the window's other languages."""
