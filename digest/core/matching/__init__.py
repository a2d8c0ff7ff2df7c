"""Which papers fit which queries, and why: one at a time, and a day at once."""
