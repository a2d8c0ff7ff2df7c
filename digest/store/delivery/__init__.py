"""The outbox, its receipts and rates, and bounces and complaints."""
