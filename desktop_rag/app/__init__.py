"""QtCore only: intents become jobs, events become state."""
