"""Sources of papers, one module each, found by its name; they build requests, parse responses, and do no I/O."""
