"""Commands that write a configuration and check it."""
