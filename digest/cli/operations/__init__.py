"""Commands that run and look after the service."""
