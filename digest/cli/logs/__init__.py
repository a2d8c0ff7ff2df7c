"""What a service prints while it runs: lines for people, or a log as JSON."""
