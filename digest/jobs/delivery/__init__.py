"""Delivery of editions; bounces and complaints."""
