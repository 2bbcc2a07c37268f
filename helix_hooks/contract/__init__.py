"""The ADRs that work claims to implement, and lines that an ADR could promise."""
