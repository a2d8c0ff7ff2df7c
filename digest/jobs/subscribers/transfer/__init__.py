"""The archive of an account: what it contains, and digests that are imported from one."""
