"""What `doctor` asks of a repository: facts as values, and the judgement of them as lines."""
