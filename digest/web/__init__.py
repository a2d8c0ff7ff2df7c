"""The web server: the pages and feeds to which mails and feed readers link. Only ``digest serve`` imports it."""
