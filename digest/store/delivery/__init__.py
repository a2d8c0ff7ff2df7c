"""The outbox, its receipts and rates, and what comes back."""
