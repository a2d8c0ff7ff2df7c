"""The tables about delivery: destinations, rates, DKIM and bounces."""
