"""Delivery of editions, and what comes back of them."""
