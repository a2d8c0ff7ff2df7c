"""The verbs: each joins the core's decisions to the world, and stops and starts again by itself."""
