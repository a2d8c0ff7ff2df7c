"""The file ``digest.toml``: finding, reading, validating, editing and creating it."""
