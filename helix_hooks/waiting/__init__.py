"""What waits for a person, as values: requests, entries of the queue, audit trail, notices. Pure."""
