"""What is known of hosts and of feeds: where we may ask, how often, and what the answers say."""
