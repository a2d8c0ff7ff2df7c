"""The file ``digest.toml``: found, read, checked, changed and started."""
