"""A stand-in for `helix-hooks verify --hook AGENT`: it blocks the first stops of a session, as its first argument says how many, and keeps
the payloads in the folder that is its second one.
"""

import sys
from pathlib import Path

from helix_hooks.agents import registry
from helix_hooks.agents.stop import AgentStop, allowed, blocked

stops, folder, agent = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[-1]
payload = sys.stdin.buffer.read()
number = len(list(folder.iterdir()))
(folder / f"{number}.json").write_bytes(payload)
stop = registry.read(agent, payload)
assert isinstance(stop, AgentStop), stop
assert stop.already_blocked is (number > 0)
missing = f"src/orders.py is missing (attempt {number + 1})"
reply = blocked(missing) if number < stops else allowed("a person must look at ADR-014")
answer = registry.answer(agent, reply)
sys.stdout.write(answer.stdout)
sys.stderr.write(answer.stderr)
sys.exit(answer.exit_code)
