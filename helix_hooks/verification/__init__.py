"""Whether a contract is fulfilled, as values: evidence in, result, feedback and attempts out."""
