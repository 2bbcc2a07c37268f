"""The checks of `doctor`: facts read here and on GitHub, and their assessment as lines."""
