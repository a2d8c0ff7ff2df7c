"""Standing queries, what they match, and the search index of papers."""
