"""The page that the program begins with."""
