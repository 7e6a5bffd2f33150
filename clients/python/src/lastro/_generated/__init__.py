"""Generated from the OpenAPI document."""
