"""Drills: the real program is killed, starved and damaged on purpose, and then looked over.

    python -m tests.drills [--kills 50] [--only NAME] [--seed N]

prints one table, and ends with 1 if anything was lost, doubled, hung or found otherwise.
"""
