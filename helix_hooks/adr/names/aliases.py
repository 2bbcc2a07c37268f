"""Which names mean the same section, status or header field, as data.

The first name of a language is the one that `new` writes. Names are compared by `heading.normalise`, so case,
numbering, emoji, markup and punctuation need no entry of their own. A repository adds names in its settings
(`aliases:`). Sources: MADR 2-4, Nygard's template, the German HELIX template, and translations in public use.
"""

# A table is read in rows.
# fmt: off

LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl", "ru", "zh", "ja", "ko")

Table = dict[str, dict[str, tuple[str, ...]]]

SECTIONS: Table = {
    "status": {
        "en": ("Status",), "fr": ("Statut", "État"), "es": ("Estado",), "pt": ("Status", "Estado", "Situação"),
        "it": ("Stato",), "ru": ("Статус",), "zh": ("状态",), "ja": ("ステータス", "状態"), "ko": ("상태",),
    },
    "context": {
        "en": ("Context", "Context and Problem Statement", "Problem Statement", "Problem", "Background", "Motivation",
               "Context and Problem", "Context and Motivation", "Problem Description", "Issue", "Why"),
        "de": ("Kontext", "Kontext und Problemstellung", "Problemstellung", "Problem", "Hintergrund", "Ausgangslage",
               "Motivation", "Kontext und Problem"),
        "fr": ("Contexte", "Contexte et énoncé du problème", "Contexte et problème", "Énoncé du problème", "Problème",
               "Problématique"),
        "es": ("Contexto", "Contexto y planteamiento del problema", "Contexto y problema", "Problema",
               "Planteamiento del problema", "Antecedentes"),
        "pt": ("Contexto", "Contexto e declaração do problema", "Contexto e problema", "Contexto e definição do problema",
               "Problema", "Declaração do problema"),
        "it": ("Contesto", "Contesto e definizione del problema", "Contesto e problema", "Problema",
               "Definizione del problema"),
        "nl": ("Context", "Context en probleemstelling", "Probleemstelling", "Probleem", "Achtergrond"),
        "ru": ("Контекст", "Контекст и постановка проблемы", "Проблема"), "zh": ("背景", "上下文", "背景与问题陈述"),
        "ja": ("背景", "コンテキスト", "文脈", "コンテキストと課題"), "ko": ("맥락", "문맥", "컨텍스트", "상황", "배경"),
    },
    "decision": {
        "en": ("Decision", "Decision Outcome", "Decisions", "Design Decision", "Design Decisions", "Outcome",
               "Decision Made", "Decision Taken", "Proposal",
               "Solution", "Proposed Solution", "Conclusion", "Resolution", "Chosen Option", "Selected Option"),
        "de": ("Entscheidung", "Ergebnis der Entscheidung", "Entscheidungen", "Entscheidungsergebnis", "Beschluss",
               "Gewählte Option", "Ergebnis", "Lösung", "Lösungsvorschlag", "Vorschlag"),
        "fr": ("Décision", "Résultat de la décision", "Décisions", "Option retenue"),
        "es": ("Decisión", "Resultado de la decisión", "Decisiones", "Opción elegida"),
        "pt": ("Decisão", "Resultado da decisão", "Decisões", "Opção escolhida"),
        "it": ("Decisione", "Esito della decisione", "Esito", "Decisioni", "Risultato della decisione"),
        "nl": ("Beslissing", "Beslissingsresultaat", "Besluit", "Uitkomst van de beslissing", "Beslissingen"),
        "ru": ("Решение", "Итог", "Принятое решение", "Результат решения"), "zh": ("决策", "决定", "决策结果", "决议"),
        "ja": ("決定", "決定内容", "意思決定結果", "決定事項"), "ko": ("결정", "결정 사항", "결정 결과"),
    },
    "options": {
        "en": ("Considered Options", "Considered Alternatives", "Options Considered", "Alternatives Considered",
               "Alternatives", "Options", "Alternative Approaches", "Rejected Alternatives", "Options and Trade-offs",
               "Pros and Cons of the Options", "Pros and Cons of Options", "Pros and Cons of the Alternatives"),
        "de": ("Betrachtete Optionen", "Erwogene Optionen", "Betrachtete Alternativen", "Alternativen", "Optionen",
               "Geprüfte Alternativen", "Verworfene Alternativen"),
        "fr": ("Options envisagées", "Options considérées", "Alternatives envisagées", "Alternatives", "Options"),
        "es": ("Opciones consideradas", "Alternativas consideradas", "Alternativas", "Opciones"),
        "pt": ("Opções consideradas", "Alternativas consideradas", "Alternativas", "Opções"),
        "it": ("Opzioni considerate", "Alternative considerate", "Alternative", "Opzioni"),
        "nl": ("Overwogen opties", "Overwogen alternatieven", "Alternatieven", "Opties"),
        "ru": ("Рассмотренные варианты", "Варианты", "Альтернативы"), "zh": ("备选方案", "考虑的方案", "候选方案"),
        "ja": ("検討した選択肢", "選択肢", "代替案"), "ko": ("고려한 대안", "고려한 옵션", "대안"),
    },
    "drivers": {
        "en": ("Decision Drivers", "Drivers", "Forces", "Decision Criteria"), "de": ("Entscheidungstreiber", "Treiber", "Kriterien"),
        "fr": ("Facteurs de décision",), "es": ("Factores de decisión",), "pt": ("Fatores de decisão", "Direcionadores da decisão"),
        "it": ("Fattori decisionali",), "nl": ("Beslissingsfactoren", "Drijfveren"),
    },
    "consequences": {
        "en": ("Consequences", "Consequence", "Implications", "Impact", "Trade-offs", "Pros and Cons", "Results"),
        "de": ("Konsequenzen", "Konsequenz", "Auswirkungen", "Folgen", "Vor- und Nachteile"),
        "fr": ("Conséquences", "Conséquence", "Implications", "Impacts"),
        "es": ("Consecuencias", "Consecuencia", "Implicaciones", "Impacto"),
        "pt": ("Consequências", "Consequência", "Implicações", "Impactos"),
        "it": ("Conseguenze", "Conseguenza", "Implicazioni", "Impatto"),
        "nl": ("Gevolgen", "Consequenties", "Gevolg"),
        "ru": ("Последствия",), "zh": ("后果", "影响", "结果"), "ja": ("影響", "結果"), "ko": ("결과", "영향"),
    },
    "implementation": {
        "en": ("Implementation", "Implementation Plan", "Implementation Notes", "Implementation Details",
               "Technical Implementation", "Detailed Design"),
        "de": ("Implementation", "Implementierung", "Umsetzung", "Umsetzungsplan", "Implementierungsplan",
               "Technische Implementation", "Technische Umsetzung", "Implementierungsdetails"),
        "fr": ("Implémentation", "Mise en œuvre", "Mise en oeuvre"), "es": ("Implementación",),
        "pt": ("Implementação",), "it": ("Implementazione", "Attuazione"), "nl": ("Implementatie", "Uitvoering"),
    },
    "documentation": {
        "en": ("Documentation", "Docs", "Documentation Changes", "Documentation Impact"),
        "de": ("Dokumentation", "Doku", "Dokumentationsänderungen"), "fr": ("Documentation",), "es": ("Documentación",),
        "pt": ("Documentação",), "it": ("Documentazione",), "nl": ("Documentatie",),
    },
    "acceptance-criteria": {
        "en": ("Acceptance Criteria", "Acceptance Criterion", "Definition of Done", "Success Criteria", "Acceptance"),
        "de": ("Akzeptanzkriterien", "Abnahmekriterien", "Akzeptanzkriterium", "Erfolgskriterien"),
        "fr": ("Critères d'acceptation", "Critères d'acceptance"), "es": ("Criterios de aceptación",),
        "pt": ("Critérios de aceitação", "Critérios de aceite"), "it": ("Criteri di accettazione",),
        "nl": ("Acceptatiecriteria", "Aanvaardingscriteria"),
    },
    "migration": {
        "en": ("Migration", "Migration Plan", "Migration Strategy", "Migration Path", "Migration Steps", "Migration Guide",
               "Migration Approach", "Migration Phases", "Migration Process", "Migration Procedure", "Migration Timeline",
               "Migration Roadmap", "Plan for Migration", "Phased Migration", "Migrating", "Data Migration", "Data Migration Plan",
               "Database Migration", "Database Migration Plan", "Schema Migration", "Schema Migration Plan",
               "Upgrade", "Upgrade Guide", "Upgrade Path", "Upgrade Plan", "Upgrade Steps", "Upgrade Instructions",
               "Rollout", "Rollout Plan", "Rollout Strategy", "Transition", "Transition Plan"),
        "de": ("Migration", "Migrationsplan", "Migrations-Plan", "Migrationsstrategie", "Migrationspfad",
               "Migrationsschritte", "Migrationsleitfaden", "Migrationskonzept", "Migrationsphasen", "Datenmigration", "Datenbankmigration",
               "Umstellungsplan", "Umstellung", "Upgrade-Anleitung", "Rollout", "Rollout-Plan"),
        "fr": ("Migration", "Plan de migration", "Stratégie de migration"),
        "es": ("Migración", "Plan de migración", "Estrategia de migración"),
        "pt": ("Migração", "Plano de migração", "Estratégia de migração"),
        "it": ("Migrazione", "Piano di migrazione", "Strategia di migrazione"),
        "nl": ("Migratie", "Migratieplan", "Migratiestrategie"),
    },
    "rollback": {
        "en": ("Rollback", "Rollback Plan", "Rollback Strategy", "Roll-back", "Backout Plan", "Fallback Plan"),
        "de": ("Rollback", "Rollback-Plan", "Rollback-Strategie", "Rückfallplan", "Rückfallstrategie", "Rücknahme"),
        "fr": ("Retour arrière", "Plan de retour arrière", "Rollback"), "es": ("Reversión", "Plan de reversión", "Rollback"),
        "pt": ("Reversão", "Plano de reversão", "Rollback"), "it": ("Ripristino", "Piano di ripristino", "Rollback"),
        "nl": ("Terugdraaien", "Terugdraaiplan", "Rollback", "Rollbackplan"),
    },
    "security": {
        "en": ("Security", "Security Considerations", "Security Concerns", "Security Impact", "Security and Privacy",
               "Security and Privacy Considerations"),
        "de": ("Sicherheit", "Sicherheitsaspekte", "Sicherheitsbetrachtung", "Sicherheitsüberlegungen", "Security"),
        "fr": ("Sécurité", "Considérations de sécurité"), "es": ("Seguridad", "Consideraciones de seguridad"),
        "pt": ("Segurança", "Considerações de segurança"), "it": ("Sicurezza", "Considerazioni sulla sicurezza"),
        "nl": ("Beveiliging", "Veiligheid", "Beveiligingsoverwegingen"),
    },
    "references": {
        "en": ("References", "Links", "Related Decisions", "See Also", "More Information", "Further Reading", "Related"),
        "de": ("Referenzen", "Verweise", "Quellen", "Weitere Informationen", "Literatur"),
        "fr": ("Références", "Liens"), "es": ("Referencias", "Enlaces"), "pt": ("Referências", "Links"),
        "it": ("Riferimenti", "Collegamenti"), "nl": ("Referenties", "Verwijzingen"),
    },
    "summary": {
        "en": ("Summary", "TL;DR", "Abstract", "Overview", "Executive Summary"),
        "de": ("Zusammenfassung", "Überblick", "Kurzfassung"), "fr": ("Résumé",), "es": ("Resumen",), "pt": ("Resumo",),
        "it": ("Riassunto", "Sommario"), "nl": ("Samenvatting",),
    },
    "meta": {
        "en": ("Meta", "Metadata", "Meta data", "Document Information", "Document Info", "Header", "ADR Header", "ADR Metadata"),
        "de": ("Meta", "Metadaten", "Dokumentinformationen"),
        "fr": ("Métadonnées",), "es": ("Metadatos",), "pt": ("Metadados",), "it": ("Metadati",), "nl": ("Metadata", "Metagegevens"),
    },
    "questions": {
        "en": ("Open Questions", "Questions", "Unresolved Questions"), "de": ("Fragen", "Offene Fragen", "Offene Punkte"),
        "fr": ("Questions ouvertes", "Questions"), "es": ("Preguntas abiertas", "Preguntas"),
        "pt": ("Perguntas em aberto", "Questões em aberto"), "it": ("Domande aperte", "Domande"), "nl": ("Open vragen", "Vragen"),
    },
    "out-of-scope": {
        "en": ("Out of Scope", "Not in Scope", "Non-Goals", "Future Work"),
        "de": ("Nicht im Umfang", "Außerhalb des Umfangs", "Nicht-Ziele", "Ausblick"),
    },
    "changelog": {
        "en": ("Changelog", "Change Log", "History", "Revision History", "Amendments", "Amendment", "Addendum", "Addenda", "Update", "Updates"),
        "de": ("Änderungshistorie", "Änderungsverlauf", "Historie", "Nachtrag", "Nachträge", "Ergänzung", "Ergänzungen"),
    },
}

STATUSES: Table = {
    "Draft": {
        "en": ("Draft", "Drafted", "In Progress", "WIP", "Work in Progress", "RFC", "Experimental"), "de": ("Entwurf", "In Arbeit"),
        "fr": ("Brouillon", "Ébauche"), "es": ("Borrador",), "pt": ("Rascunho",), "it": ("Bozza",), "nl": ("Concept", "Ontwerp"),
        "ru": ("Черновик",), "zh": ("草稿",), "ja": ("ドラフト", "下書き"), "ko": ("초안",),
    },
    "Proposed": {
        "en": ("Proposed", "Proposal", "Pending", "Suggested", "In Review", "Under Review", "In Discussion", "Open", "On Hold",
               "Deferred", "Postponed"),
        "de": ("Vorgeschlagen", "Vorschlag", "Offen", "In Diskussion", "In Prüfung"),
        "fr": ("Proposé", "Proposée", "Proposition", "En attente", "En cours"),
        "es": ("Propuesto", "Propuesta", "Pendiente"), "pt": ("Proposto", "Proposta", "Pendente"),
        "it": ("Proposto", "Proposta", "In attesa"), "nl": ("Voorgesteld", "Voorstel", "In behandeling"),
        "ru": ("Предложено", "Предложен", "На рассмотрении"), "zh": ("提议", "提议中", "已提议"), "ja": ("提案", "提案中"),
        "ko": ("제안됨", "제안"),
    },
    "Accepted": {
        "en": ("Accepted", "Approved", "Adopted", "Decided", "Agreed", "Active", "Living", "Ratified", "Final", "Accept", "Revised",
               "Partially implemented", "Partly implemented", "Partly superseded", "Partially superseded"),
        "de": ("Akzeptiert", "Angenommen", "Genehmigt", "Beschlossen", "Entschieden", "Freigegeben"),
        "fr": ("Accepté", "Acceptée", "Approuvé", "Approuvée", "Validé", "Validée", "Adopté", "Adoptée", "Résolu"),
        "es": ("Aceptado", "Aceptada", "Aprobado", "Aprobada"), "pt": ("Aceito", "Aceita", "Aceite", "Aprovado", "Aprovada"),
        "it": ("Accettato", "Accettata", "Approvato", "Approvata"), "nl": ("Geaccepteerd", "Aanvaard", "Goedgekeurd"),
        "ru": ("Принято", "Принят", "Принято к исполнению"), "zh": ("通过", "已接受", "已通过", "接受"), "ja": ("承認", "承認済み", "採用"),
        "ko": ("승인됨", "승인", "수락됨", "채택됨"),
    },
    "Implemented": {
        "en": ("Implemented", "Done", "Completed", "Shipped", "Complete", "Fully implemented"),
        "de": ("Implementiert", "Umgesetzt", "Erledigt", "Abgeschlossen"),
        "fr": ("Implémenté", "Implémentée", "Mis en œuvre", "Terminé"), "es": ("Implementado", "Implementada"),
        "pt": ("Implementado", "Implementada"), "it": ("Implementato", "Implementata", "Attuato"), "nl": ("Geïmplementeerd", "Uitgevoerd"),
        "ru": ("Реализовано",), "zh": ("完成", "已完成", "已实施"), "ja": ("実装済み",), "ko": ("구현됨",),
    },
    "Superseded": {
        "en": ("Superseded", "Superceded", "Replaced", "Superseded by"), "de": ("Ersetzt", "Abgelöst", "Überholt"),
        "fr": ("Remplacé", "Remplacée", "Supplanté"), "es": ("Reemplazado", "Reemplazada", "Sustituido", "Sustituida"),
        "pt": ("Substituído", "Substituída"), "it": ("Sostituito", "Sostituita", "Superato"), "nl": ("Vervangen", "Achterhaald"),
        "ru": ("Заменено", "Заменён"), "zh": ("已取代", "已替代", "已被取代"), "ja": ("置換", "置き換え"), "ko": ("대체됨",),
    },
    "Deprecated": {
        "en": ("Deprecated", "Depreciated", "Obsolete", "Retired"), "de": ("Veraltet", "Obsolet", "Abgekündigt"),
        "fr": ("Déprécié", "Dépréciée", "Obsolète"), "es": ("Obsoleto", "Obsoleta"), "pt": ("Obsoleto", "Depreciado", "Descontinuado"),
        "it": ("Deprecato", "Obsoleto"), "nl": ("Verouderd",), "ru": ("Устарело",), "zh": ("已弃用", "弃用", "已废弃"), "ja": ("廃止", "非推奨"),
        "ko": ("폐기됨", "사용되지 않음"),
    },
    "Rejected": {
        "en": ("Rejected", "Declined", "Denied", "Refused"), "de": ("Abgelehnt", "Verworfen", "Zurückgewiesen"),
        "fr": ("Rejeté", "Rejetée", "Refusé"), "es": ("Rechazado", "Rechazada"), "pt": ("Rejeitado", "Rejeitada", "Recusado"),
        "it": ("Rifiutato", "Rifiutata", "Respinto"), "nl": ("Afgewezen", "Verworpen"), "ru": ("Отклонено", "Отклонён"), "zh": ("拒绝", "已拒绝"),
        "ja": ("却下",), "ko": ("거부됨", "거절됨"),
    },
    "Withdrawn": {
        "en": ("Withdrawn", "Abandoned", "Cancelled", "Canceled"), "de": ("Zurückgezogen", "Aufgegeben"), "fr": ("Retiré", "Abandonné"),
        "es": ("Retirado", "Retirada"), "pt": ("Retirado", "Cancelado"), "it": ("Ritirato", "Annullato"), "nl": ("Ingetrokken",),
    },
}

FIELDS: dict[str, tuple[str, ...]] = {
    "status": ("Status", "Statut", "Estado", "Stato", "État", "Статус", "状态", "ステータス", "상태", "Current Status", "ADR Status"),
    "date": ("Date", "Datum", "Fecha", "Data", "Дата", "日期", "日付", "날짜", "Last Updated", "Created"),
    "adr_id": ("ADR ID", "ADR", "ID", "ADR Number", "ADR Nr", "Number", "Nummer"),
    "title": ("Title", "Titel", "Titre", "Título", "Titolo"),
    "deciders": ("Deciders", "Decision Makers", "Entscheider", "Décideurs", "Decisores", "Decisori", "Beslissers", "Author", "Authors",
                 "Owner", "Autor"),
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
    "depends_on": ("Depends On", "Depends", "Dependencies", "Abhängig von", "Hängt ab von", "Dépend de", "Depende de", "Dipende da",
                   "Afhankelijk van"),
    "related_to": ("Related To", "Related", "Verwandt mit"),
    "supersedes": ("Supersedes", "Replaces", "Ersetzt"),
    "superseded_by": ("Superseded By", "Replaced By", "Ersetzt durch"),
    "project_type": ("Project Type", "Projekttyp"),
    "concept": ("Concept", "Konzept"),
}
"""Header fields and the words for them outside YAML; `-`, `_` and blanks are the same."""
