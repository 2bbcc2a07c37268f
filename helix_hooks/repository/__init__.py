"""Git: commits, trees, links, and the ADRs in them."""
