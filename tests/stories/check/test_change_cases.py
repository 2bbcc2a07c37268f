"""Every folder in tests/cases/changes is a change to a repository, beside the exact report and exit code.

`before` is committed on the branch main. `moves` are lines `old -> new` for `git mv`, or `old` for `git rm`; then `after` is laid over it.
The whole is committed on a branch, unless `args` say `--staged`; `args` is `--since main` where there is none. `--written
tests/cases/changes` writes what the program says now; read each difference.

Attack by an author who hides an error: a status under which findings are milder.
Answer: counts only where the base had it; `gate-relaxed`.
Shown by: `relaxed-status-*`.

Attack by an author who hides an error: the header removed, a field lowered or removed.
Answer: checked with the base's fields.
Shown by: `relaxed-header-removed`, `relaxed-scope*`.

Attack by an author who hides an error: another template.
Answer: checked with the base's.
Shown by: `relaxed-template`.

Attack by an author who hides an error: the concept trimmed, deleted, or another one named.
Answer: compared with the base's concept too.
Shown by: `relaxed-concept-*`.

Attack by an author who hides an error: the concept trimmed while the ADR still has the section: a section taken out, demoted, made a link, shared with a second ADR, moved, or reworded to repeat the ADR.
Answer: reported at once, unless the ADR is decided and its section could not be taken out anyway.
Shown by: `hostile-planted-concept-*`, `tests/stories/check/test_planted.py`.

Attack by an author who hides an error: a smaller scope, another template, or a trigger word of a rule taken out, while the ADR still has what the rule asked for.
Answer: reported at once.
Shown by: `hostile-planted-scope*`, `hostile-planted-template`, `tests/stories/check/test_planted.py`.

Attack by an author who hides an error: a suppressing or `helix-dropped` comment, in an old or a new ADR.
Answer: `gate-relaxed`; it can't be suppressed.
Shown by: `relaxed-suppression*`, `relaxed-dropped`.

Attack by an author who hides an error: such a comment before it is needed: for one rule of three, for none, for a later rule, in a fence, a draft, a file that is not an ADR.
Answer: an error for each rule that it suppresses without effect; later it counts only for what it hid at the base, by rule and subject.
Shown by: `hostile-planted-comment-*`, `hostile-planted-drop-*`.

Attack by an author who hides an error: a baseline entry, a lower number than `strict_from`.
Answer: checked with the base's.
Shown by: `relaxed-baseline`, `relaxed-strict-from-*`.

Attack by an author who hides an error: a baseline count that is too high, or that is used for other findings; a baseline that was not in use.
Answer: it allows only what it hid at the base.
Shown by: `hostile-planted-baseline*`.

Attack by an author who hides an error: a number below `strict_from`, by renaming, in the header, or in the title of a dated file.
Answer: compared with the base's number and settings; the number hides only what it hid at the base.
Shown by: `hostile-planted-number-*`.

Attack by an author who hides an error: renamed, or rewritten under the same number.
Answer: compared with the old version.
Shown by: `relaxed-renamed*`.

Attack by an author who hides an error: moved out of `paths`, to a template's name, to `.txt`, to an excluded place; deleted when accepted.
Answer: reported.
Shown by: `relaxed-moved-*`, `watched-moved-*`, `relaxed-deleted-accepted`.

Attack by an author who hides an error: `paths` or `exclude` that leave an ADR out, or all of them.
Answer: `gate-relaxed`; exit 2 where nothing is left.
Shown by: `watched-paths-*`, `watched-exclude-introduced`, `watched-nothing-*`.

Attack by an author who hides an error: the last ADR deleted, moved out, or deleted with its settings.
Answer: `gate-relaxed`; exit 2 if `paths` are still set.
Shown by: `watched-last-*`.

Attack by an author who hides an error: a second ADR of one number, with a longer name (`0044-use-kafka-streams.md`).
Answer: a duplicate, unless its name adds a known word and it states no id.
Shown by: `among-duplicate-*`.

Attack by an author who hides an error: a decision written in a place that the settings do not watch.
Answer: `unwatched-adr`, an error.
Shown by: `watched-decision-*`, `watched-note-becomes-a-decision`, `watched-new-file-elsewhere`, `watched-edited-*`, `watched-renamed-*`.

Attack by an author who hides an error: settings or rules that ask for less.
Answer: reported on the settings file, and on the ADR.
Shown by: `relaxed-settings*`, `relaxed-rules-file`.

Attack by an author who hides an error: two of these that hide an error together.
Answer: all of them are undone together for the comparison.
Shown by: `relaxed-two-together`.

Attack by an author who hides an error: the gate's own rules switched off.
Answer: refused.
Shown by: `hostile-gate-*`.

Attack by an author who hides an error: an accepted text turned around: another word, a prefix, a moved "not", struck out, hidden, in a fence, behind a false link, another script.
Answer: compared word by word in its place.
Shown by: `hostile-word-*`, `hostile-subsections-*`.

Attack by an author who hides an error: a word added, taken out, quoted, hidden by an attribute or an open tag, or shown from a comment; a cell or table row swapped; a heading that gets longer.
Answer: every visible word counts, with its kind.
Shown by: `hostile-word-*`, `hostile-hidden-*`, `hostile-cell*`, `hostile-quoted`, `hostile-shown-*`.

Attack by an author who hides an error: an arrow, an emoji, an operator, a combining mark; in code any sign, and the indentation of a line.
Answer: every sign counts that is not punctuation of prose.
Shown by: `hostile-signs`, `hostile-signs-in-code`.

Attack by an author who hides an error: a heading with `?`, `❌`, an entity, braces, another number at the start; a heading of more than 300 characters.
Answer: compared as it is shown.
Shown by: `hostile-headings`.

Attack by an author who hides an error: paragraphs that change places; a compound changelog (`## Update: Context`).
Answer: the order within a section counts; only a plain changelog may grow.
Shown by: `hostile-order`, `hostile-changelog-and-more`.

Attack by an author who hides an error: a picture, another footnote, a ticked option, an item of another list, another cell, `<sup>`, `<bdo>`, direction marks.
Answer: everything that a reader sees besides words counts, too.
Shown by: `hostile-marks`.

Attack by an author who hides an error: a sentence broken into short lines between references; a field whose name is a sentence.
Answer: lines are joined as on the page; the name of a field counts.
Shown by: `hostile-references-wrapped`, `hostile-field-name-says-more`.

Attack by an author who hides an error: another word that looks like a typo: include and exclude, a plural, minimize and maximize, HTTPS and HTTP, a word in code.
Answer: nothing is taken for a typo: a change of at most three words is a question to a person, and one of a name, a number, a negation or code is an error.
Shown by: `hostile-term-*`, `hostile-antonym*`, `hostile-suffix`, `hostile-typo-of-the-opposite`, `changed-accepted-typo-*`, `test_on_the_pull_request`.

Attack by an author who hides an error: text beside the status, in a label, a header field, a list of references, the successor's title.
Answer: short labels may be changed, text counts.
Shown by: `hostile-status-*`, `hostile-label-*`, `hostile-field-*`, `hostile-references-*`, `hostile-successor-*`.

Attack by an author who hides an error: text above the title, below the status, amendments or header fields taken away, another number.
Answer: `accepted-changed`.
Shown by: `hostile-*`.

Attack by an author who hides an error: a file that was not an ADR becomes one and keeps its errors; a rule's trigger hidden in a quote.
Answer: checked as new, or as triggered.
Shown by: `hostile-template-*`, `hostile-trigger-*`.

Attack by an author who hides an error: what an accepted ADR rests on is rejected or deleted elsewhere.
Answer: the ADRs that name it are checked too.
Shown by: `hostile-dependency-*`.

Attack on the judge: many false alarms, so that nobody looks any more.
Answer: 30 honest texts give none; a sign is a warning and never turns the check red.
Shown by: `honest-*`.
"""

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository, Run

CHANGES = ROOT / "tests" / "cases" / "changes"


def play(folder: Path, repository: Repository) -> list[str]:
    """Lay out a change in a repository; returns the arguments of the check."""
    args = (
        (folder / "args").read_text().split() if (folder / "args").exists() else ["--since", "main"]
    )
    if (folder / "before").exists():
        _lay(folder / "before", repository.root)
        repository.git("add", "--all")
        repository.commit()
    repository.git("checkout", "--quiet", "-b", "change")
    for line in (folder / "moves").read_text().splitlines() if (folder / "moves").exists() else []:
        old, _, new = line.partition(" -> ")
        if new:
            (repository.root / new).parent.mkdir(parents=True, exist_ok=True)
        repository.git(*(["mv", old, new] if new else ["rm", "--quiet", old]))
    if (folder / "after").exists():
        _lay(folder / "after", repository.root)
    repository.git("add", "--all")
    if "--staged" not in args:
        repository.commit()
    return args


def _lay(folder: Path, root: Path) -> None:
    """Without the old times: git takes a file of the same size and time for the same."""
    shutil.copytree(folder, root, dirs_exist_ok=True, copy_function=shutil.copyfile)


@pytest.mark.parametrize("name", sorted(path.name for path in CHANGES.iterdir()))
@pytest.mark.sampled
def test_change(name: str, repository: Repository, run: Run, written: Path | None) -> None:
    result = run("check", "--color", "never", *play(CHANGES / name, repository))
    seen = f"{result.out}{result.err}exit {result.code}\n"
    if written:
        (written / name / "expected.txt").write_text(seen, encoding="utf-8")
    assert seen == (CHANGES / name / "expected.txt").read_text(encoding="utf-8")
