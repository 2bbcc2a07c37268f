"""Two versions of a text: which words, signs and targets differ."""
