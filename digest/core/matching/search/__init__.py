"""Search over all papers: candidates of a query in the index, their order, and positions in the results."""
