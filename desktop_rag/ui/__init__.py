"""The window: widgets that paint what app holds and turn clicks into intents."""
