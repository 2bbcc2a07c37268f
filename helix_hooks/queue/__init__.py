"""The queue: its store, its three sources, decisions, deadlines and notifications."""
