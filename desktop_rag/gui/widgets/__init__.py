"""Small parts that every pane uses."""
