"""Many deciders at once, of which some are killed: each is a fork that opens the store itself.

Arguments: a JSON object with `place`, `deciders`, `kills`, `seed` and `log`. Every decider answers all requests in an order of its own, and
notes in `log` what it was told, after it was told. A killed one is replaced by another of the same name, until all are done.
"""

import json
import os
import random
import signal
import sys
import time

from helix_hooks.config.policy import Policy
from helix_hooks.flow.place import FlowPlace
from helix_hooks.phases.run_state import Decider
from helix_hooks.queue import store
from helix_hooks.waiting.answering import AlreadyDecidedError
from helix_hooks.waiting.request import PENDING, RequestVote


def decide_all(place: FlowPlace, name: str, chance: random.Random, log: str) -> None:
    with store.opened(place, record_key=b"") as db:
        ids = [request.id for request in db.requests(statuses=(PENDING,), limit=10_000)]
        chance.shuffle(ids)
        file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        for id in ids:
            approves = chance.random() < 0.5
            vote = RequestVote(Decider(name, verified=True), approves, db.now(), f"by {name}")
            try:
                told = db.answer(id, vote, Policy()).status
            except AlreadyDecidedError as error:
                told = str(error)
            line = {"by": name, "id": id, "approves": approves, "told": told}
            os.write(file, f"{json.dumps(line)}\n".encode())


def begin(place: FlowPlace, number: int, round: int, asked: dict[str, object]) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        chance = random.Random(f"{asked['seed']}-{number}-{round}")
        decide_all(place, f"decider{number}", chance, str(asked["log"]))
        code = 0
    except Exception as error:  # noqa: BLE001 - it is told by the exit code
        print(f"decider{number}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def main() -> int:
    asked = json.loads(sys.argv[1])
    place = FlowPlace(*asked["place"])
    chance = random.Random(asked["seed"])
    running = {begin(place, number, 0, asked): number for number in range(asked["deciders"])}
    kills, failed, round = asked["kills"], 0, 1
    while running:
        if kills:
            time.sleep(chance.uniform(0, asked["pause"]))
            victim = chance.choice([*running])
            os.kill(victim, signal.SIGKILL)
            kills -= 1
        done, status = os.waitpid(-1, 0 if not kills else os.WNOHANG)
        if not done:
            continue
        number = running.pop(done)
        code = os.waitstatus_to_exitcode(status)
        if code == -signal.SIGKILL:
            running[begin(place, number, round, asked)] = number
            round += 1
        failed += code == 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
