"""``digest worker``: the steps of a cycle as tasks of Procrastinate, for any number of processes on any number of machines."""
