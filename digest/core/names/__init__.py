"""Printed names: what their parts are, and whether one can be a wanted person's."""
