"""API tokens on the account of a reader."""
