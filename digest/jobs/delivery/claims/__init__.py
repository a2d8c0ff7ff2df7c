"""Claims of deliveries: what each process and worker gets next, under the limits of all."""
