"""The steps of the pipeline: each applies decisions of ``core`` to the outside world, and can be interrupted anywhere."""
