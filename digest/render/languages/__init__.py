"""Languages of readers: texts, numbers, days and enumerations."""
