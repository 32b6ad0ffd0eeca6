"""What tests and benchmarks share: doubles, drivers, and documents that are made up."""
