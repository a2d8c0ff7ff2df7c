"""HTTP requests with rate limits, size limits, deadlines and an SSRF guard."""
