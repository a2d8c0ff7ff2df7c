"""HTTP/1.1 below the site: limits, pipelining, and responses that are kept ready."""
