"""The decisions: pure functions, without I/O, clock or randomness."""
