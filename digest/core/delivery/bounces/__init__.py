"""Bounces and complaints: parsing, and the status of addresses that follows."""
