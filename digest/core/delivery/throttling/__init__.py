"""How fast mail is sent: rates, queues of domains, and pauses."""
