"""A scripted author: it writes the file of its phase with as many defects as the script says, one less for each feedback that it reads.

`flow_agent.py SCRIPT.json`: the script has, by the id of a phase, `path`, `text`, and `defects` of its first tries. Each try is one more line in
SCRIPT.json.log, with what it read, so that a test sees each of them.
"""

import json
import os
import sys
from pathlib import Path


def main() -> None:
    script = Path(sys.argv[1])
    phase = os.environ["HELIX_PHASE"]
    part = json.loads(script.read_text())[phase]
    log = Path(f"{script}.log")
    before = log.read_text().splitlines() if log.exists() else []
    tries = sum(json.loads(line)["phase"] == phase for line in before)
    feedback = os.environ["HELIX_FEEDBACK_FILE"]
    entry = {
        "phase": phase,
        "attempt": os.environ["HELIX_ATTEMPT"],
        "feedback": Path(feedback).read_text() if feedback else "",
        "prompt": sys.stdin.read(),
    }
    with log.open("a") as file:
        file.write(f"{json.dumps(entry)}\n")
    place = Path(part["path"])
    place.parent.mkdir(parents=True, exist_ok=True)
    defects = part.get("defects", [])
    sign = "# " if place.suffix == ".py" else ""
    defect = f"\n{sign}DEFECT: {defects[tries]}\n" if tries < len(defects) else ""
    place.write_text(f"{part['text']}\n{sign}Try {tries + 1}.\n{defect}")
    print(f"wrote {place}, try {tries + 1}")


main()
