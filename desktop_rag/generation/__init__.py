"""From passages to an answer: prompts, budget, citations, extracts."""
