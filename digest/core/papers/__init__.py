"""What a paper is: its ids, its categories, what its sources say of it put together, and what is news about it."""
