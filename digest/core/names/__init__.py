"""Printed names: how they are parsed, and whether one matches the name of a followed person."""
