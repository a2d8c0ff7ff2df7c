"""The public API: what the public pages show, as JSON."""
