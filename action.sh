# shellcheck shell=bash
# The script of the steps in action.yml. The argument is install, install-judge, or a mode of `helix-hooks github`.
set -euo pipefail

venv=$RUNNER_TEMP/helix-venv
judge=$RUNNER_TEMP/helix-judge
options=$RUNNER_TEMP/helix-options
python=$venv/bin/python
[ "${RUNNER_OS:-}" != Windows ] || python=$venv/Scripts/python.exe
cd "$RUNNER_TEMP" # the workspace may be a checkout of the pull request

fail() {
  echo "::error title=helix-hooks::$1"
  exit "$2"
}

# Prints the first suitable Python of the runner. `-I`: nothing is imported from the current folder or PYTHONPATH.
newest() {
  local found
  for found in python3 python python3.{14,13,12,11} "${RUNNER_TOOL_CACHE:-/opt/hostedtoolcache}"/Python/3.*/*/{bin/python3,python.exe}; do
    if "$found" -I -c 'import sys, venv, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$found"
      return
    fi
  done
  return 1
}

packages() {
  local base
  base=$(newest) || fail "there is no Python 3.11 or newer, with pip and venv, on this runner; put actions/setup-python before this step" 3
  [ -e "$python" ] || "$base" -I -m venv --without-pip "$venv" || fail "$base can't make a virtual environment" 3
  "$base" -I -m pip --python "$python" install --quiet --no-input --disable-pip-version-check \
    --require-hashes --no-deps --only-binary :all: --requirement "$GITHUB_ACTION_PATH/$1" "${@:2}" || fail "what $1 names could not be installed" 3
}

install() {
  local locked
  case $INPUT_MODE in
    all | snapshot | check | judge | gate | publish | command | sweep) ;;
    *) fail "the input mode is one of all, snapshot, check, judge, gate, publish, command and sweep" 2 ;;
  esac
  write_options
  locked=$(cksum <"$GITHUB_ACTION_PATH/requirements.txt")
  if [ "$(cat "$venv/locked" 2>/dev/null)" != "$locked" ]; then
    rm -rf -- "$venv"
    packages requirements.txt
    echo "$locked" >"$venv/locked"
  fi
  "$python" -I -c '
import os, sysconfig
with open(os.path.join(sysconfig.get_path("purelib"), "helix-hooks.pth"), "w") as file:
    file.write(os.environ["GITHUB_ACTION_PATH"])
'
  [ "$INPUT_MODE" != all ] || rm -f -- "$(handover)" # of another use of the action in the same job
}

# Writes the options of the program, one on each line. The program checks their values.
write_options() {
  local types type
  case $INPUT_WORK$INPUT_AGENT$INPUT_MODEL$INPUT_FAIL_ON$INPUT_MAX_COST_USD${INPUT_GATE:-} in
    *$'\n'* | *$'\r'*) fail "an input has more than one line" 2 ;;
  esac
  : >"$options"
  option work "$INPUT_WORK"
  option agent "$INPUT_AGENT"
  option model "$INPUT_MODEL"
  option fail-on "$INPUT_FAIL_ON"
  option max-cost-usd "$INPUT_MAX_COST_USD"
  option config "$INPUT_CONFIG"
  option gate "${INPUT_GATE:-}"
  case ${INPUT_PINNED_ISSUE:-} in
    true) printf -- '--pinned-issue\n' >>"$options" ;;
    '' | false) ;;
    *) fail "the input pinned-issue is true or false" 2 ;;
  esac
  read -r -d '' -a types <<<"${INPUT_TYPES//,/ }" || true
  for type in ${types[@]+"${types[@]}"}; do
    option type "$type"
  done
}

option() {
  [ -z "$2" ] || printf -- '--%s=%s\n' "$1" "$2" >>"$options"
}

handover() {
  local work
  work=$(sed -n 's/^--work=//p' "$options")
  echo "${work:-$RUNNER_TEMP/helix}/handover.json"
}

# Installs what the judges of the base's settings need, and nothing if no judge will run.
install_judge() {
  local kinds
  kinds=$("$python" -I -m helix_hooks.pull.judges_to_install "$(handover)" "$INPUT_MODE" "${INPUT_AGENT:-}" "${INPUT_CONFIG:-}")
  case $kinds in
    *api*) packages requirements-api.txt ;;
  esac
  case $kinds in
    *claude*) [ "${INPUT_CLAUDE:-true}" = true ] && [ -z "${HELIX_AGENT_COMMAND:-}" ] || return 0 ;;
    *) return 0 ;;
  esac
  ! command -v claude >/dev/null || return 0
  packages requirements-judge.txt --target "$judge"
}

# Runs one step. If it fails without saving that in the hand-over, the hand-over is removed, so that the next step fails too.
step() {
  local given=() fresh=() line code=0 before
  while IFS= read -r line; do given+=("$line"); done <"$options"
  read -r -d '' -a fresh <<<"${INPUT_FRESH:-}" || true
  for line in ${fresh[@]+"${fresh[@]}"}; do given+=("--fresh=$line"); done
  before=$(sum)
  case $1 in
    judge | gate) use_installed_judge ;;
  esac
  "$python" -I -m helix_hooks github --mode "$1" ${given[@]+"${given[@]}"} || code=$?
  if [ "$code" != 0 ] && [ "$1" != publish ] && [ "$1" != gate ] && [ "$before" = "$(sum)" ]; then
    rm -f -- "$(handover)"
  fi
  [ "$code" != 0 ] || echo passed=yes >>"$GITHUB_OUTPUT"
  case $INPUT_MODE-$1 in
    all-snapshot | all-check | all-judge) ;; # publish reports their failure
    *) exit "$code" ;;
  esac
}

use_installed_judge() {
  local folder=$judge/claude_agent_sdk/_bundled
  [ -d "$folder" ] || return 0
  [ "${RUNNER_OS:-}" != Windows ] || folder=$(cygpath "$folder")
  PATH=$folder:$PATH
}

sum() {
  cksum "$(handover)" 2>/dev/null || true
}

case $1 in
  install) install ;;
  install-judge) install_judge ;;
  *) step "$1" ;;
esac
