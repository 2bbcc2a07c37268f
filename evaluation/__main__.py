"""Run the evaluation: `make eval`, or `python -m evaluation --help`."""

import sys

from evaluation.run import main

sys.exit(main())
