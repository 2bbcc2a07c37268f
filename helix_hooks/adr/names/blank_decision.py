"""Recognise blanks by the whole text of a section.

They are words of templates in unusual marks (`[[decision]]`), and decisions without content ("not
yet decided", "x", "???"). "Yes.", "Kafka" and "option B" are decisions.
"""

import re

from .blank_words import ASKING, INSTRUCTIONS, NOUNS, OBJECTS, OPEN_ENDS, SMALL_WORDS
from .heading import composed

_LONGEST = 80
"""Maximum characters of a text that says that nothing is decided."""
_WORD = r"[^\W_]+(?:['’.][^\W_]+)*"
_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
"""Letters of languages in which one letter may be a word."""
_WRAPPED = (
    r"\[\[(.+)\]\]|\(\((.+)\)\)|<<(.+)>>|\{\{(.+)\}\}|\$\{(.+)\}|\$\((.+)\)|%{1,2}(.+?)%{1,2}"
    r"|@{1,2}(.+?)@{1,2}|\$([A-Z_]+)\$?|_{1,2}(.+?)_{1,2}|«(.+)»|‹(.+)›|【(.+)】|〔(.+)〕|〈(.+)〉"
    r"|《(.+)》|「(.+)」|『(.+)』|\((.+)\)|（(.+)）"
)
"""Marks of templates and template engines around a text, and marks that people use instead."""

_AROUND = frozenset(
    """the a an this that it we is are was were be been being has have had haven't hasn't isn't i
    still yet currently now at moment so far for made taken will our
    der die das es wir ist sind wird werden wurde wurden worden noch bisher bislang derzeit aktuell
    momentan getroffen gefallen haben hat dazu hierzu
    le la les un une ce nous n'est n'a est sera a été encore pour l'instant toujours prise
    el los se ha han sido es está aún todavía por ahora tomada tomado
    o os foi ainda enquanto
    il è stato stata ancora per ora presa preso
    de het is er nog wordt momenteel genomen
    ещё еще пока это на данный момент сейчас было пока мы""".split()
)
"""Words that are removed from a text before it is compared with `_UNDECIDED`."""

_UNDECIDED = frozenset(
    " ".join(phrase.split())
    for phrase in """not decided; undecided; no decision; nothing decided; decision pending;
    pending; pending decision; open; in progress; in discussion; under discussion;
    to discussed; to discuss; needs discussion; needs decision; needs to decided; to agreed;
    to decided; to decided later; decided later; later; soon; awaiting decision;
    waiting decision; in review; under review; unknown; unclear; not known; not clear;
    decision open; open question; question open; decision to made; no decisions; draft;
    discussion ongoing; ongoing; ongoing discussion; work in progress; tbd later;
    nicht entschieden; unentschieden; keine entscheidung; entscheidung aus; steht aus;
    ausstehend; entscheidung steht aus; entscheidung offen; entscheidung ausstehend; in diskussion;
    in klärung; in abstimmung; in arbeit; in bearbeitung; wird noch entschieden; wird entschieden;
    wird später entschieden; wird noch diskutiert; zu diskutieren; später; unklar; zu klären;
    muss noch geklärt werden; offene frage;
    pas décidé; non décidé; aucune décision; pas de décision; pas décision; en discussion;
    en attente; en cours; en suspens; à discuter; indécis; décision en attente; décision à prendre;
    no decidido; sin decidir; pendiente; pendiente de decisión; ninguna decisión; sin decisión;
    en discusión; por discutir; no decidió; no hay decisión; en curso; pendiente decisión;
    no decidida;
    não decidido; por decidir; pendente; sem decisão; nenhuma decisão; em discussão; em aberto;
    indefinido; não decidida; não há decisão; em andamento; em análise;
    non deciso; nessuna decisione; in sospeso; in discussione; da discutere; in attesa;
    in corso; non decisa; indeciso;
    niet besloten; geen besluit; geen beslissing; onbeslist; in behandeling; in discussie;
    openstaand; te bespreken; wordt nog besloten; moet nog besloten worden;
    moet nog worden besloten; niet beslist;
    не решено; не решили; не принято; решение не принято; решения нет; нет решения;
    не определено; в обсуждении; обсуждается; в процессе; в работе; открыто; нерешено;
    решение обсуждается; не принято решение; позже; решение будет позже;
    尚未决定; 还未决定; 还没有决定; 还没决定; 未决定; 待决定; 待决; 讨论中; 尚未決定; 還未決定;
    待決定; 討論中; 待讨论; 待討論; 进行中; 未决; 暂未决定;
    未決定; 未決定です; 未定です; 検討中; 検討中です; 要検討; まだ決まっていない;
    まだ決まっていません; 決まっていない; 決定していない; 決定していません; 議論中; 協議中; 保留中;
    後で決める; 後日決定; 아직 결정되지 않음; 아직 결정되지 않았다; 아직 결정되지 않았습니다;
    결정되지 않음; 미결정; 결정 예정; 결정 전; 논의 중; 논의중; 검토 중; 검토중; 추후 결정;
    미정입니다; 결정 대기""".split(";")
)
"""Texts that say that nothing is decided. Most lack the words of `_AROUND`: "to [be] decided"."""

_FILLERS = frozenset(
    """x y z xx xy xyz abc abcd foo bar baz foobar asdf asd qwerty qwertz blah bla test lorem
    ipsum dummy stuff something whatever etc decision outcome entscheidung ergebnis décision
    decisión decisão decisione beslissing besluit решение 决定 決定 결정""".split()
)
"""Words that decide nothing, alone or repeated."""


def decides_nothing(text: str, has_options: bool) -> bool:
    """Return whether the whole text of a decision section decides nothing.

    A single letter or digit is an answer if the ADR `has_options`.
    """
    plain = " ".join(composed(text).split())
    if len(plain) > _LONGEST:
        return False
    words = re.findall(_WORD, plain.casefold().replace("’", "'"))
    if not words:
        return True
    if _is_one_letter(words):
        return not has_options
    content = [word for word in words if word not in _AROUND]
    if content and _FILLERS.issuperset(content):
        return True
    return not _UNDECIDED.isdisjoint((" ".join(words), " ".join(content)))


def _is_one_letter(words: list[str]) -> bool:
    if len(words) > 1 or len(words[0]) > 1:
        return False
    return not re.match(_UNSPACED, words[0])


def is_wrapped_blank(text: str) -> bool:
    """Return whether a text in marks has only words with which templates ask for a text."""
    match = re.fullmatch(_WRAPPED, text.strip(" \t*`\"'.:;"))
    if not match:
        return False
    inner = next(filter(None, match.groups()))
    words = re.findall(r"[^\W_]+", inner.casefold())
    if not words:
        return False
    asking = NOUNS | OBJECTS | INSTRUCTIONS | ASKING | SMALL_WORDS | _FILLERS
    return asking.issuperset(words) or " ".join(words) in OPEN_ENDS
