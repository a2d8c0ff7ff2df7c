"""The percolator: an inverted index of standing queries, matched with a batch of papers at a time."""
