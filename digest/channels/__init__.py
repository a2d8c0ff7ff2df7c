"""The ways out: one file each, with a class named ``Channel``."""
