#!/bin/sh
# Stands in for a coding agent: it forgets the test, and writes it after it has read the feedback.
case $(cat) in
*"Issues found"*)
    cat >lockers/test_photos.py <<'PYTHON'
from photos import is_kept


def test_a_photo_is_deleted_after_thirty_days():
    assert is_kept(30) and not is_kept(31)
PYTHON
    echo "agent: I have written the test. ADR-7 is done." ;;
*)
    mkdir lockers
    cat >lockers/photos.py <<'PYTHON'
def is_kept(days):
    return days <= 30
PYTHON
    echo "agent: All of ADR-7 is done." ;;
esac
