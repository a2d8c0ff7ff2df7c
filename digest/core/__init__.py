"""The decisions of the pipeline: pure functions, without I/O, clock or randomness."""
