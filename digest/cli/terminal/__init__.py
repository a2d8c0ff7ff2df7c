"""What commands share: options, progress bars, and what a terminal shows."""
