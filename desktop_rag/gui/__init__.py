"""The window: widgets that show what the controllers hold, and turn clicks into intents."""
