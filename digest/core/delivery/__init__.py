"""Delivery: replies of servers, sending rates, bounces, DNS records, chat messages, and links in mails."""
