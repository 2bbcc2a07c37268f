"""No secret of the environment is kept of what a judge says, in whatever form it says it; and what is kept on a check run, only its key opens."""

import base64
import functools
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.decision import run_state
from helix_hooks.decision.run_state import CarriedState, opened, sealed
from helix_hooks.text import SHOWN
from helix_hooks.text.masking import NO_SECRETS, masked, masked_values, secrets_of
from tests import series
from tests.conftest import Repository
from tests.fakes import judges
from tests.fakes.github.server import FakeGitHub
from tests.fakes.program import approve
from tests.fakes.runner import ADR, READER, Job, hub, served, stand_in
from tests.stories.approve.scene import AT_ONCE, main_has
from tests.unit.work import calls_of

KEY = "sk-ant-api03-Zr7Kq2xB9LmP4vT1wYc8NdE5hGfJ6uQs-AbCdEf0123_xyzAA"
PHRASE = "correct-horse-battery-staple"
ENVIRONMENT = {"ANTHROPIC_API_KEY": KEY, "DB_PASSWORD": PHRASE}
DATA = KEY.encode()


def joined(form: str, between: str = "") -> str:
    return between.join(form.format(code) for code in DATA)


def apart(sign: str, every: int = 1, text: str = KEY) -> str:
    return sign.join(text[at : at + every] for at in range(0, len(text), every))


FORMS: dict[str, str] = {
    "as it is": KEY,
    "in capitals": KEY.upper(),
    "in small letters": KEY.lower(),
    "in swapped case": KEY.swapcase(),
    "hex": DATA.hex(),
    "hex in capitals": DATA.hex().upper(),
    "hex with colons": DATA.hex(":"),
    "a list of hex": joined("0x{:02x}", ", "),
    "escapes of a string": joined("\\x{:02x}"),
    "escapes of JSON": joined("\\u{:04x}"),
    "code points": joined("U+{:04X}", " "),
    "references of HTML": joined("&#x{:x};"),
    "percent-encoded": joined("%{:02X}"),
    "quoted-printable": joined("={:02X}"),
    "base64": base64.b64encode(DATA).decode(),
    "base64 for addresses": base64.urlsafe_b64encode(DATA).decode(),
    "base64 without padding": base64.b64encode(DATA).decode().rstrip("="),
    "base64, one byte later": base64.b64encode(b"x" + DATA).decode(),
    "base64, two bytes later": base64.b64encode(b"xy" + DATA + b"z").decode(),
    "base64 of JSON": base64.b64encode(json.dumps({"key": KEY}).encode()).decode(),
    "base64 on lines": apart("\n", 4, base64.b64encode(DATA).decode()),
    "base64 with blanks": apart(" ", 3, base64.urlsafe_b64encode(DATA).decode()),
    "with blanks": apart(" "),
    "on lines": apart("\n", 5),
    "with hyphens": apart("-"),
    "with commas": apart(", "),
    "in quotes": str(list(KEY)),
    "with zero-width spaces": apart("\u200b"),
    "with soft hyphens": apart("\u00ad", 2),
    "with combining accents": apart("\u0301"),
    "in bold pieces": apart("**", 3),
    "in code": "".join(f"`{sign}`" for sign in KEY),
    "in a table": "| " + apart(" | ", 4) + " |",
    "in a numbered list": "\n".join(f"{number}. {sign}" for number, sign in enumerate(KEY, 1)),
    "in a quoted list": "\n".join(
        f"> {number}) `{KEY[number * 4 : number * 4 + 4]}`" for number in range(16)
    ),
    "a dump": "\n".join(
        f"{DATA[at : at + 16].hex(' ')}  |{KEY[at : at + 16]}|" for at in range(0, 64, 16)
    ),
    "base64 in lines": base64.encodebytes(DATA).decode(),
    "with tags": apart("<b></b>"),
    "with comments": apart("<!-- x -->", 2),
    "with references to nothing": apart("&#8203;"),
    "with named references": apart("&shy;", 2),
    "in halves": f"{KEY[:30]} and then {KEY[30:]}",
    "in quarters": " then ".join(KEY[at : at + 16] for at in range(0, 64, 16)),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("text", ["{}", "The key is {}, as found.", "x{}y"])
def test_a_key_is_masked_in_any_form(form: str, text: str) -> None:
    """Attack on the judge: a judge that says a key: literally, in base64, hex, a URL or JSON, split by other or invisible characters, in halves.
    Answer: masked before anything is kept or printed: cache, hand-over, check run, comments, records, `--result`, terminal.
    Shown by: `test_a_key_is_masked_in_any_form`, `test_nothing_keeps_a_key_that_a_judge_says`, `test_nothing_keeps_a_key_locally`.
    """
    found = masked(text.format(form), secrets_of(ENVIRONMENT))
    assert "(ANTHROPIC_API_KEY)" in found
    assert pieces_left(found) == []


def pieces_left(text: str) -> list[str]:
    """Return the pieces of the key, or of a form of it, of 8 characters that still stand in a text."""
    return [piece for piece in pieces() if piece in text]


@functools.cache
def pieces() -> list[str]:
    wanted = {
        form[at : at + 8]
        for name, form in FORMS.items()
        if name != "base64 of JSON"
        for at in range(len(form) - 7)
    }
    prose = (
        "The key is , as found. (ANTHROPIC_API_KEY) and then "
        + "**".join("x" * 9)
        + "`` " * 9
        + "&#8203;" * 3
        + "<!-- x --><!-- x --><b></b>" * 3
    )
    return [piece for piece in wanted if piece not in prose and any(map(str.isalnum, piece))]


SIGNS = 'p@ss/w0rd+ 7"q\\Grün&9xT'


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (SIGNS, "(A_KEY)"),
        (quote(SIGNS), "(A_KEY)"),
        (quote(SIGNS, safe=""), "(A_KEY)"),
        (quote_plus(SIGNS), "(A_KEY)+(A_KEY)"),
        (json.dumps(SIGNS), '"(A_KEY)"'),
        (json.dumps(SIGNS, ensure_ascii=False), '"(A_KEY)"'),
        (base64.b64encode(SIGNS.encode()).decode(), "(A_KEY)"),
        (base64.urlsafe_b64encode(f"k={SIGNS}".encode()).decode(), "az1(A_KEY)Q="),
    ],
)
def test_a_key_with_signs_is_masked_in_urls_and_json(form: str, expected: str) -> None:
    assert masked(form, secrets_of({"A_KEY": SIGNS})) == expected


@pytest.mark.parametrize(
    "part",
    [KEY[:24], KEY[20:36], KEY[-12:], base64.b64encode(DATA[12:30]).decode(), DATA[20:30].hex()],
)
def test_a_part_of_a_key_is_masked(part: str) -> None:
    assert part[2:-2] not in masked(f"It begins or goes on with {part}", secrets_of(ENVIRONMENT))


@pytest.mark.parametrize(
    "key",
    [PHRASE, "sk-ant-scripted-0123456789", "ghs_reader0000000000000", "sk-test-not-so-secret-1"],
)
def test_the_halves_of_a_key_are_masked(key: str) -> None:
    half = len(key) // 2
    text = masked(
        f"First {key[:half]}, and then {key[half:]}, that is all.", secrets_of({"A_KEY": key})
    )
    assert (
        re.sub(r"-|\(a secret\)", lambda match: "(A_KEY)"[: 7 * (match[0] != "-")], text)
        == "First (A_KEY), and then (A_KEY), that is all."
    )


@pytest.mark.parametrize("form", [PHRASE, PHRASE.upper(), apart(" ", 3, PHRASE), PHRASE.replace("-", " "), PHRASE.encode().hex(),
                                  base64.b64encode(PHRASE.encode()).decode(), base64.b64encode(b"x" + PHRASE.encode()).decode()])  # fmt: skip
def test_a_secret_of_words_is_masked(form: str) -> None:
    found = masked(f"We say {form} here.", secrets_of(ENVIRONMENT))
    assert "(DB_PASSWORD)" in found and len(found) <= len("We say (DB_PASSWORD) here.") + 4


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HELIX_SIGNING_KEY", "a key of this repository"),
        ("HELIX_RECORD_KEY", "another key of it, for records"),
        ("INPUT_ANTHROPIC-API-KEY", KEY),
        ("DATABASE_URL", "postgres://app:s3cr3t-w0rd@db.example:5432/app"),
        ("HTTPS_PROXY", "http://me:pr0xyPass9@proxy:3128"),
        ("SENTRY_DSN", "https://0123456789abcdef0123456789abcdef@sentry.example/1"),
        (
            "GCP_CREDENTIALS",
            '{"private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0\\n-----END PRIVATE KEY-----\\n"}',
        ),
        ("SOME_PWD", "hunter2hunter"),
        ("PASSWORT_PASS", "passwörtlich-geheim"),
    ],
)
def test_what_is_a_secret(name: str, value: str) -> None:
    secret = (
        value.partition("@")[0].rpartition(":")[2]
        if "://" in value and name != "SENTRY_DSN"
        else value
    )
    assert masked(f"Here: {secret}.", secrets_of({name: value})) == f"Here: ({name})."


@pytest.mark.parametrize(
    ("name", "value"),
    [("USE_TOKEN", "true"), ("API_KEY", "x"), ("TOKEN", "12345"), ("SECRET", "default"), ("MAX_TOKENS", "128000"), ("KEY_SIZE_LIMIT", "400000"),
     ("GIT_AUTHOR_NAME", "The judge"), ("PWD", "/the/judge"), ("SECRET_NAME", "production"), ("COOKIE", " none ")],
)  # fmt: skip
def test_what_is_no_secret_wrecks_no_text(name: str, value: str) -> None:
    text = (
        "The judge says true, default, none, x12345, 128000 and 400000 in production at /the/judge."
    )
    assert masked(text, secrets_of({name: value})) == text


def test_the_words_of_a_secret_stay_in_a_text() -> None:
    text = "It is correct: a horse, a battery and a staple, api03, ANTHROPIC_API_KEY, sk-ant, the staple of a horse that is correct, a key of ours."
    assert masked(text, secrets_of(ENVIRONMENT)) == text


def test_lines_keep_their_number() -> None:
    text = masked(f"one\n{apart(chr(10), 5)}\nlast", secrets_of(ENVIRONMENT))
    assert text.count("\n") == f"one\n{apart(chr(10), 5)}\nlast".count("\n")
    assert text.endswith("last")


@pytest.mark.parametrize("token", ["ghp_" + "a1" * 18, "github_pat_" + "a1" * 20, "AKIA" + "A1" * 8, "glpat-" + "a1" * 12, "xoxb-" + "1a" * 9, "hf_" + "aB" * 17,
                                   "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"])  # fmt: skip
def test_what_looks_like_a_token_is_masked_whoever_has_it(token: str) -> None:
    assert masked(f"Found {token}!", NO_SECRETS).replace("\n", "") == f"Found {SHOWN}!"
    assert (
        masked(f"Found {token[:9]}\u200b{token[9:]}!", NO_SECRETS).replace("\n", "")
        == f"Found {SHOWN}!"
    )


def test_values_and_keys_of_an_answer_are_masked() -> None:
    given: dict[str, Any] = {"a": [KEY, {KEY: 1}], "b": {"c": f"x {KEY}"}, "d": 0.5, "e": None}
    shown = "(ANTHROPIC_API_KEY)"
    assert masked_values(given, secrets_of(ENVIRONMENT)) == {
        "a": [shown, {shown: 1}],
        "b": {"c": f"x {shown}"},
        "d": 0.5,
        "e": None,
    }


@settings(max_examples=series.examples(300), deadline=None)
@given(st.text(), st.text(), st.text(min_size=6, max_size=40))
def test_no_value_of_a_secret_is_left(before: str, after: str, value: str) -> None:
    secrets = secrets_of({"MY_SECRET": value})
    found = masked(f"{before}{value}{after}", secrets)
    if secrets.values:
        assert value.strip() not in found or value.strip() in "(MY_SECRET)"


@settings(max_examples=series.examples(200), deadline=None)
@given(st.text())
def test_a_text_without_secrets_stays(text: str) -> None:
    assert masked(text, secrets_of(ENVIRONMENT)) == text


LONG: dict[str, Callable[[int], str]] = {
    "words": lambda n: "word " * n,
    "the key": lambda n: KEY * n,
    "the begin of the key": lambda n: KEY[:13] * n,
    "a piece of the key": lambda n: KEY[12:20] * n,
    "base64": lambda n: base64.b64encode(DATA).decode() * n,
    "begins of tokens": lambda n: "eyJ" * n + "sk-" * n + "-----BEGIN " * n + "ghp_" * n,
    "one letter": lambda n: "a" * 9 * n,
    "tags": lambda n: "<" * n + "&#" * n + "\\x" * n,
    "zero-width": lambda n: "\u200b" * n + "a\u200b" * n,
}


@pytest.mark.series
@pytest.mark.parametrize("make", LONG.values(), ids=LONG)
def test_masking_grows_with_the_text(make: Callable[[int], str]) -> None:
    """Attack on the judge: a text of a megabyte that masking could be slow on.
    Answer: one pass.
    """
    secrets = secrets_of({**ENVIRONMENT, "LETTER_KEY": "a" * 40})
    sizes = (series.size(600), series.size(1200))
    once, twice = (calls_of(partial(masked, make(size), secrets)) for size in sizes)
    assert twice <= 2.3 * once + 100


ANSWERS = {"a" * 64: {"answer": {"summary": "Sound."}, "model": "m"}}
SIGNING = b"a key of this repository"


def test_sealed_answers_are_for_nobody_else() -> None:
    """Attack by a hostile pull request: read, change or reuse the answers that are kept on a check run.
    Answer: encrypted and authenticated with a key derived from `signing-key`, bound to the repository.
    Shown by: `test_sealed_answers_are_for_nobody_else`, `test_a_seal_that_was_changed_opens_nothing`, `test_a_seal_of_the_earlier_form_is_not_opened`.
    """
    found = sealed(CarriedState(), ANSWERS, SIGNING, "acme/decisions")
    assert opened(run_state.read(run_state.text(found)), SIGNING, "acme/decisions") == ANSWERS
    assert b"Sound" not in base64.b64decode(found.sealed)
    assert opened(found, b"another key of it", "acme/decisions") == {}
    assert opened(found, SIGNING, "acme/others") == {}
    assert sealed(CarriedState(), ANSWERS, SIGNING, "acme/decisions") == found, (
        "an unchanged run writes the same"
    )


@pytest.mark.parametrize("at", [0, 5, 20, 40, -3])
def test_a_seal_that_was_changed_opens_nothing(at: int) -> None:
    data = bytearray(base64.b64decode(sealed(CarriedState(), ANSWERS, SIGNING, "a/b").sealed))
    data[at] ^= 1
    assert opened(CarriedState(sealed=base64.b64encode(data).decode()), SIGNING, "a/b") == {}


@pytest.mark.parametrize("key", [b"", b"short", b"fifteen letters"])
def test_a_short_key_seals_nothing(key: bytes) -> None:
    assert sealed(CarriedState(), ANSWERS, key, "a/b").sealed == ""


def test_a_seal_of_the_earlier_form_is_not_opened() -> None:
    found = run_state.read(
        f"<!-- helix:kept spent=0.0100 since=5 sealed=eJyrVkrLz1eyUkpKLFKqBQAg1QSg.{'0' * 64} -->"
    )
    assert (found.spent, found.since, found.sealed) == (0.01, 5, "")
    assert opened(found, SIGNING, "a/b") == {}


ECHO = judges.KEY
SAYING = {
    "plain": ECHO,
    "base64": base64.b64encode(ECHO.encode()).decode(),
    "hex": ECHO.encode().hex(),
    "split": " ".join(ECHO),
}
TELLING = ", ".join(SAYING.values())
FINDING = {"severity": "warning", "check": "completeness", "message": TELLING, "path": ADR, "line": 1, "help": TELLING,
           "evidence": "# 7. Use Kafka between the services"}  # fmt: skip
SPEAKING = {"summary": TELLING, "recommendations": [TELLING], "findings": [FINDING]}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    repository = served(tmp_path)
    monkeypatch.chdir(repository.root)
    return repository


@pytest.fixture
def github(repository: Repository) -> Iterator[FakeGitHub]:
    with hub(repository) as fake:
        fake.open_pull(1)
        yield fake


def holders(*folders: Path, **texts: str) -> list[tuple[str, str]]:
    """Return where a form of the key stands, in files below some folders and in texts."""
    files = {
        str(path): path.read_bytes().decode(errors="replace")
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file()
    }
    return [
        (name, form)
        for name, text in {**files, **texts}.items()
        for form, said in SAYING.items()
        if said in text
    ]


def test_nothing_keeps_a_key_that_a_judge_says(
    github: FakeGitHub, repository: Repository, tmp_path: Path
) -> None:
    job = Job(github, repository, tmp_path / "job")
    key = {"HELIX_SIGNING_KEY": "a key of this repository"}
    judge = stand_in(tmp_path / "programs", structured=SPEAKING)
    done = job.steps(judge, **key)
    told = [
        item.body
        for items in (github.comments, github.remarks, github.reviews)
        for item in items.values()
    ]
    (run,) = github.runs.values()
    shown = "\n".join([*told, *map(str, run.output.values()), json.dumps(run.annotations)])
    assert done.code == 0
    assert "(ANTHROPIC" in shown.replace("\\", "")
    assert "encrypted=" in run.output["text"]
    (entry,) = (
        opened_answer
        for opened_answer in opened(
            run_state.read(run.output["text"]), key["HELIX_SIGNING_KEY"].encode(), "acme/decisions"
        ).values()
    )
    assert "(ANTHROPIC_API_KEY)" in entry["answer"]["summary"]
    assert (
        holders(job.folder, github=shown, out=done.out, err=done.err, sealed=json.dumps(entry))
        == []
    )
    for name, mode in (("handover.json", 0o600), ("objects.git/helix-hooks/cache", 0o700)):
        assert stat.S_IMODE(os.stat(job.folder / "helix" / name).st_mode) == mode
    assert {
        stat.S_IMODE(path.stat().st_mode)
        for path in (job.folder / "helix/objects.git/helix-hooks/cache").iterdir()
    } == {0o600}


def test_a_key_of_the_step_that_the_judge_never_had_is_masked_too(
    github: FakeGitHub, repository: Repository, tmp_path: Path
) -> None:
    job = Job(github, repository, tmp_path / "job")
    words = {
        "GITHUB_TOKEN": "ghs_0123456789abcdefABCD",
        "HELIX_SIGNING_KEY": "a signing key of ours",
        "HELIX_RECORD_KEY": "a record key of ours",
    }
    spoken = ", ".join(words.values())
    judge = stand_in(
        tmp_path / "programs", structured={"summary": spoken, "recommendations": [spoken]}
    )
    job.step("snapshot", GITHUB_TOKEN=READER)
    job.step("check")
    job.step("judge", **{**judge, **words})
    text = (job.folder / "helix/handover.json").read_text()
    assert [value for value in words.values() if value in text] == []
    assert all(f"({name})" in text for name in words)


def test_nothing_keeps_a_key_locally(repository: Repository, tmp_path: Path) -> None:
    """Neither the answer that is kept, nor the records, the result, the terminal or an answer that is kept and comes again."""
    judge = stand_in(tmp_path / "programs", structured=SPEAKING)
    outs = [
        approve("--base", "main", "--result", str(tmp_path / f"{number}.json"), env=judge)
        for number in (1, 2)
    ]
    assert [done.returncode for done in outs] == [0, 0] and "cached answer of" in outs[1].stdout
    assert "(ANTHROPIC_API_KEY)" in outs[0].stdout
    results = {f"result {number}": (tmp_path / f"{number}.json").read_text() for number in (1, 2)}
    assert holders(repository.root / ".git/helix-hooks", out=str(outs), **results) == []


@pytest.mark.sampled
@pytest.mark.parametrize("case", [
    {"result": {"is_error": True, "result": f"the key {TELLING} is refused"}, "exit": 1},
    {"result": None, "errors": f"error: {TELLING}\n", "exit": 1},
    {"structured": {"checks": {"completeness": "passed", ECHO: "passed"}}},
    {"structured": {"files": [ADR, ECHO]}},
    {"structured": {"result": ECHO}},
    {"structured": {"findings": [{**FINDING, "evidence": TELLING}]}},
    {"structured": {"findings": [{**FINDING, "path": ECHO}]}},
])  # fmt: skip
def test_no_failure_tells_a_key(
    repository: Repository, tmp_path: Path, case: dict[str, Any]
) -> None:
    main_has(repository, "config/approvals.yaml", AT_ONCE)
    done = approve(
        "--base", "main", "--format", "json", env=stand_in(tmp_path / "programs", **case)
    )
    assert done.returncode == 3 and "Traceback" not in done.stderr
    assert holders(repository.root / ".git/helix-hooks", out=done.stdout, err=done.stderr) == []


def test_a_quote_that_is_a_key_is_not_shown(repository: Repository, tmp_path: Path) -> None:
    """Though it stands in the file: the finding stays, without its quote, also where the answer was kept.

    Attack on the judge: a key in a quote, a failure, the name of a model, a brief or a file; a key of the step that the judge never had.
    Answer: the same; a quote that is changed by it is not shown.
    Shown by: `test_a_quote_that_is_a_key_is_not_shown`, `test_no_failure_tells_a_key`, `test_a_judge_says_its_model_and_that_is_masked`, `test_a_key_of_the_step_that_the_judge_never_had_is_masked_too`.
    """
    repository.stage(
        ADR,
        (repository.root / ADR).read_text()
        + f"\nThe broker is reached with {ECHO} by all services.\n",
    )
    repository.commit()
    quoting = {
        **FINDING,
        "message": "A key stands here.",
        "help": "",
        "evidence": f"The broker is reached with {ECHO}",
    }
    judge = stand_in(tmp_path / "programs", structured={"findings": [quoting]})
    for cached in (False, True):
        found = json.loads(approve("--base", "main", "--format", "json", env=judge).stdout)[
            "approvals"
        ][0]
        (finding,) = found["findings"]
        assert found["agent_context"]["cached"] == cached
        assert (finding["message"], finding["evidence"]) == ("A key stands here.", "")
        assert finding["line"] > 10


def test_a_judge_says_its_model_and_that_is_masked(repository: Repository, tmp_path: Path) -> None:
    case = {"as": "claude", "result": {"modelUsage": {f"model {ECHO}": {}}}}
    done = approve(
        "--base", "main", "--format", "json", env=stand_in(tmp_path / "programs", **case)
    )
    assert (
        json.loads(done.stdout)["approvals"][0]["agent_context"]["model"]
        == "model (ANTHROPIC_API_KEY)"
    )
    assert holders(repository.root / ".git/helix-hooks", out=done.stdout) == []


def test_the_handover_holds_what_a_page_shows(
    github: FakeGitHub, repository: Repository, tmp_path: Path
) -> None:
    """Of a quote beyond the diff nothing; of one in the diff what a comment has room for.

    Attack by a hostile pull request: read the hand-over, which is a public artifact.
    Answer: it holds what a page shows, masked.
    Shown by: `test_the_handover_holds_what_a_page_shows`, `test_nothing_keeps_a_key_that_a_judge_says`.
    """
    long = {**FINDING, "message": "m" * 2000, "help": "h" * 2000}
    far = {
        **long,
        "path": "docs/adr/0001-records.md",
        "evidence": (repository.root / "docs/adr/0001-records.md").read_text().splitlines()[0],
    }
    job = Job(github, repository, tmp_path / "job")
    job.steps(stand_in(tmp_path / "programs", structured={"findings": [long, far]}))
    (judged,) = json.loads((job.folder / "helix/handover.json").read_text())["judged"]
    assert [
        (item["finding"]["evidence"] != "", item["place"] is not None) for item in judged["placed"]
    ] == [
        (True, True),
        (False, False),
    ]
