"""Facts about a pull request, and the decision computed from them. Pure."""
