"""What waits for a person, as values: requests, entries, audit trail, notices. Pure."""
