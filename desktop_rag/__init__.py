"""Desktop RAG: questions answered from one's own documents, offline, each answer at its place."""
