"""Gates, phases and flows as values: the next tasks, and the questions to people. Pure."""
