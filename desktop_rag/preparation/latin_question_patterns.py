"""Sentences, headings and titles that a question can be asked of, in German, French and Spanish.

Each question takes its words from what it is asked of, with the article that stands there, so that
gender and number are right without a dictionary. Few forms are known; what is none of them is not
asked about.
"""

from __future__ import annotations

import re

from desktop_rag.preparation.question_grammar import (
    NUMBER,
    YEAR,
    HeadingPattern,
    QuestionGrammar,
    StatementPattern,
    TitlePattern,
    form,
)

# German
_DE_MONTH = (
    r"(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)"
)
_DE_DATE = rf"(?:\w+tag, (?:dem |den )?)?\d{{1,2}}\.(?:\s*(?:{_DE_MONTH}|\d)|$)"
_DE_TIME = r"(?:Werktage?n?|Arbeitstage?n?|Tage?n?|Wochen?|Monate?n?|Jahre?n?|Stunden?|Minuten?)\b"
_DE_COUNT = r"(?:eine?n?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|vierzehn|dreißig)"
_DE_THING = (
    r"(?P<art>[Dd]er|[Dd]ie|[Dd]as) (?P<np>(?:[a-zäöüß]+ )?[A-ZÄÖÜ][\wäöüß-]{3,}"
    r"(?: (?:der|des|von|für|im|in|pro|je) [\wäöüß-]+(?: [\wäöüß-]+){0,2}?)?)"
)
_DE_ABOUT = r"(?:(?:rund|etwa|ca\.|mindestens|höchstens|bis zu|nur) )?"
_DE_PAPER = r"[A-ZÄÖÜ][\wäöüß-]*"

GERMAN = QuestionGrammar(
    asking=form(
        r"^(?:Was|Wie|Wer|Wo|Wann|Warum|Wieso|Wozu|Woher|Wohin|Welche[rsmn]?|Wem|Wen)"
        r"(?: [\wäöüß-]+)? "
        r"(?:ist|sind|war|waren|wird|werden|kann|können|muss|müssen|darf|dürfen|soll|sollte|hat|"
        r"haben|gibt|gilt|gelten|funktioniert|funktionieren|bedeutet|kostet|passiert|macht|läuft|"
        r"erhalte|bekomme|brauche) |"
        r"^(?:Kann|Muss|Darf|Soll|Ist|Sind|Gibt|Werden|Wird) (?:ich|man|es|der|die|das|wir) "
    ),
    statements=(
        StatementPattern(
            form(rf"^{_DE_THING} (?:beträgt|dauert) {_DE_ABOUT}(?:\d+|{_DE_COUNT}) {_DE_TIME}"),
            "Wie lang ist {art} {np}?",
        ),
        StatementPattern(
            form(rf"^{_DE_THING} (?:beträgt|beläuft sich auf|liegt bei) {_DE_ABOUT}{NUMBER}"),
            "Wie hoch ist {art} {np}?",
        ),
        StatementPattern(
            form(rf"^{_DE_THING} (?:betrug|belief sich auf|lag bei) {_DE_ABOUT}{NUMBER}"),
            "Wie hoch war {art} {np}?",
        ),
        StatementPattern(
            form(rf"^{_DE_THING} (?P<verb>beginnt|endet|findet) am {_DE_DATE}"),
            "Wann {verb} {art} {np}{apart}?",
        ),
        StatementPattern(
            form(
                rf"^(?P<np>(?:(?:Der|Die|Das) )?[A-ZÄÖÜ][\wäöüß-]+(?: [A-ZÄÖÜ][\wäöüß-]+){{0,3}}) "
                rf"wurde (?:im Jahre? |am {_DE_DATE} )?{YEAR} (?:in \w+ )?"
                r"(?P<made>gegründet|eröffnet|gebaut|erbaut|veröffentlicht|eingeführt)\b"
            ),
            "Wann wurde {np} {made}?",
        ),
        StatementPattern(
            re.compile(
                r"[„»](?P<np>[A-ZÄÖÜ][^„“”»«\n]{1,40})[“”«]\s+(?:bedeutet|bezeichnet|meint)\b"
            ),
            "Was bedeutet „{np}“?",
            is_of_term=True,
        ),
        StatementPattern(
            form(
                r"^(?P<art>Der|Die|Das|Ein|Eine) (?P<np>[A-ZÄÖÜ][\wäöüß-]{3,})"
                r"(?: \([^()]{1,40}\))? ist (?:ein|eine|der|die|das) "
            ),
            "Was ist {art} {np}?",
            is_of_subject=True,
        ),
    ),
    headings=(
        HeadingPattern(
            form(r"^(?P<np>[A-ZÄÖÜ][\wäöüß]{3,}(?:frist|dauer|laufzeit))$"),
            "Wie lang ist die {np}?",
            form(rf"(?:\d+|{_DE_COUNT}) {_DE_TIME}"),
        ),
        HeadingPattern(
            form(r"^(?P<np>[A-ZÄÖÜ][\wäöüß]{2,}(?:miete|gebühr|kaution))$"),
            "Wie hoch ist die {np}?",
            re.compile(r"€|Euro|EUR|%"),
        ),
        HeadingPattern(
            form(r"^(?P<np>[A-ZÄÖÜ][\wäöüß]{3,}(?:zeiten|voraussetzungen|kosten|gebühren))$"),
            "Wie sind die {np}?",
            re.compile(r"\d"),
        ),
    ),
    titles=(
        TitlePattern(
            form(
                rf"^(?P<title>{_DE_PAPER}(?:vertrag|bericht|plan|leitfaden|protokoll|handbuch|"
                r"konzept|gesetz))$"
            ),
            "Was steht im {title} zu „{np}“?",
            keeps_capitals=True,
        ),
        TitlePattern(
            form(
                rf"^(?P<title>{_DE_PAPER}(?:ordnung|satzung|richtlinie|vereinbarung|anleitung|"
                r"erklärung|broschüre|verordnung))$"
            ),
            "Was steht in der {title} zu „{np}“?",
            keeps_capitals=True,
        ),
    ),
)

# French
_FR_TIME = r"(?:jours?|semaines?|mois|ans?|années?|heures?|minutes?)\b"
_FR_COUNT = r"(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|quinze|trente)"
_FR_VALUE = rf"(?:(?:environ|au moins|au plus) )?(?:{NUMBER}|{_FR_COUNT} {_FR_TIME})"
_FR_THING = r"(?P<np>[a-zà-ÿ][\wà-ÿ’'-]*(?: (?!est\b|sont\b)[\wà-ÿ’'-]+){0,6}?)"

FRENCH = QuestionGrammar(
    asking=form(
        r"^(?:Qu['’]est-ce qu|Comment|Pourquoi|Combien|Quand|Où|Qui|Quel(?:le)?s?|"
        r"À quoi|Que)\S*(?: \S+){2,}$"
    ),
    statements=(
        StatementPattern(
            form(rf"^Le {_FR_THING} est (?:de|fixé à) {_FR_VALUE}"), "Quel est le {np} ?"
        ),
        StatementPattern(
            form(rf"^La {_FR_THING} est (?:de|fixée à) {_FR_VALUE}"), "Quelle est la {np} ?"
        ),
        StatementPattern(
            form(rf"^(?P<art>Le|La) {_FR_THING} s['’]élève à {_FR_VALUE}"),
            "À combien s’élève {art} {np} ?",
        ),
        StatementPattern(
            form(rf"^(?P<art>Le|La) {_FR_THING} s['’]élevait à {_FR_VALUE}"),
            "À combien s’élevait {art} {np} ?",
        ),
        StatementPattern(
            re.compile(r"«\s*(?P<np>[A-ZÀ-Ý][^«»\n]{1,40}?)\s*»\s+(?:désigne|signifie)\b"),
            "Que signifie « {np} » ?",
            is_of_term=True,
        ),
        StatementPattern(
            form(
                rf"^(?P<art>Le|La) {_FR_THING}(?: \([^()]{{1,40}}\))? est (?:une?|le|la) [a-zà-ÿ]"
            ),
            "Qu’est-ce que {art} {np} ?",
            is_of_subject=True,
        ),
    ),
    headings=(
        HeadingPattern(
            form(r"^(?P<np>[Dd]urée (?:de |du |des |d['’])\S+(?: \S+){0,3})$"),
            "Quelle est la {np} ?",
            form(rf"(?:\d+|{_FR_COUNT}) {_FR_TIME}"),
            is_spoken=True,
        ),
        HeadingPattern(
            form(
                r"^(?P<np>(?:[Dd]élai|[Mm]ontant|[Pp]rix) (?:de |du |des |d['’])\S+(?: \S+){0,3})$"
            ),
            "Quel est le {np} ?",
            re.compile(r"\d"),
            is_spoken=True,
        ),
    ),
    titles=(
        TitlePattern(
            form(r"^(?P<title>(?:Contrat|Bail|Règlement|Rapport|Guide|Manuel)(?: \S+){0,3})$"),
            "Que dit le {title} sur « {np} » ?",
        ),
    ),
    mark=" ?",
)

# Spanish
_ES_TIME = r"(?:días?|semanas?|mes(?:es)?|años?|horas?|minutos?)\b"
_ES_COUNT = r"(?:una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|treinta)"
_ES_VALUE = rf"(?:(?:unos|unas|aproximadamente|al menos) )?(?:{NUMBER}|{_ES_COUNT} {_ES_TIME})"
_ES_THING = r"(?P<np>[a-záéíóúñü][\wáéíóúñü-]*(?: [\wáéíóúñü-]+){0,6}?)"

SPANISH = QuestionGrammar(
    asking=form(
        r"^¿?(?:Qué|Cómo|Cuándo|Cuánto|Cuánta|Cuántos|Cuántas|Dónde|Quién|Cuál(?:es)?|"
        r"Por qué|Para qué)(?: \S+){2,}$"
    ),
    statements=(
        StatementPattern(
            form(rf"^(?P<art>El|La) {_ES_THING} (?P<verb>es|fue|será) de {_ES_VALUE}"),
            "¿Cuál {verb} {art} {np}?",
        ),
        StatementPattern(
            form(rf"^(?P<art>El|La) {_ES_THING} asciende a {_ES_VALUE}"),
            "¿A cuánto asciende {art} {np}?",
        ),
        StatementPattern(
            re.compile(
                r"[«“](?P<np>[A-ZÁÉÍÓÚÑ][^«»“”\n]{1,40})[»”]\s+(?:significa|se refiere a|designa)\b"
            ),
            "¿Qué significa «{np}»?",
            is_of_term=True,
        ),
        StatementPattern(
            form(
                rf"^(?P<art>El|La) {_ES_THING}(?: \([^()]{{1,40}}\))? es (?:una?|el|la) [a-záéíóúñ]"
            ),
            "¿Qué es {art} {np}?",
            is_of_subject=True,
        ),
    ),
    headings=(
        HeadingPattern(
            form(r"^(?P<np>(?:[Pp]lazo|[Ii]mporte|[Pp]recio) (?:de |del )\S+(?: \S+){0,3})$"),
            "¿Cuál es el {np}?",
            re.compile(r"\d"),
            is_spoken=True,
        ),
        HeadingPattern(
            form(r"^(?P<np>[Dd]uración (?:de |del )\S+(?: \S+){0,3})$"),
            "¿Cuál es la {np}?",
            form(rf"(?:\d+|{_ES_COUNT}) {_ES_TIME}"),
            is_spoken=True,
        ),
    ),
    titles=(
        TitlePattern(
            form(
                r"^(?P<title>(?:Contrato|Reglamento|Informe|Acuerdo|Convenio|Manual)(?: \S+){0,3})$"
            ),
            "¿Qué dice el {title} sobre «{np}»?",
        ),
    ),
)
