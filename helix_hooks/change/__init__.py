"""Before and after: three questions about a change, each answered by one function. Pure.

**Which findings are old?** `old_findings.as_information`. A finding of the head is old if the base
has it too: the same rule and subject, in the same file under its old or new name, as often, and at
least as severe. It is information then, because the change did not make it. This holds for the same
ADR with the same status only: one that becomes decided, or whose text is another one, is judged as
a whole. Rules on the change itself are never old, nor is a file that cannot be read.

**What does the change hide?** `hidden.hidden` for one ADR, `hidden.allowed_by_baseline` for the
baseline, `relaxed_settings.relaxed` for the settings. The head is checked again without what the
change may have relaxed: its comments, its baseline and its number, and with the settings, the
status, the header fields, the template and the concept of the base. Errors that appear only then
are hidden by the change. Only what the base hid already, by rule and subject, may stay hidden. An
exemption that hides nothing yet is a question too, as a later change could use it: a comment, a
baseline entry, a template, a rule or a concept that asks for less. The author cannot approve any of
them: a person must decide.

**What is rewritten of a decision?** `decided.decided`. The visible words of an accepted ADR, as a
reader of the rendered page sees them, its number, and the header fields that are part of the
decision. A small change is a question to a person, any other an error.

The two versions come from `check`, which reads them from git. All functions here get documents,
settings and reports, and return findings.
"""
