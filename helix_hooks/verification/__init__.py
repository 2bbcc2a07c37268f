"""The verification of a contract as values: evidence in, result, feedback and attempts out."""
