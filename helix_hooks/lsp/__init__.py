"""The language server: the protocol of editors, on pygls. It executes nothing of a repository."""
