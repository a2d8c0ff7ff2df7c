"""Papers on public pages: the page of a paper, cards, rows, and what programs read about it."""
