"""Fetching: what to request and when, limits of hosts, and how complete the answers are."""
