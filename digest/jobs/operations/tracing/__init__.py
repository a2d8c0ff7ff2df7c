"""Traces of runs by OpenTelemetry (the extra ``otel``)."""
