"""The words of templates by their meaning. Each language begins on a new line."""


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split(";"))


OPEN_ENDS = _phrases(
    """todo; to do; tbd; tbc; tba; fixme; wip; xxx; to be done; to be defined; to be determined;
    to be decided; to be written; to be confirmed; to be added; to be completed; to be announced;
    to be filled; to be filled in; coming soon; work in progress; placeholder; fill me in; fill in;
    fill this in; write me; lorem; your text here; text here; here be text; text goes here;
    your text goes here; insert text here; enter text here; some text; add text; add text here;
    add description; add description here; description here; insert here; write here;
    your title here; title here; content goes here; add content here; not yet written; t.b.d; t.b.a;
    noch offen; offen; folgt; folgt noch; kommt noch; noch zu klären; noch zu entscheiden;
    noch zu schreiben; noch auszufüllen; zu ergänzen; wird ergänzt; wird noch ergänzt;
    wird nachgereicht; ausfüllen; bitte ausfüllen; hier text einfügen; text hier einfügen;
    hier steht text; hier text; platzhalter; noch nicht geschrieben;
    à rédiger; à écrire; à faire; à compléter; à définir; à déterminer; à décider; à préciser;
    à remplir; à venir; en cours de rédaction; texte ici; votre texte ici;
    por hacer; por definir; por escribir; por completar; por determinar; por decidir; a definir;
    a completar; a determinar; pendiente de definir; pendiente de redactar; texto aquí;
    su texto aquí; tu texto aquí;
    a fazer; por fazer; a escrever; a preencher; a decidir; a ser definido; a ser preenchido;
    preencher; em breve; texto aqui; seu texto aqui;
    da fare; da scrivere; da definire; da completare; da decidere; da compilare; da determinare;
    testo qui; inserire testo qui;
    nog te doen; nog te bepalen; nog te schrijven; nog te beslissen; nog in te vullen; nog invullen;
    volgt; volgt nog; in te vullen; nader te bepalen; tekst hier; hier tekst;
    заполнить; будет дополнено; будет позже; уточняется; дополнить; текст здесь; тодо; доделать;
    дописать; написать; нужно дописать; надо дописать; нужно заполнить; надо заполнить;
    нужно написать; надо написать; не заполнено; ещё не написано; еще не написано; сделать;
    待定; 待补充; 待完善; 待填写; 待写; 未定; 待办; 待办事项; 待辦; 待辦事項; 待補充; 待填寫;
    待编写; 待編寫; 待确认; 待確認; 未填写; 未填寫; 后补; 後補; 后续补充;
    未記入; 記入予定; 後で書く; あとで書く; 要記入; 作成中; やること; 要追記; 追記予定; 記載予定;
    未記載; 未作成; 後日記入; 後日記載;
    미정; 작성 예정; 추후 작성; 작성 필요; 작성중; 작성 중; 추가 예정; 할 일; 할일; 해야 할 일;
    미작성; 추후 작성 예정; 나중에 작성"""
)
"""Whole texts that say that the text is still to be written."""

TITLES = _phrases(
    """title; short title; the title; adr title; your title; decision title; title of the decision;
    number title; nnn title; template; adr template; decision template; untitled;
    architecture decision record; architecture decision record template; decision record template;
    decision record; short title of solved problem and solution;
    titel; kurzer titel; vorlage; adr vorlage; titre; titre court; modèle; título; título corto;
    título curto; plantilla; titolo; titolo breve; modello; sjabloon; korte titel;
    заголовок; название; шаблон; 标题; 模板; タイトル; テンプレート; 제목; 템플릿"""
)
"""Whole titles that name no decision."""

NOUNS = _phrases(
    """name; names; your name; author; authors; date; role; reason; reviewer; approver; title;
    value; decision; context; option; number; nnn; nnnn; xxx; xxxx; link; url; description;
    status; team; list; person;
    datum; titel; autor; rolle; nom; titre; auteur; rôle; nombre; fecha; título; nome; data;
    titolo; ruolo; naam; rol; 日期; 姓名; 标题; 名前; 日付; 氏名; 担当者; 이름; 날짜; 제목"""
)
"""Whole texts in square brackets that name what belongs there."""

ASKING = frozenset(
    """describe explain list insert enter provide add write state summarize summarise outline
    replace fill give name specify document define include briefly short brief what why how who
    which your link links please optional here summary description example todo tbd argument option
    driver title decision context author date reason e.g
    beschreibe beschreiben beschreibung erkläre erläutere erläutern nenne nennen auflisten hier kurz
    kurze kurzer kurzbeschreibung was welche welches welcher warum wie wer bitte titel begründung
    décrire décrivez décris expliquer expliquez lister listez quel quelle quels quelles pourquoi
    comment qui titre brève
    describa describir descripción explique explicar enumere liste indique cuál qué por título breve
    descreva descrever descrição indique qual quais
    descrivi descrivere descrivete descrizione spiega spiegare elenca elencare indica quale quali
    perché cosa titolo
    beschrijf beschrijven beschrijving leg noem welke wat waarom hoe wie korte
    опишите описание объясните перечислите укажите какая какой какие почему что кратко""".split()
)
"""First words of a text in brackets that asks the author for text."""
ASKING_STARTS = (
    "在此", "在这里补充", "在这里填写", "在这里描述", "在这里输入",
    "请描述", "请填写", "请说明", "请列出", "此处填写", "描述背景", "描述问题",
    "描述决", "描述做", "描述我们", "描述该", "ここに", "여기에",
)  # fmt: skip
"""The same for languages without spaces between words."""
ASKING_ENDS = (
    "記述してください", "記載してください", "説明してください", "書いてください",
    "記入してください",
    "작성하세요", "기술하세요", "설명하세요", "입력하세요", "적어주세요", "작성해주세요",
)  # fmt: skip
"""Last words of a text that asks the author for text."""
ANSWERS = frozenset(
    """see not none no n/a na nil same also deprecated rejected draft accepted proposed superseded
    withdrawn obsolete toc edit update updated note siehe nicht keine kein nein voir non aucun
    aucune véase ver ninguno ninguna nenhum nenhuma não vedi nessuno nessuna zie geen niet
    нет""".split()
)
"""First words of a text in square brackets that is an answer or a remark."""

JOINING = frozenset(
    """chosen option because good bad neutral and so that
    gewählte gewählt weil da denn gut schlecht für
    retenue choisie choisi car parce que bon bien mauvais bonne mauvaise mal neutre
    opción elegida escogida seleccionada porque ya bueno malo buena mala
    opção escolhida pois bom ruim mau boa má neutro
    opzione scelta perché poiché buono cattivo bene male neutrale positivo negativo
    gekozen optie omdat want goed slecht neutraal
    выбранный вариант потому что хорошо плохо нейтрально
    选择 选项 因为 所选方案 好 坏 中立 选定的方案 选择的方案
    選択した選択肢 選択肢 選んだ理由 なぜなら 良い 悪い 理由 採用
    선택한 옵션 왜냐하면 좋은 점 나쁜 점 이유""".split()
)
"""Words of templates around their blanks."""
DANGLING = frozenset(
    """because weil denn car que porque pois perché poiché omdat want что 因为 なぜなら
    왜냐하면""".split()
)
"""Last words of a text that stops before the reason."""

HINTS = tuple(
    _phrases(
        """the issue motivating this decision, and; the change that we're proposing or;
        the change we're proposing or; what is the issue that; what is the problem that;
        what is the change that; what is the context that; what is the technical issue that;
        what becomes easier or; what is the status, such; what are the consequences of this;
        write the decision here; write your decision;
        what is/are the; why did we decide the way; what decision was made; this section describes;
        this section should; this section contains; this section explains; this section must;
        this section lists; the background section should; the context section should;
        what is the decision that;
        was ist das problem, das; was ist die frage, die; welches problem motiviert diese;
        welches problem veranlasst diese; welche änderung schlagen wir; was ist die änderung, die;
        was wird einfacher oder; was wird leichter oder; das problem, das diese entscheidung
        motiviert,; die änderung, die wir vorschlagen oder; dieser abschnitt beschreibt;
        dieser abschnitt enthält; hier wird beschrieben; hier steht, was; hier steht, warum;
        quel est le problème qui; quel est le problème que; quel est le changement que;
        quelle est la décision que; qu'est-ce qui devient; le problème qui motive cette décision,;
        le changement que nous proposons ou; cette section décrit; cette section doit;
        cuál es el problema que; cuál es el cambio que; qué se vuelve más; qué resulta más;
        qué será más; el problema que motiva esta decisión,; el cambio que proponemos o;
        el cambio que estamos proponiendo o; esta sección describe; esta sección debe;
        qual é o problema que; qual é a mudança que; o que se torna mais; o que fica mais;
        o problema que motiva esta decisão,; a mudança que estamos propondo ou;
        a mudança que propomos ou; esta seção descreve; esta seção deve;
        qual è il problema che; qual è il cambiamento che; cosa diventa più; che cosa diventa più;
        il problema che motiva questa decisione,; il cambiamento che proponiamo o;
        il cambiamento che stiamo proponendo o; questa sezione descrive; questa sezione deve;
        wat is het probleem dat; wat is de verandering die; wat is de wijziging die;
        wat wordt makkelijker of; wat wordt er makkelijker; wat wordt eenvoudiger of;
        het probleem dat deze beslissing motiveert,; de wijziging die we voorstellen of;
        deze sectie beschrijft; deze sectie moet;
        какую проблему мы; какое изменение мы; что станет проще или; что становится проще или;
        этот раздел описывает; какая проблема побудила;
        是什么问题促使; 我们看到的是什么问题;
        什么会变得更容易; 什么变得更容易; 这一部分描述;
        这部分描述; 本节描述;
        この決定や変更の動機となる問題は何; 何が容易; 何が簡単; このセクションでは;
        이 결정이나 변경을 이끄는 문제는 무엇; 무엇이 더 쉬워"""
    )
)
"""First words of the hints of templates, where these have no marks around them."""
INSTRUCTIONS = frozenset(
    """describe explain summarize summarise outline list state provide discuss detail
    beschreiben beschreibe beschreibt erkläre erklären erläutern erläutere nennen nenne
    décrire décrivez décris expliquez expliquer listez lister
    describa describir explique explicar enumere indique
    descreva descrever liste
    descrivi descrivere descrivete spiega spiegare elenca elencare
    beschrijf beschrijven noem
    опишите объясните перечислите укажите""".split()
)
"""Verbs of a hint that tells what to write."""
POLITE = frozenset("please briefly here hier bitte kurz ici brièvement aquí aqui qui".split())
"""First words of a hint before its verb."""
SMALL_WORDS = frozenset(
    """the this a an all any both of here briefly please and in detail shortly clearly
    sie hier kurz bitte den die das der ein eine einen
    ici brièvement le la les un une l'
    aquí brevemente el los las un una su
    aqui o a os as um uma
    qui il lo i gli
    hier kort de het een uit
    здесь кратко""".split()
)
"""Words between the verb of a hint and what it is about."""
OBJECTS = frozenset(
    """context problem issue decision situation background forces consequences options motivation
    reason reasons reasoning change impact status solution alternatives result results outcome
    trade-offs tradeoffs drivers what how why your here
    kontext problem entscheidung situation hintergrund kräfte folgen konsequenzen optionen gründe
    änderung auswirkungen lösung alternativen ergebnis was wie warum welche
    contexte problème décision situation forces conséquences options raisons changement solution
    pourquoi comment ce votre
    contexto problema decisión situación consecuencias opciones razones cambio solución
    alternativas qué cómo por
    decisão situação consequências opções razões mudança solução como
    contesto decisione situazione conseguenze opzioni ragioni cambiamento soluzione alternative
    perché come cosa
    probleem beslissing situatie gevolgen opties redenen wijziging oplossing wat hoe waarom
    контекст контекста проблему проблемы решение решения последствия последствий варианты
    причины""".split()
)
"""Objects of a hint's verb. Another object makes it a decision: "describe resources in YAML"."""
