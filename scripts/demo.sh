#!/usr/bin/env bash
# The story of the README, played for real: a commit that lost its migration plan is blocked, the repaired one goes through.
set -euo pipefail

source_tree=$(cd "$(dirname "$0")/.." && pwd)
export PATH="$source_tree/.venv/bin:$PATH"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export GIT_PAGER=cat

say() { printf '\n\033[1m# %s\033[0m\n' "$1"; }
run() {
    printf '\033[2m$\033[0m'
    for word; do case $word in *' '*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac; done
    printf '\n'
    "$@"
}

say "A repository of its own, with the hook"
git init --quiet .
git config user.name demo
git config user.email demo@example.org
git config commit.gpgsign false
run helix-hooks init --repo "$source_tree" --rev "$(git -C "$source_tree" rev-parse HEAD)"
run pre-commit install
git add --all

say "The concept has a migration plan; the ADR written from it has lost it"
cp "$source_tree"/scripts/demo/014-documentation.concept.md "$source_tree"/scripts/demo/014-documentation.md docs/adr/
git add --all
run git diff --cached --stat

say "git commit: blocked"
if run git commit --quiet --message "ADR-014: documentation architecture"; then
    echo "The commit went through. It should have been blocked." >&2
    exit 1
fi

say "The author carries the plan over"
cp "$source_tree"/scripts/demo/014-repaired.md docs/adr/014-documentation.md
git add --all
run git diff --cached --stat

say "git commit: through"
run git commit --quiet --message "ADR-014: documentation architecture"
run git log --oneline
