"""The ways out: one file or folder each, with a class named ``Channel``."""
