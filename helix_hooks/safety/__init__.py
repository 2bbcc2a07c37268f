"""Judgements on how a repository is protected, from facts. Pure."""
