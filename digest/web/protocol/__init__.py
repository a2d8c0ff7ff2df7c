"""HTTP/1.1 below the site: limits, pipelining, and a fast path for cached responses."""
