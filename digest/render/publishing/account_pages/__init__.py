"""Pages of readers who sign in: the form, and "Your account"."""
