"""Values of what waits for a person: requests, entries, audit trail, notices. Pure."""
