"""Which sentences of an abstract say what is new."""
