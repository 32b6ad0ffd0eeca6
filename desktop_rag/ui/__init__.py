"""The widgets; they paint and hand intents on."""
