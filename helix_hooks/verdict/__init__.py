"""A judge's question and answer as values: prompt, verdict, quotes, signs of steering."""
