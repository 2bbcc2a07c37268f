#!/usr/bin/env bash
# The story of the README, played for real in scratch repositories. Nothing is written outside of them and of .venv-demo.
# `demo.sh judge` adds the real claude CLI, with a scripted model.
set -euo pipefail

source_tree=$(cd "$(dirname "$0")/.." && pwd)
installed="$source_tree/.venv-demo"
story="$source_tree/scripts/demo"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The demo looks the same for everybody: no hook, signature or branch name of one's own takes part.
for name in $(compgen -e | grep -E '^(GIT|GITHUB|HELIX|PRE_COMMIT)_|^SKIP$' || true); do unset "$name"; done
mkdir "$scratch/bin"
install -m 755 "$source_tree/scripts/stand_in_judge.py" "$scratch/bin/stand-in-judge"
export PATH="$installed/bin:$scratch/bin:$PATH"
export PRE_COMMIT_HOME="$installed/pre-commit" PIP_NO_COMPILE=1
export VIRTUALENV_OVERRIDE_APP_DATA="$scratch/virtualenv" VIRTUALENV_NO_SETUPTOOLS=1
export GIT_CONFIG_GLOBAL="$scratch/gitconfig" GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat
for pair in user.name=demo user.email=demo@example.org init.defaultBranch=main core.excludesFile="$scratch/none"; do
    git config --file "$GIT_CONFIG_GLOBAL" "${pair%%=*}" "${pair#*=}"
done

judge=${1-}

say() { printf '\n\033[1m# %s\033[0m\n' "$1"; }
run() {
    printf '\033[2m$\033[0m'
    for word; do case $word in *' '*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac; done
    printf '\n'
    "$@"
}
ends_with() {
    local expected=$1 code=0
    shift
    run "$@" || code=$?
    [ "$code" = "$expected" ] || { echo "This ended with exit code $code instead of $expected." >&2; exit 1; }
}
refused() { ends_with 1 "$@"; }
pending() { ends_with 4 "$@"; }
quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }; }

[ -d "$PRE_COMMIT_HOME" ] || echo "pre-commit installs the hook, half a minute, once."

# This source tree as a repository of hooks. The same files make the same commit, so pre-commit installs them once.
hooks="$installed/helix-hooks"
rm -rf "$hooks"
mkdir -p "$hooks"
cd "$source_tree"
cp -R helix_hooks approvals config pyproject.toml README.md LICENSE CHANGELOG.md .gitignore .pre-commit-hooks.yaml "$hooks"
cd "$hooks"
git init --quiet
git add --all
GIT_AUTHOR_DATE="2026-01-01T00:00:00Z" GIT_COMMITTER_DATE="2026-01-01T00:00:00Z" git commit --quiet --message "helix-hooks"

mkdir "$scratch/documentation"
cd "$scratch/documentation"
git init --quiet
quietly helix-hooks init --repo "$hooks" --rev "$(git -C "$hooks" rev-parse HEAD)"
git add --all
quietly git commit --quiet --message "Add the hooks of helix-hooks"
quietly env PYTHONDONTWRITEBYTECODE=1 pre-commit install --install-hooks
quietly pre-commit gc
cp "$story/014-documentation.concept.md" "$story/014-documentation.md" docs/adr/
git add --all

say "1. A commit. The ADR is written from a concept, and has lost the migration plan of the concept"
run git diff --cached --stat

say "git commit: blocked"
refused git commit --quiet --message "ADR-014: documentation architecture"

say "The author carries the plan over"
cp "$story/014-repaired.md" docs/adr/014-documentation.md
git add --all
run git diff --cached --stat

say "git commit: passed"
run git commit --quiet --message "ADR-014: documentation architecture"
run git log --oneline

say "2. A style of your own: six ADRs of a team that runs parcel lockers"
mkdir -p "$scratch/lockers/docs" "$scratch/lockers/config"
cd "$scratch/lockers"
cp -R "$story/house/accepted" docs/adr
git init --quiet
git add --all
photo=docs/adr/0007-couriers-take-a-photo.md
run ls docs/adr
run grep "^## " docs/adr/0001-lockers-open-without-a-network.md

say "init says where they stand. The settings name their sections, so that new ADRs must have them"
run helix-hooks init --no-github
cp "$story/house/helix-hooks.yaml" .helix-hooks.yaml
run cat .helix-hooks.yaml
run helix-hooks check

say "A new ADR leaves out one of these sections"
cp "$story/house/new/1-lacks-a-section.md" "$photo"
refused helix-hooks check

say "3. A judge, for what no rule can see. This one is a stand-in: a script, no model"
cp "$story/house/approvals.yaml" config/
git add --all -- ':!docs/adr/0007*'
git commit --quiet --message "Six decisions"
git switch --quiet --create photos
cp "$story/house/new/2-keeps-photos.md" "$photo"
git add --all
git commit --quiet --message "ADR-7: couriers take a photo of each parcel"
run cat config/approvals.yaml
run helix-hooks check
refused helix-hooks approve --base main

say "The author adds for how long the photos are kept"
cp "$story/house/new/3-deletes-photos.md" "$photo"
git commit --quiet --all --message "ADR-7: delete the photos after thirty days"
git diff --unified=0 HEAD~ -- docs | grep '^[-+][^-+]'
pending helix-hooks approve --base main
echo "The exit code is 4: the judge approves, and a person has the last word."

say "4. The pull request: what the Action posts there for the first commit"
python "$source_tree/scripts/demo_page.py" . main photos~

say "What it posts for the second commit"
python "$source_tree/scripts/demo_page.py" . main photos

with_claude() {
    printf '\033[2m$\033[0m %s\n' "$*"
    local code=0
    python "$source_tree/scripts/demo_judge.py" "$@" || code=$?
    [ "$code" = "$expected" ]
}
if [ "$judge" = judge ]; then
    say "5. The real claude CLI as the judge. Its model is a script: verdict, time and price are not those of a real one"
    expected=0 with_claude claude --version
    expected=1 with_claude helix-hooks approve --base main --head photos~ --agent claude

    say "The second commit"
    expected=4 with_claude helix-hooks approve --base main --head photos --agent claude
fi

say "What to do next"
cat <<NEXT
In a repository of yours:
  uv tool install "$source_tree[all]"    # or: pipx install
  helix-hooks check            # where your ADRs stand
  helix-hooks init             # writes hook and settings; then: pre-commit install
  helix-hooks init --github    # the gate on pull requests; docs/github.md
NEXT
if [ "$judge" = judge ]; then
    echo "A judge with a real model:  export ANTHROPIC_API_KEY=...; helix-hooks approve; docs/judges.md"
else
    echo "The same with the real claude CLI, as part 5:  make demo-judge  (400 MB more; no key)"
fi
echo "Every rule, with examples:  docs/rules.md"
