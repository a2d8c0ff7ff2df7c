"""The ledger of fetched days, their listings, and the rate limits of hosts."""
