"""What is said on a pull request: pages, replies and payloads, as values. Pure."""
