"""The web server of the queue."""
