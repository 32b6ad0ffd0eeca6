"""What one can ask of the program, one verb a file: a request in, events out."""
