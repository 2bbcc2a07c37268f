"""Pages, replies and payloads for a pull request, as values. Pure."""
