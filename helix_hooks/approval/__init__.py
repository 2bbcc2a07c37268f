"""What a repository allows: approval types, agents and policy."""
