"""When: clocks on walls, pauses between tries, and times in headers."""
