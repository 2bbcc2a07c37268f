"""Gates, phases and flows as values: what is done next, and what a person is asked. Pure."""
