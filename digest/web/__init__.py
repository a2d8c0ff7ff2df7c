"""HTTP in, HTTP out: the pages and feeds that mails and feed readers lead to. Only ``digest serve`` imports it."""
