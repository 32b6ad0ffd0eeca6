"""Text recognition: pages that are pictures become lines of text with their places."""
