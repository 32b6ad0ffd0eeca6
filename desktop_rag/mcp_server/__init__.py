"""The server of the Model Context Protocol: other programs ask the knowledge bases they may ask."""
