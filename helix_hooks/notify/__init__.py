"""Notifications: which people get which message, and how it is sent."""
