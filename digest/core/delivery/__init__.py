"""What servers answer to our mails, how fast we may send, and the links that our mails carry."""
