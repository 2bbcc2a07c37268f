"""Views for figures: the last recorded decision on each pull request, and all decided questions."""

from alembic import op

revision = "0004"
down_revision = "0003"

_PULL_DECISIONS = """
CREATE VIEW helix_pull_decisions AS
SELECT project, number, status, type, asked_at, decided_at, voter,
  CASE
    WHEN status = 'expired' THEN ''
    WHEN status = 'auto_approved' THEN 'deadline'
    WHEN voter IS NOT NULL THEN 'people'
    WHEN is_judged THEN 'judge'
    ELSE 'rules'
  END AS decided_by
FROM (
  SELECT project, number, status, type, asked_at, decided_at,
    (SELECT {voter} FROM {votes} WHERE (decisions.status = 'rejected' AND {said} = 'reject')
      OR (decisions.status = 'approved' AND {said} IN ('approve', 'override'))
      ORDER BY vote.key DESC LIMIT 1) AS voter,
    EXISTS (SELECT 1 FROM {judges} WHERE COALESCE({failed}, {false}) = {false}) AS is_judged,
    row_number() OVER (
      PARTITION BY project, number ORDER BY decided_at DESC, event DESC
    ) AS place
  FROM (
    SELECT number AS event, body, {project} AS project, {number} AS number, {status} AS status,
      {type} AS type, COALESCE({asked_at}, 0) AS asked_at, COALESCE({decided_at}, 0) AS decided_at
    FROM (SELECT number, {body} AS body FROM helix_events WHERE request = '' {once}) AS events
    WHERE {kind} = 'imported' AND COALESCE({closed}, {false}) = {false}
  ) AS decisions
) AS placed
WHERE place = 1
"""

_DECIDED = """
CREATE VIEW helix_decided AS
SELECT project, type, outcome, decided_by, asked_at, decided_at, {month} AS month
FROM (
  SELECT project, type, CASE status WHEN 'auto_approved' THEN 'approved' ELSE status END AS outcome,
    decided_by, asked_at, decided_at
  FROM helix_pull_decisions
  WHERE status IN ('approved', 'auto_approved', 'rejected', 'expired')
  UNION ALL
  SELECT project, type, CASE status WHEN 'auto_approved' THEN 'approved' ELSE status END,
    CASE
      WHEN status = 'expired' THEN ''
      WHEN status <> 'auto_approved' THEN 'people'
      WHEN 0 < due_at AND due_at <= decided_at THEN 'deadline'
      ELSE 'rules'
    END,
    asked_at, decided_at
  FROM (
    SELECT project, status, COALESCE(NULLIF({action}, ''), {category}, '') AS type,
      COALESCE({requested_at}, 0) AS asked_at, {expires_at} AS due_at,
      COALESCE(NULLIF({request_decided_at}, 0), {requested_at}, 0) AS decided_at
    FROM (SELECT project, status, {document} AS document FROM helix_requests {once}) AS requests
    WHERE status IN ('approved', 'auto_approved', 'rejected', 'expired')
  ) AS decided
) AS questions
"""


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    if is_sqlite:
        json, value, number = _json_in_sqlite, _value_in_sqlite, _number_in_sqlite
        items, of_item, false, once = _items_in_sqlite, _of_item_in_sqlite, "0", ""
        month = "strftime('%Y-%m', decided_at, 'unixepoch')"
    else:
        json, value, number = _json_in_postgresql, _value_in_postgresql, _number_in_postgresql
        items, of_item, false = _items_in_postgresql, _of_item_in_postgresql, "'false'"
        once = "OFFSET 0"  # so that each text is parsed once, and not for each column
        month = "to_char(to_timestamp(decided_at) AT TIME ZONE 'UTC', 'YYYY-MM')"

    decision = ("fields", "decision")
    op.execute(
        _PULL_DECISIONS.format(
            body=json("body"),
            once=once,
            kind=value("body", "kind"),
            project=value("body", "project"),
            number=number("body", *decision, "pull_request"),
            status=value("body", *decision, "status"),
            type=f"COALESCE(NULLIF({value('body', *decision, 'action_type')}, ''), 'pr_merge')",
            asked_at=number("body", *decision, "requested_at"),
            decided_at=number("body", *decision, "decided_at"),
            closed=value("body", *decision, "closed"),
            votes=items("vote", "body", *decision, "votes"),
            voter=f"COALESCE({of_item('vote', 'by')}, '')",
            said=of_item("vote", "said"),
            judges=items("judge", "body", *decision, "judges"),
            failed=of_item("judge", "failed"),
            false=false,
        )
    )
    op.execute(
        _DECIDED.format(
            document=json("document"),
            once=once,
            action=value("document", "action"),
            category=value("document", "category"),
            requested_at=number("document", "requested_at"),
            expires_at=number("document", "expires_at"),
            request_decided_at=number("document", "decided_at"),
            month=month,
        )
    )


# A value of another type than expected is NULL: one strange row must not stop all figures.

_LARGEST = 99_999_999_999
"""The largest number, as a time in the year 5138; a larger one is no month of any database."""


def _json_in_sqlite(column: str) -> str:
    return column


def _path(names: tuple[str, ...]) -> str:
    return f"'$.{'.'.join(names)}'"


def _value_in_sqlite(column: str, *names: str) -> str:
    return f"json_extract({column}, {_path(names)})"


def _number_in_sqlite(column: str, *names: str) -> str:
    whole = f"CAST({_value_in_sqlite(column, *names)} AS BIGINT)"
    kind = f"json_type({column}, {_path(names)})"
    return f"CASE WHEN {kind} IN ('integer', 'real') THEN max(0, min({_LARGEST}, {whole})) END"


def _items_in_sqlite(name: str, column: str, *names: str) -> str:
    is_array = f"json_type({column}, {_path(names)}) = 'array'"
    array = _value_in_sqlite(column, *names)
    return f"json_each(CASE WHEN {is_array} THEN {array} END) AS {name}"


def _of_item_in_sqlite(item: str, name: str) -> str:
    value = _value_in_sqlite(f"{item}.value", name)
    return f"(CASE WHEN {item}.type = 'object' THEN {value} END)"


def _json_in_postgresql(column: str) -> str:
    # PostgreSQL can't read JSON with a NUL character or half a pair of surrogates in any value.
    text = rf"regexp_replace({column}, '\\u(0000|d[89a-f][0-9a-f]{{2}})', '\\ufffd', 'g')"
    return f"CAST({text} AS json)"


def _part(column: str, names: tuple[str, ...]) -> str:
    return f"({column} #> '{{{','.join(names)}}}')"


def _value_in_postgresql(column: str, *names: str) -> str:
    return f"({_part(column, names)} #>> '{{}}')"


def _number_in_postgresql(column: str, *names: str) -> str:
    exact = f"CAST({_value_in_postgresql(column, *names)} AS numeric)"
    whole = f"CAST(GREATEST(0, LEAST({_LARGEST}, {exact})) AS BIGINT)"
    return f"CASE WHEN json_typeof({_part(column, names)}) = 'number' THEN {whole} END"


def _items_in_postgresql(name: str, column: str, *names: str) -> str:
    part = _part(column, names)
    array = f"CASE WHEN json_typeof({part}) = 'array' THEN {part} END"
    return f"json_array_elements({array}) WITH ORDINALITY AS {name}(value, key)"


def _of_item_in_postgresql(item: str, name: str) -> str:
    return _value_in_postgresql(f"{item}.value", name)
