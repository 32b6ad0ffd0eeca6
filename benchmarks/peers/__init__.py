"""The comparison with peers: the same files, questions and machine, each in its own environment.

What runs in a peer's environment (`protocol`, the pipelines) imports nothing of the program.
"""
