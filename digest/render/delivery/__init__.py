"""Messages: mails, chats, documents and files."""
