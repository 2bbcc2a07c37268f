"""Text of others: invisible characters, encodings, secrets, and text that is safe to show. Pure."""
