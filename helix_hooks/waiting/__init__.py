"""Values of what waits for a person: requests, entries of the queue, audit trail, notices. Pure."""
