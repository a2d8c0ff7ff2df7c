"""Commands that set up, run and look after the service."""
