"""Commands about deliveries and what comes back."""
