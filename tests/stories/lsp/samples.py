"""ADRs that the stories open."""

HELIX = """---
adr_id: "{number}"
title: "{title}"
status: {status}
{more}---

# ADR-{number}: {title}

## Kontext

Die Bestellungen kommen schneller, als die Datenbank sie schreiben kann, und gehen verloren.

## Entscheidung

Wir schreiben sie zuerst in eine Warteschlange und danach in die Datenbank, nie umgekehrt.

## Implementation

Ein Dienst liest die Warteschlange und schreibt jede Bestellung genau einmal in die Datenbank.

## Dokumentation

Die Seite über Bestellungen beschreibt die Warteschlange und nennt die Grenzen ihrer Größe.

## Akzeptanzkriterien

- [ ] Eine Bestellung ist nach einem Neustart noch da.
- [ ] Zwei gleiche Bestellungen werden einmal geschrieben.
- [ ] Die Warteschlange meldet, wenn sie voll ist: `make load`.

## Konsequenzen

Eine Bestellung steht bis zu einer Sekunde später in der Datenbank, was niemanden stört.
"""


def helix(number: str, title: str, *, status: str = "Accepted", more: str = "") -> str:
    """Return an ADR in German that has no finding; `more` are lines of its header."""
    return HELIX.format(number=number, title=title, status=status, more=more)


def line_of(text: str, part: str) -> int:
    """Return the number, from 0, of the first line with a text."""
    return next(number for number, row in enumerate(text.split("\n")) if part in row)
