"""Layer 2: rules of a repository, read from YAML: when an ADR says this, require that."""
