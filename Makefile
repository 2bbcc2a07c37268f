# `make demo` and `make test` set up all they need, each in a folder of its own. Needed: python3 >= 3.11, git, make.

PYTHON ?= python3
BIN := .venv/bin
PROCESSORS = $(shell $(PYTHON) -c 'import os; print(os.cpu_count() or 1)')
# One more than there are processors, since some tests only wait.
WORKERS = $$(($(PROCESSORS) + 1))
DEMO := .venv-demo/bin

.PHONY: demo demo-judge test rest quick soak lint docs picture bench differences measure walk visible caught eval check lock clean

demo: .venv-demo/ready  ## play the story of the README in scratch repositories
	@scripts/demo.sh

demo-judge: .venv-demo/judge  ## one judge more: the real claude CLI, with a scripted model
	@scripts/demo.sh judge

# pytest keeps the compiled tests, unless Python is told to write none.
TEST = PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --dist worksteal

test: .venv/ready  ## run the tests, in about twelve minutes on two processors, with the set-up
	$(TEST) --numprocesses $(WORKERS) --base

rest: .venv/ready  ## run what `make test` leaves out: further stories, and further cases of long tables
	$(TEST) --numprocesses $(WORKERS) --rest

quick: .venv/ready  ## run the tests of single functions and the cases of a check, in about a minute
	$(TEST) --numprocesses $(PROCESSORS) --quick --ignore tests/unit/fakes tests/unit tests/stories/check/test_adr_cases.py

soak: .venv/ready  ## run the long series: large inputs, many random examples, processes that are killed
	$(TEST) --numprocesses $(WORKERS) --soak

lint: .venv/ready  ## formatter, linter, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

check: .venv/ready  ## the project's own hooks on its own ADRs and settings
	$(BIN)/helix-hooks check --fail-on warning docs/adr
	$(BIN)/helix-hooks index --check
	$(BIN)/helix-hooks enforce
	$(BIN)/helix-hooks check-config
	$(BIN)/pre-commit run --all-files

docs: .venv/ready  ## write the pages of rules, settings and commands, the schemas, tables of attacks, and tables of contents
	$(BIN)/helix-hooks rules --format markdown > docs/rules.md
	$(BIN)/python -m scripts.declared
	$(BIN)/python -m scripts.commands
	$(BIN)/python scripts/attacks.py
	$(BIN)/python scripts/contents.py

picture: .venv-demo/ready .venv/ready  ## draw docs/blocked-commit.svg from the demo, and docs/queue-*.png, docs/report-*.png and docs/page-*.png
	$(DEMO)/python scripts/picture.py
	$(BIN)/python scripts/queue_pictures.py
	$(BIN)/python scripts/report_pictures.py
	$(BIN)/python scripts/page_pictures.py

bench: .venv/ready  ## speed, as ratios in one run
	$(BIN)/python scripts/bench.py $(DIR)

differences: .venv/ready  ## what the program prints at BASE and now: ADRs, corpus (CORPUS=folder), schemas, pages; five minutes
	@$(BIN)/python scripts/differences.py $(BASE) $(if $(CORPUS),--corpus $(CORPUS))

measure: .venv/ready  ## sizes of the package, beside those of other repositories in DIRS
	@$(BIN)/python scripts/measure.py $(DIRS)

walk: .venv/ready  ## the functions, classes and modules that the check of one staged ADR calls
	@$(BIN)/python scripts/walk.py

visible: .venv/ready  ## the visible text of all Markdown below DIR, compared with a renderer
	$(BIN)/python scripts/visible.py $(DIR)

caught: .venv/ready  ## how many new ADRs pass and how many planted defects are stopped in the file trees below DIR; minutes
	$(BIN)/python scripts/caught.py $(DIR)

eval: .venv/ready  ## how often the judge misses defects and refuses good ADRs; MODEL=openai:gpt-4.1, ARGS="--repeat 3"
	$(BIN)/python -m evaluation $(if $(MODEL),--model $(MODEL)) $(ARGS)

LOCK = $(BIN)/uv pip compile --no-config --quiet --universal --generate-hashes --only-binary :all: --python-version 3.11 --custom-compile-command "make lock"
lock: .venv/ready  ## lock what the Action installs, with the hashes of all platforms
	$(BIN)/python -m pip install --quiet uv==0.13.9
	$(LOCK) --extra github --extra enforce pyproject.toml --output-file requirements.txt
	$(LOCK) --extra judge --constraint requirements.txt pyproject.toml --output-file requirements-api.txt
	grep -o 'claude-agent-sdk==[0-9.]*' pyproject.toml | $(LOCK) --no-deps - --output-file requirements-judge.txt

NEW_ENOUGH = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "helix-hooks needs Python 3.11 or newer; try: make PYTHON=python3.12" >&2; exit 1; }
INSTALL = -m pip install --quiet --disable-pip-version-check --editable

.venv-demo/ready: pyproject.toml
	@$(NEW_ENOUGH)
	@echo "Setting up .venv-demo: the program and pre-commit, half a minute, once."
	@$(PYTHON) -m venv .venv-demo
	@PYTHONDONTWRITEBYTECODE=1 $(DEMO)/python $(INSTALL) '.[demo]' --no-compile
	@PYTHONDONTWRITEBYTECODE=1 $(DEMO)/python -m pip uninstall --quiet --yes setuptools
	@find .venv-demo -name __pycache__ -prune -exec rm -rf {} +
	@touch $@

.venv-demo/judge: .venv-demo/ready
	@echo "Adding the claude CLI to .venv-demo, once."
	@$(DEMO)/python $(INSTALL) '.[demo-judge]'
	@touch $@

.venv/ready: pyproject.toml
	@$(NEW_ENOUGH)
	$(PYTHON) -m venv .venv
	$(BIN)/python $(INSTALL) '.[dev]'
	@touch $@

clean:
	rm -rf .venv .venv-demo build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
