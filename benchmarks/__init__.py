"""What performance claims rest on: `python -m benchmarks` measures and prints one table."""
