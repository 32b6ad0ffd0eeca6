"""Attacks: hostile files, archives, servers and folders against the real program, each bounded.

    python -m tests.attacks [--quick] [--only NAME] [--seed N]

prints one table (attack, tried, held, not held, peak memory, seconds) and ends with 1 if anything
did not hold. Everything stays on this computer, on loopback, in a folder of its own; what an attack
draws at random follows from the seed. `--quick` is the core that continuous integration runs.

A module of this package that has `ATTACKS` is found by itself.
"""
