"""Facts for `doctor`, from the clone and from GitHub."""
