"""Notices, the audit log, numbers for operators, pruning, erasure, and repair after clock errors."""
