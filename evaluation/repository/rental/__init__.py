"""Rental of city bikes."""
