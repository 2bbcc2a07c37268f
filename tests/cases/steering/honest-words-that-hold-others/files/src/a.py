# The pull module; a note via the message. Not all LLM-based tools; not an alias.
