"""Two versions of a text: which words, signs and spellings differ."""
