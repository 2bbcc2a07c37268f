"""The requirements of `doctor` on a repository: facts as values, and their assessment as lines."""
