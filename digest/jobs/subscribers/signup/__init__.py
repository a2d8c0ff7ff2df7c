"""Sign-ups and sign-ins: links by mail and their limits, and the sessions that they begin."""
