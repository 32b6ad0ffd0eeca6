"""Tables of the user's documents as typed tables that a query runs over, row by row."""
