"""What readers import into their digests, and the archive of an account."""
