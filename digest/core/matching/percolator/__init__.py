"""The inverted index of queries: standing queries, matched with a batch of papers at a time."""
