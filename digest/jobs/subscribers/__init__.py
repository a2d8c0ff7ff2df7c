"""What subscribers decide: opinions, libraries, pauses and subscriptions."""
