"""Commands about subscribers."""
