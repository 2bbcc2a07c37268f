#!/usr/bin/env bash
# The story of the README, played for real in scratch repositories. Nothing is written outside of them and of .venv-demo.
# `demo.sh judge` adds the real claude CLI, with a scripted model.
set -euo pipefail

source_tree=$(cd "$(dirname "$0")/.." && pwd)
installed=${DEMO_ENVIRONMENT:-$source_tree/.venv-demo}
story="$source_tree/scripts/demo"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The demo looks the same on each machine: no hook, signature or branch name of the user takes part.
for name in $(compgen -e | grep -E '^(GIT|GITHUB|HELIX|PRE_COMMIT)_|^SKIP$' || true); do unset "$name"; done
mkdir "$scratch/bin"
install -m 755 "$source_tree/scripts/stand_in_judge.py" "$scratch/bin/stand-in-judge"
install -m 755 "$story/agent.sh" "$scratch/bin/demo-agent"
export PATH="$installed/bin:$scratch/bin:$PATH"
export PRE_COMMIT_HOME="$installed/pre-commit" PIP_NO_COMPILE=1
export VIRTUALENV_OVERRIDE_APP_DATA="$scratch/virtualenv" VIRTUALENV_NO_SETUPTOOLS=1
export GIT_CONFIG_GLOBAL="$scratch/gitconfig" GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat
for pair in user.name=demo user.email=demo@example.org init.defaultBranch=main core.excludesFile="$scratch/none"; do
    git config --file "$GIT_CONFIG_GLOBAL" "${pair%%=*}" "${pair#*=}"
done

judge=${1-}

bold='' dim='' plain=''
if [ -t 1 ]; then bold=$'\033[1m' dim=$'\033[2m' plain=$'\033[0m'; fi
say() { printf '\n%s# %s%s\n' "$bold" "$1" "$plain"; }
run() {
    printf '%s$%s' "$dim" "$plain"
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

mkdir -p "$scratch/lockers/docs" "$scratch/lockers/config"
cd "$scratch/lockers"
cp -R "$story/accepted" docs/adr
cp "$story/approvals.yaml" config/
photo=docs/adr/0007-couriers-take-a-photo.md
git init --quiet
quietly helix-hooks init --repo "$hooks" --rev "$(git -C "$hooks" rev-parse HEAD)" --no-github
git add --all
git commit --quiet --message "Six decisions, and the hook"
quietly env PYTHONDONTWRITEBYTECODE=1 pre-commit install --install-hooks
quietly pre-commit gc
git switch --quiet --create photos

say "1. A commit. Six accepted ADRs have Consequences; the new one does not"
run ls docs/adr
cp "$story/1-without-consequences.md" "$photo"
git add --all

say "git commit: blocked"
refused git commit --quiet --message "ADR-7: couriers take a photo of each parcel"

say "The author adds the section. git commit: passed"
cp "$story/2-keeps-photos.md" "$photo"
git diff --unified=0 -- "$photo" | grep '^[-+][^-+]'
git add --all
run git commit --quiet --message "ADR-7: couriers take a photo of each parcel"

say "2. The pull request. A judge sees what no rule can see. This one is a script, not a model"
echo "What the Action posts:"
python "$source_tree/scripts/demo_page.py" . main photos

say "The author says when the photos are deleted"
cp "$story/3-deletes-photos.md" "$photo"
quietly git commit --all --message "ADR-7: delete the photos after thirty days"
git diff --unified=0 HEAD~ -- docs | grep '^[-+][^-+]'
echo
echo "What the Action posts: the judge agrees, and the policy asks a person."
python "$source_tree/scripts/demo_page.py" . main photos

say "A maintainer approves"
python "$source_tree/scripts/demo_page.py" . main photos maria

say "3. The work. ADR-7 is accepted and merged, and an agent builds it. This agent is a script"
git switch --quiet main
git merge --quiet photos
sed 's/^Status: Proposed/Status: Accepted/' "$photo" >"$scratch/accepted"
cp "$scratch/accepted" "$photo"
quietly git commit --all --message "Accept ADR-7"
grep --after-context 2 "Acceptance" "$photo"
run helix-hooks verify ADR-7 --run demo-agent

say "4. The queue. The agent asks before it deploys"
pending helix-hooks ask "Deploy the courier app 2.0" --action production_deployment --impact "all couriers"
run helix-hooks queue list
page="$installed/queue.html"
python "$source_tree/scripts/demo_queue.py" "$page"
echo
echo "The same as a page, for a browser or a phone: file://$page"

with_claude() {
    printf '%s$%s %s\n' "$dim" "$plain" "$*"
    local code=0
    python "$source_tree/scripts/demo_judge.py" "$@" || code=$?
    [ "$code" = "$expected" ]
}
if [ "$judge" = judge ]; then
    say "5. The real claude CLI as the judge. Its model is a script: verdict, time and price are not those of a real one"
    expected=0 with_claude claude --version
    expected=1 with_claude helix-hooks approve --base main~2 --head photos~ --agent claude

    say "The second commit"
    expected=4 with_claude helix-hooks approve --base main~2 --head photos --agent claude
fi

say "Try it in a repository of yours. This writes nothing:"
echo "  $installed/bin/helix-hooks check"
echo
echo "To install the hook, and to read more: README.md"
