"""Names of sections, statuses and header fields with the same meaning, as data.

The first name of a language is the one that `new` writes. Names are compared by
`heading.normalise`, so case, numbering, emoji, markup and punctuation need no entry of their own. A
repository adds names in its settings (`aliases:`). Sources: MADR 2-4, Nygard's template, the German
HELIX template, and translations in public use.
"""

# A table is read in rows.
# fmt: off

LANGUAGES = ("en", "de")

Table = dict[str, dict[str, tuple[str, ...]]]

SECTIONS: Table = {
    "status": {
        "en": ("Status",),
        "fr": ("Statut", "État"),
        "es": ("Estado",),
        "pt": ("Status", "Estado", "Situação"),
        "it": ("Stato",),
        "ru": ("Статус",),
        "zh": ("状态",),
        "ja": ("ステータス", "状態"),
        "ko": ("상태",),
    },
    "context": {
        "en": ("Context", "Context and Problem Statement", "Problem Statement", "Problem",
               "Background", "Motivation", "Context and Problem", "Context and Motivation",
               "Problem Description", "Issue", "Why"),
        "de": ("Kontext", "Kontext und Problemstellung", "Problemstellung", "Problem",
               "Hintergrund", "Ausgangslage", "Motivation", "Kontext und Problem"),
    },
    "decision": {
        "en": ("Decision", "Decision Outcome", "Decisions", "Design Decision",
               "Design Decisions", "Outcome", "Decision Made", "Decision Taken", "Proposal",
               "Solution", "Proposed Solution", "Conclusion", "Resolution", "Chosen Option",
               "Selected Option"),
        "de": ("Entscheidung", "Ergebnis der Entscheidung", "Entscheidungen",
               "Entscheidungsergebnis", "Beschluss", "Gewählte Option", "Ergebnis", "Lösung",
               "Lösungsvorschlag", "Vorschlag"),
    },
    "options": {
        "en": ("Considered Options", "Considered Alternatives", "Options Considered",
               "Alternatives Considered", "Alternatives", "Options", "Alternative Approaches",
               "Rejected Alternatives", "Options and Trade-offs", "Pros and Cons of the Options",
               "Pros and Cons of Options", "Pros and Cons of the Alternatives"),
        "de": ("Betrachtete Optionen", "Erwogene Optionen", "Betrachtete Alternativen",
               "Alternativen", "Optionen", "Geprüfte Alternativen", "Verworfene Alternativen"),
    },
    "drivers": {
        "en": ("Decision Drivers", "Drivers", "Forces", "Decision Criteria"),
        "de": ("Entscheidungstreiber", "Treiber", "Kriterien"),
    },
    "consequences": {
        "en": ("Consequences", "Consequence", "Implications", "Impact", "Trade-offs",
               "Pros and Cons", "Results"),
        "de": ("Konsequenzen", "Konsequenz", "Auswirkungen", "Folgen", "Vor- und Nachteile"),
    },
    "implementation": {
        "en": ("Implementation", "Implementation Plan", "Implementation Notes",
               "Implementation Details", "Technical Implementation", "Detailed Design"),
        "de": ("Implementation", "Implementierung", "Umsetzung", "Umsetzungsplan",
               "Implementierungsplan", "Technische Implementation", "Technische Umsetzung",
               "Implementierungsdetails"),
    },
    "documentation": {
        "en": ("Documentation", "Docs", "Documentation Changes", "Documentation Impact"),
        "de": ("Dokumentation", "Doku", "Dokumentationsänderungen"),
    },
    "acceptance-criteria": {
        "en": ("Acceptance Criteria", "Acceptance Criterion", "Definition of Done",
               "Success Criteria", "Acceptance"),
        "de": ("Akzeptanzkriterien", "Abnahmekriterien", "Akzeptanzkriterium", "Erfolgskriterien"),
    },
    "migration": {
        "en": ("Migration", "Migration Plan", "Migration Strategy", "Migration Path",
               "Migration Steps", "Migration Guide", "Migration Approach", "Migration Phases",
               "Migration Process", "Migration Procedure", "Migration Timeline",
               "Migration Roadmap", "Plan for Migration", "Phased Migration", "Migrating",
               "Data Migration", "Data Migration Plan", "Database Migration",
               "Database Migration Plan", "Schema Migration", "Schema Migration Plan", "Upgrade",
               "Upgrade Guide", "Upgrade Path", "Upgrade Plan", "Upgrade Steps",
               "Upgrade Instructions", "Rollout", "Rollout Plan", "Rollout Strategy",
               "Transition", "Transition Plan"),
        "de": ("Migration", "Migrationsplan", "Migrations-Plan", "Migrationsstrategie",
               "Migrationspfad", "Migrationsschritte", "Migrationsleitfaden",
               "Migrationskonzept", "Migrationsphasen", "Datenmigration", "Datenbankmigration",
               "Umstellungsplan", "Umstellung", "Upgrade-Anleitung", "Rollout", "Rollout-Plan"),
    },
    "rollback": {
        "en": ("Rollback", "Rollback Plan", "Rollback Strategy", "Roll-back", "Backout Plan",
               "Fallback Plan"),
        "de": ("Rollback", "Rollback-Plan", "Rollback-Strategie", "Rückfallplan",
               "Rückfallstrategie", "Rücknahme"),
    },
    "security": {
        "en": ("Security", "Security Considerations", "Security Concerns", "Security Impact",
               "Security and Privacy", "Security and Privacy Considerations"),
        "de": ("Sicherheit", "Sicherheitsaspekte", "Sicherheitsbetrachtung",
               "Sicherheitsüberlegungen", "Security"),
    },
    "references": {
        "en": ("References", "Links", "Related Decisions", "See Also", "More Information",
               "Further Reading", "Related"),
        "de": ("Referenzen", "Verweise", "Quellen", "Weitere Informationen", "Literatur"),
    },
    "summary": {
        "en": ("Summary", "TL;DR", "Abstract", "Overview", "Executive Summary"),
        "de": ("Zusammenfassung", "Überblick", "Kurzfassung"),
    },
    "meta": {
        "en": ("Meta", "Metadata", "Meta data", "Document Information", "Document Info",
               "Header", "ADR Header", "ADR Metadata"),
        "de": ("Meta", "Metadaten", "Dokumentinformationen"),
    },
    "questions": {
        "en": ("Open Questions", "Questions", "Unresolved Questions"),
        "de": ("Fragen", "Offene Fragen", "Offene Punkte"),
    },
    "out-of-scope": {
        "en": ("Out of Scope", "Not in Scope", "Non-Goals", "Future Work"),
        "de": ("Nicht im Umfang", "Außerhalb des Umfangs", "Nicht-Ziele", "Ausblick"),
    },
    "changelog": {
        "en": ("Changelog", "Change Log", "History", "Revision History", "Amendments",
               "Amendment", "Addendum", "Addenda", "Update", "Updates"),
        "de": ("Änderungshistorie", "Änderungsverlauf", "Historie", "Nachtrag", "Nachträge",
               "Ergänzung", "Ergänzungen"),
    },
}
"""Names of sections. Those of the status are in all languages of `STATUSES`, since the
status guards what was decided."""

STATUSES: Table = {
    "Draft": {
        "en": ("Draft", "Drafted", "In Progress", "WIP", "Work in Progress", "RFC",
               "Experimental", "Research", "Exploration", "Idea"),
        "de": ("Entwurf", "In Arbeit"),
        "fr": ("Brouillon", "Ébauche"), "es": ("Borrador",), "pt": ("Rascunho",), "it": ("Bozza",),
        "nl": ("Concept", "Ontwerp"),
        "ru": ("Черновик",), "zh": ("草稿",), "ja": ("ドラフト", "下書き"), "ko": ("초안",),
    },
    "Proposed": {
        "en": ("Proposed", "Proposal", "Pending", "Suggested", "In Review", "Under Review",
               "In Discussion", "Open", "On Hold", "Deferred", "Postponed", "Review", "Reviewing",
               "For Review", "Ready for Review", "Under Discussion", "Under Consideration",
               "Awaiting Approval", "Candidate", "Being Evaluated", "Under Evaluation",
               "In Evaluation", "Evaluating", "To Be Evaluated", "Stagnant"),
        "de": ("Vorgeschlagen", "Vorschlag", "Offen", "In Diskussion", "In Prüfung"),
        "fr": ("Proposé", "Proposée", "Proposition", "En attente", "En cours"),
        "es": ("Propuesto", "Propuesta", "Pendiente"), "pt": ("Proposto", "Proposta", "Pendente"),
        "it": ("Proposto", "Proposta", "In attesa"),
        "nl": ("Voorgesteld", "Voorstel", "In behandeling"),
        "ru": ("Предложено", "Предложен", "На рассмотрении"), "zh": ("提议", "提议中", "已提议"),
        "ja": ("提案", "提案中"),
        "ko": ("제안됨", "제안"),
    },
    "Accepted": {
        "en": ("Accepted", "Approved", "Adopted", "Decided", "Agreed", "Active", "Living",
               "Ratified", "Final", "Accept", "Revised", "Partially implemented",
               "Partly implemented", "Partly superseded", "Partially superseded",
               "Partially accepted", "Partly accepted", "Conditionally accepted",
               "Accepted in part", "Provisionally accepted", "Confirmed", "Current",
               "In effect", "Effective", "Agreed upon", "Not implemented",
               "Not yet implemented"),
        "de": ("Akzeptiert", "Angenommen", "Genehmigt", "Beschlossen", "Entschieden",
               "Freigegeben"),
        "fr": ("Accepté", "Acceptée", "Approuvé", "Approuvée", "Validé", "Validée", "Adopté",
               "Adoptée", "Résolu"),
        "es": ("Aceptado", "Aceptada", "Aprobado", "Aprobada"),
        "pt": ("Aceito", "Aceita", "Aceite", "Aprovado", "Aprovada"),
        "it": ("Accettato", "Accettata", "Approvato", "Approvata"),
        "nl": ("Geaccepteerd", "Aanvaard", "Goedgekeurd"),
        "ru": ("Принято", "Принят", "Принято к исполнению"), "zh": ("通过", "已接受", "已通过", "接受"),
        "ja": ("承認", "承認済み", "採用"),
        "ko": ("승인됨", "승인", "수락됨", "채택됨"),
    },
    "Implemented": {
        "en": ("Implemented", "Done", "Completed", "Shipped", "Complete", "Fully implemented"),
        "de": ("Implementiert", "Umgesetzt", "Erledigt", "Abgeschlossen"),
        "fr": ("Implémenté", "Implémentée", "Mis en œuvre", "Terminé"),
        "es": ("Implementado", "Implementada"),
        "pt": ("Implementado", "Implementada"), "it": ("Implementato", "Implementata", "Attuato"),
        "nl": ("Geïmplementeerd", "Uitgevoerd"),
        "ru": ("Реализовано",), "zh": ("完成", "已完成", "已实施"), "ja": ("実装済み",), "ko": ("구현됨",),
    },
    "Superseded": {
        "en": ("Superseded", "Superceded", "Replaced", "Superseded by"),
        "de": ("Ersetzt", "Abgelöst", "Überholt"),
        "fr": ("Remplacé", "Remplacée", "Supplanté"),
        "es": ("Reemplazado", "Reemplazada", "Sustituido", "Sustituida"),
        "pt": ("Substituído", "Substituída"), "it": ("Sostituito", "Sostituita", "Superato"),
        "nl": ("Vervangen", "Achterhaald"),
        "ru": ("Заменено", "Заменён"), "zh": ("已取代", "已替代", "已被取代"), "ja": ("置換", "置き換え"),
        "ko": ("대체됨",),
    },
    "Deprecated": {
        "en": ("Deprecated", "Depreciated", "Obsolete", "Retired", "Reverted", "Rolled back",
               "Reversed", "Outdated", "No longer valid"),
        "de": ("Veraltet", "Obsolet", "Abgekündigt"),
        "fr": ("Déprécié", "Dépréciée", "Obsolète"), "es": ("Obsoleto", "Obsoleta"),
        "pt": ("Obsoleto", "Depreciado", "Descontinuado"),
        "it": ("Deprecato", "Obsoleto"), "nl": ("Verouderd",), "ru": ("Устарело",),
        "zh": ("已弃用", "弃用", "已废弃"), "ja": ("廃止", "非推奨"),
        "ko": ("폐기됨", "사용되지 않음"),
    },
    "Rejected": {
        "en": ("Rejected", "Declined", "Denied", "Refused", "Discarded"),
        "de": ("Abgelehnt", "Verworfen", "Zurückgewiesen"),
        "fr": ("Rejeté", "Rejetée", "Refusé"), "es": ("Rechazado", "Rechazada"),
        "pt": ("Rejeitado", "Rejeitada", "Recusado"),
        "it": ("Rifiutato", "Rifiutata", "Respinto"), "nl": ("Afgewezen", "Verworpen"),
        "ru": ("Отклонено", "Отклонён"), "zh": ("拒绝", "已拒绝"),
        "ja": ("却下",), "ko": ("거부됨", "거절됨"),
    },
    "Withdrawn": {
        "en": ("Withdrawn", "Abandoned", "Cancelled", "Canceled"),
        "de": ("Zurückgezogen", "Aufgegeben"), "fr": ("Retiré", "Abandonné"),
        "es": ("Retirado", "Retirada"), "pt": ("Retirado", "Cancelado"),
        "it": ("Ritirato", "Annullato"), "nl": ("Ingetrokken",),
    },
}

FIELDS: dict[str, tuple[str, ...]] = {
    "status": ("Status", "Statut", "Estado", "Stato", "État", "Статус", "状态", "ステータス", "상태",
               "Current Status", "ADR Status"),
    "date": ("Date", "Datum", "Fecha", "Data", "Дата", "日期", "日付", "날짜", "Last Updated", "Created"),
    "adr_id": ("ADR ID", "ADR", "ID", "ADR Number", "ADR Nr", "Number", "Nummer"),
    "title": ("Title", "Titel", "Titre", "Título", "Titolo"),
    "deciders": ("Deciders", "Decision Makers", "Entscheider", "Décideurs", "Decisores", "Decisori",
                 "Beslissers", "Author", "Authors", "Owner", "Autor"),
    "component_type": ("Component Type", "Komponententyp"),
    "classification": ("Classification", "Klassifikation", "Klassifizierung"),
    "change_scope": ("Change Scope", "Änderungsumfang", "Scope of Change"),
    "domain": ("Domain", "Domäne"),
    "language": ("Language", "Sprache"),
    "skills": ("Skills",),
    "files": ("Files", "Dateien"),
    "files_create": ("Files Create", "Files to create", "New files", "Neue Dateien"),
    "files_modify": ("Files Modify", "Files to modify", "Modified files", "Geänderte Dateien"),
    "files_docs": ("Files Docs", "Documentation files"),
    "depends_on": ("Depends On", "Depends", "Dependencies", "Abhängig von", "Hängt ab von",
                   "Dépend de", "Depende de", "Dipende da", "Afhankelijk van"),
    "related_to": ("Related To", "Related", "Verwandt mit"),
    "supersedes": ("Supersedes", "Replaces", "Ersetzt"),
    "superseded_by": ("Superseded By", "Superseded", "Replaced By", "Ersetzt durch"),
    "project_type": ("Project Type", "Projekttyp"),
    "concept": ("Concept", "Konzept"),
}
"""Header fields and the words for them outside YAML; `-`, `_` and blanks are the same."""
