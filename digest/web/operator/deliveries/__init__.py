"""The pages about deliveries: those that a filter selects, and retries and drops of them."""
