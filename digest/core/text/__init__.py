"""Text from outside: cleaned, made Unicode, and cut into words with their forms."""
