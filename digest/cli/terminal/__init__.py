"""Parts that commands share: options, progress bars, and output for terminals."""
