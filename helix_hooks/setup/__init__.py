"""Whether a repository is set up so that the gate can't be passed by: facts to lines, without a file or a request."""
