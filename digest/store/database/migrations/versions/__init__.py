"""Scripts of the migrations in their order."""
