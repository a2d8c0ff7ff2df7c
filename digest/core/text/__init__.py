"""Text from outside: cleaned, converted to Unicode, and split into words with their forms."""
