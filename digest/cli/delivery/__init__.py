"""Commands about deliveries and bounces."""
