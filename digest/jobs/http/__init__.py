"""HTTP requests: rate-limited, guarded and bounded."""
