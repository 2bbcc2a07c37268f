"""The demands of `doctor` on a repository: facts as values, and the judgement of them as lines."""
