"""Texts that several tests check."""

GOOD = "# 7. Use Kafka\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nKafka.\n\n## Consequences\n\nx\n"
