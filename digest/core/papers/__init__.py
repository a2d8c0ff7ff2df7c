"""Papers: IDs, categories, merging of what sources say, and what is news."""
