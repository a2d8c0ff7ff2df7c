"""Standing queries, their matches, and the search index of papers."""
