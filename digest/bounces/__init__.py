"""Mail providers that report bounces and complaints by HTTP requests, one file each."""
