"""Durable runs of flows on DBOS Transact."""
