"""Sentences, headings and cells that a question can be asked of, language by language.

A pattern says how a statement looks, and which question it answers. Each takes its words from the
statement, with the article that stands there, so that gender and number are right without a
dictionary. Few forms are known, and what is not one of them is not asked about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StatementPattern:
    """A form of sentences, with the question that such a sentence answers.

    `question` takes the groups of the form by their names.
    """

    form: re.Pattern[str]
    question: str


@dataclass(frozen=True, slots=True)
class HeadingPattern:
    """A form of headings, with the question that what stands under such a heading answers.

    `value` must be found there; where `is_spoken`, the heading stands inside a sentence.
    """

    form: re.Pattern[str]
    question: str
    value: re.Pattern[str] | None = None
    is_spoken: bool = False


@dataclass(frozen=True, slots=True)
class TitlePattern:
    """A form of titles that say what a document is, with a question about one of its headings.

    `heading` are those that are asked about; None: all.
    """

    form: re.Pattern[str]
    question: str
    heading: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class QuestionGrammar:
    """What is asked in one language, and how.

    `asking` are headings that ask already, `titles` forms of titles whose document can be asked
    what it says of a heading, `figure` what a row and a year are asked with, `rows` the names of
    rows that it is asked of.
    """

    asking: re.Pattern[str]
    statements: tuple[StatementPattern, ...]
    headings: tuple[HeadingPattern, ...]
    titles: tuple[TitlePattern, ...] = ()
    figure: str = ""
    rows: re.Pattern[str] | None = None
    many: re.Pattern[str] | None = None
    term: str = ""
    mark: str = "?"
    longest: int = 80


def _form(text: str) -> re.Pattern[str]:
    return re.compile(text.replace(" ", r"\s+"))


_NUMBER = r"(?:[A-Z]{2,3}\s?|[€$£¥]\s?)?\d"
_YEAR = r"(?:1[5-9]|20)\d\d"

# English
_EN_COUNT = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|twenty|"
    r"thirty|sixty|ninety)"
)
_EN_TIME = r"(?:working |business |calendar )?(?:day|week|month|year|hour|minute)s?\b"
_EN_ABOUT = (
    r"(?:(?:about|around|approximately|only|at least|at most|up to|set at|fixed at|limited to) )?"
)
_EN_VALUE = rf"{_EN_ABOUT}(?:{_NUMBER}|{_EN_COUNT} {_EN_TIME})"
_EN_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_EN_DATE = (
    rf"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_EN_MONTH}|{_EN_MONTH} \d|\d{{1,2}}[./]\d|{_YEAR}\b)"
)
_EN_THING = r"(?P<np>[a-z][\w’'-]*(?: [\w’'%&-]+){0,6}?)"
_EN_NAME = r"(?P<np>(?:The )?[A-Z][\w’'-]+(?: (?:of |the |for |and )?[A-Z][\w’'-]+){0,4})"
_EN_MADE = (
    r"(?:founded|established|built|opened|created|published|released|signed|introduced|invented|"
    r"launched|discovered|adopted|ordered)"
)
_EN_PAPERS = (
    r"(?:agreement|contract|lease|policy|report|plan|manual|handbook|guide|proposal|charter|"
    r"statute|regulation|invoice|offer|protocol|brochure|newsletter)"
)
_EN_MANY_PAPERS = r"(?:notes|minutes|guidelines|rules|terms|instructions|regulations|bylaws)"

_ENGLISH = QuestionGrammar(
    asking=_form(
        r"^(?:(?:What|Why|How|When|Who|Where|Which|Whose) (?:is|are|was|were|do|does|did|can|could|"
        r"should|has|have|will|would|much|many|long|often|far|old|big|high)|"
        r"(?:Can|May|Must|Should|Do|Does|Is|Are|Will) (?:I|we|the|my|you|there|it|an?)|"
        r"(?:What|Which|Whose) [a-z]+ (?:is|are|was|were|do|does|did|can|should|has|have|will)) "
    ),
    statements=(
        StatementPattern(
            _form(rf"^The {_EN_THING} (?P<verb>is|was|are|were) {_EN_VALUE}"),
            "What {verb} the {np}?",
        ),
        StatementPattern(
            _form(
                rf"^The {_EN_THING} (?P<verb>is|was|are|were) "
                rf"(?:held |due |scheduled |planned )?(?:on|for|by) {_EN_DATE}"
            ),
            "When {verb} the {np}?",
        ),
        StatementPattern(
            _form(
                rf"^The {_EN_THING} (?P<verb>begin|start|end|expire|open|close)s "
                rf"(?:on|in|at) (?:the )?{_EN_DATE}"
            ),
            "When does the {np} {verb}?",
        ),
        StatementPattern(
            _form(
                rf"^The {_EN_THING} (?:amounts to|stays at|remains at|comes to|remains|stays) "
                rf"{_EN_VALUE}"
            ),
            "What is the {np}?",
        ),
        StatementPattern(
            _form(rf"^The {_EN_THING} costs {_EN_VALUE}"), "How much does the {np} cost?"
        ),
        StatementPattern(
            _form(rf"^The {_EN_THING} lasts {_EN_VALUE}"), "How long does the {np} last?"
        ),
        StatementPattern(
            _form(rf"^{_EN_NAME} (?P<verb>was|were) (?P<made>{_EN_MADE}) (?:in|on) {_EN_DATE}"),
            "When {verb} {np} {made}?",
        ),
    ),
    headings=(
        HeadingPattern(
            _form(r"^(?P<np>(?:\S+ ){1,3}(?:period|term|duration|time))$"),
            "How long is the {np}?",
            _form(rf"(?:\d+|{_EN_COUNT}) {_EN_TIME}"),
            is_spoken=True,
        ),
        HeadingPattern(
            _form(
                r"^(?P<np>(?:\S+ ){1,3}(?:fee|price|cost|rent|deposit|salary|limit|rate|budget))$"
            ),
            "How high is the {np}?",
            _form(r"[€$£¥%]|\d\s?(?:euros?|dollars?|pounds?|percent|EUR|USD|GBP)\b"),
            is_spoken=True,
        ),
        HeadingPattern(
            _form(r"^(?P<np>(?:\S+ ){1,3}(?:deadline|date))$"),
            "When is the {np}?",
            _form(_EN_DATE),
            is_spoken=True,
        ),
        HeadingPattern(
            _form(
                r"^(?P<np>(?:(?:\S+ ){1,3}(?:requirements|conditions|hours|fees|benefits|"
                r"advantages|disadvantages|limitations|steps|responsibilities|duties|symptoms|effects|rules|"
                r"exceptions|ingredients|risks|goals|objectives)|"
                r"(?:advantages|disadvantages|benefits|limitations|risks|causes|symptoms|types|"
                r"duties|goals|objectives|effects) of(?: \S+){1,4}))$"
            ),
            "What are the {np}?",
            is_spoken=True,
        ),
        HeadingPattern(
            _form(r"^(?P<np>(?:purpose|aim|scope|history|definition|objective) of(?: \S+){1,4})$"),
            "What is the {np}?",
            is_spoken=True,
        ),
    ),
    titles=(
        TitlePattern(
            _form(rf"^(?P<title>(?:\S+ ){{0,2}}{_EN_PAPERS}(?: {_YEAR})?)$"),
            "What does the {title} say about {np}?",
        ),
        TitlePattern(
            _form(rf"^(?P<title>(?:\S+ ){{0,2}}{_EN_MANY_PAPERS}(?: {_YEAR})?)$"),
            "What do the {title} say about {np}?",
        ),
        TitlePattern(
            _form(r"^(?P<title>(?:\S+ ){1,4}(?:project|programme|program|campaign|initiative))$"),
            "What are the {np} of the {title}?",
            _form(r"^(?:goals|objectives|risks|next steps|benefits|results|milestones)$"),
        ),
    ),
    figure="What {verb} the {row} in {year}?",
    rows=_form(
        r"^(?:[A-Z][a-z]+ (?:[a-z]+ ){0,3})?(?:[Rr]evenues?|[Ii]ncome|[Pp]rofit|[Rr]esult|[Ss]ales|"
        r"[Aa]ssets|[Ee]quity|[Tt]urnover|[Ww]ages|[Cc]osts|[Ee]xpenses|[Ll]iabilities|[Tt]axes|"
        r"[Dd]ebt|[Ee]missions|cash flow|[Dd]ividend|[Mm]argin)$"
    ),
    many=_form(r"(?<!s)s$"),
    term="What does “{np}” mean?",
)

# Chinese
_ZH_COUNT = r"[一二三四五六七八九十百千万两半]"
_ZH_NUMBER = (
    r"(?:约|大约|近|超过|每[^\d，。]{1,3})?(?:人民币)?[￥¥$]?"
    rf"(?:\d|{_ZH_COUNT}+(?:个|名|天|日|年|元|万|亿|%|倍|次))"
)
_ZH_THING = r"(?P<np>[\u4e00-\u9fffA-Za-z0-9“”《》·（）]{3,18}?)"
_ZH_DATE = rf"(?P<date>{_YEAR}年(?:\d{{1,2}}月(?:\d{{1,2}}日)?)?)"
_ZH_DAYS = rf"(?:\d+|{_ZH_COUNT}+)\s*个?(?:工作日|日|天|周|月|年|小时|分钟)"

_CHINESE = QuestionGrammar(
    asking=re.compile(
        r"^(?:什么是|什么叫|为什么|为何|如何|怎样|怎么)[^，。]{2,}$|[吗呢]$|"
        r"(?:是什么|有哪些|怎么办|多少钱|是多少|多久)$"
    ),
    statements=(
        StatementPattern(
            re.compile(rf"^{_ZH_THING}(?:期限|时限|有效期|工期|周期)(?:为|是){_ZH_DAYS}"),
            "{np}期限是多久？",
        ),
        StatementPattern(
            re.compile(
                rf"^(?P<np>[\u4e00-\u9fffA-Za-z0-9]{{2,12}}(?:标准|金额|费用|价格|比例|额度|费率|税率|"
                rf"总额|收入|利润|人口|面积|产量|销量|营收|预算|租金|押金|增长率|总量|数量|长度|高度))"
                rf"(?:为|是|达到?|共计|合计){_ZH_NUMBER}"
            ),
            "{np}是多少？",
        ),
        StatementPattern(
            re.compile(
                r"^(?P<np>[\u4e00-\u9fffA-Za-z0-9·]{2,16}?)(?P<verb>成立|创建|创立|建成|始建|诞生|创办)"
                rf"于(?:公元)?{_YEAR}年"
            ),
            "{np}是哪一年{verb}的？",
        ),
        StatementPattern(
            re.compile(
                rf"^(?:本\w{{2}})?[^。]{{0,30}}自{_ZH_DATE}起(?:正式)?(?P<verb>施行|实施|执行|生效)"
            ),
            "《{title}》从什么时候起{verb}？",
        ),
    ),
    headings=(
        HeadingPattern(
            re.compile(
                r"^(?P<np>[\u4e00-\u9fff]{2,12}(?:标准|金额|费用|价格|比例|额度|费率|税率|租金))$"
            ),
            "{np}是多少？",
            re.compile(r"\d\s*(?:元|万|亿|%|％)"),
        ),
        HeadingPattern(
            re.compile(r"^(?P<np>[\u4e00-\u9fff]{2,12}(?:期限|时限|工期|有效期|周期))$"),
            "{np}是多久？",
            re.compile(_ZH_DAYS),
        ),
        HeadingPattern(
            re.compile(r"^(?P<np>[\u4e00-\u9fff]{2,12}(?:日期|时间))$"),
            "{np}是什么时候？",
            re.compile(r"\d+月\d+日|\d+[:：时点]"),
        ),
        HeadingPattern(
            re.compile(
                r"^(?P<np>[\u4e00-\u9fff]{2,12}(?:条件|要求|步骤|职责|原则|措施|特点|优点|缺点|原因|作用|"
                r"注意事项|优势|症状|种类|类型|材料|风险))$"
            ),
            "{np}有哪些？",
        ),
        HeadingPattern(
            re.compile(r"^(?P<np>[\u4e00-\u9fff]{2,12}(?:流程|程序|方式|范围|目标|目的|定义))$"),
            "{np}是什么？",
        ),
    ),
    titles=(
        TitlePattern(
            re.compile(
                r"^(?P<title>[\u4e00-\u9fffA-Za-z0-9]{2,18}(?:制度|办法|规定|合同|协议|章程|条例|细则|"
                r"手册|规范|须知|守则))$"
            ),
            "《{title}》对{np}有什么规定？",
        ),
    ),
    figure="{year}年{row}是多少？",
    rows=re.compile(
        r"^[\u4e00-\u9fff]{0,10}(?:收入|利润|成本|费用|资产|负债|现金流量净额|净额|总额|产量|销量|人数|"
        r"税|增加值|总值|产值|面积|人口)$"
    ),
    term="“{np}”指的是什么？",
    mark="？",
    longest=36,
)

# German
_DE_MONTH = (
    r"(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)"
)
_DE_DATE = rf"(?:\w+tag, (?:dem |den )?)?\d{{1,2}}\.\s*(?:{_DE_MONTH}|\d)"
_DE_TIME = r"(?:Werktage?n?|Arbeitstage?n?|Tage?n?|Wochen?|Monate?n?|Jahre?n?|Stunden?|Minuten?)\b"
_DE_COUNT = r"(?:eine?n?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|vierzehn|dreißig)"
_DE_THING = (
    r"(?P<art>[Dd]er|[Dd]ie|[Dd]as) (?P<np>(?:[a-zäöüß]+ )?[A-ZÄÖÜ][\wäöüß-]{3,}"
    r"(?: (?:der|des|von|für|im|in|pro|je) [\wäöüß-]+(?: [\wäöüß-]+){0,2}?)?)"
)
_DE_ABOUT = r"(?:(?:rund|etwa|ca\.|mindestens|höchstens|bis zu|nur) )?"
_DE_PAPER = r"[A-ZÄÖÜ][\wäöüß-]*"

_GERMAN = QuestionGrammar(
    asking=_form(
        r"^(?:Was|Wie|Wer|Wo|Wann|Warum|Wieso|Wozu|Woher|Wohin|Welche[rsmn]?|Wem|Wen)"
        r"(?: [\wäöüß-]+)? "
        r"(?:ist|sind|war|waren|wird|werden|kann|können|muss|müssen|darf|dürfen|soll|sollte|hat|"
        r"haben|gibt|gilt|gelten|funktioniert|funktionieren|bedeutet|kostet|passiert|macht|läuft|"
        r"erhalte|bekomme|brauche) |"
        r"^(?:Kann|Muss|Darf|Soll|Ist|Sind|Gibt|Werden|Wird) (?:ich|man|es|der|die|das|wir) "
    ),
    statements=(
        StatementPattern(
            _form(rf"^{_DE_THING} (?:beträgt|dauert) {_DE_ABOUT}(?:\d+|{_DE_COUNT}) {_DE_TIME}"),
            "Wie lang ist {art} {np}?",
        ),
        StatementPattern(
            _form(rf"^{_DE_THING} (?:beträgt|beläuft sich auf|liegt bei) {_DE_ABOUT}{_NUMBER}"),
            "Wie hoch ist {art} {np}?",
        ),
        StatementPattern(
            _form(rf"^{_DE_THING} (?:betrug|belief sich auf|lag bei) {_DE_ABOUT}{_NUMBER}"),
            "Wie hoch war {art} {np}?",
        ),
        StatementPattern(
            _form(rf"^{_DE_THING} (?P<verb>beginnt|endet|findet) am {_DE_DATE}"),
            "Wann {verb} {art} {np}{statt}?",
        ),
        StatementPattern(
            _form(
                rf"^(?P<np>(?:(?:Der|Die|Das) )?[A-ZÄÖÜ][\wäöüß-]+(?: [A-ZÄÖÜ][\wäöüß-]+){{0,3}}) "
                rf"wurde (?:im Jahre? |am {_DE_DATE} )?{_YEAR} (?:in \w+ )?"
                r"(?P<made>gegründet|eröffnet|gebaut|erbaut|veröffentlicht|eingeführt)\b"
            ),
            "Wann wurde {np} {made}?",
        ),
        StatementPattern(
            re.compile(
                r"[„»](?P<np>[A-ZÄÖÜ][^„“”»«\n]{1,40})[“”«]\s+(?:bedeutet|bezeichnet|meint)\b"
            ),
            "Was bedeutet „{np}“?",
        ),
    ),
    headings=(
        HeadingPattern(
            _form(r"^(?P<np>[A-ZÄÖÜ][\wäöüß]{3,}(?:frist|dauer|laufzeit))$"),
            "Wie lang ist die {np}?",
            _form(rf"(?:\d+|{_DE_COUNT}) {_DE_TIME}"),
        ),
        HeadingPattern(
            _form(r"^(?P<np>[A-ZÄÖÜ][\wäöüß]{2,}(?:miete|gebühr|kaution))$"),
            "Wie hoch ist die {np}?",
            re.compile(r"€|Euro|EUR|%"),
        ),
        HeadingPattern(
            _form(r"^(?P<np>[A-ZÄÖÜ][\wäöüß]{3,}(?:zeiten|voraussetzungen|kosten|gebühren))$"),
            "Wie sind die {np}?",
            re.compile(r"\d"),
        ),
    ),
    titles=(
        TitlePattern(
            _form(
                rf"^(?P<title>{_DE_PAPER}(?:vertrag|bericht|plan|leitfaden|protokoll|handbuch|"
                r"konzept|gesetz))$"
            ),
            "Was steht im {title} zu „{np}“?",
        ),
        TitlePattern(
            _form(
                rf"^(?P<title>{_DE_PAPER}(?:ordnung|satzung|richtlinie|vereinbarung|anleitung|"
                r"erklärung|broschüre|verordnung))$"
            ),
            "Was steht in der {title} zu „{np}“?",
        ),
    ),
)

# French
_FR_TIME = r"(?:jours?|semaines?|mois|ans?|années?|heures?|minutes?)\b"
_FR_COUNT = r"(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|quinze|trente)"
_FR_VALUE = rf"(?:(?:environ|au moins|au plus) )?(?:{_NUMBER}|{_FR_COUNT} {_FR_TIME})"
_FR_THING = r"(?P<np>[a-zà-ÿ][\wà-ÿ’'-]*(?: (?!est\b|sont\b)[\wà-ÿ’'-]+){0,6}?)"

_FRENCH = QuestionGrammar(
    asking=_form(
        r"^(?:Qu['’]est-ce qu|Comment|Pourquoi|Combien|Quand|Où|Qui|Quel(?:le)?s?|"
        r"À quoi|Que)\S*(?: \S+){2,}$"
    ),
    statements=(
        StatementPattern(
            _form(rf"^Le {_FR_THING} est (?:de|fixé à) {_FR_VALUE}"), "Quel est le {np} ?"
        ),
        StatementPattern(
            _form(rf"^La {_FR_THING} est (?:de|fixée à) {_FR_VALUE}"), "Quelle est la {np} ?"
        ),
        StatementPattern(
            _form(rf"^(?P<art>Le|La) {_FR_THING} s['’]élève à {_FR_VALUE}"),
            "À combien s’élève {art} {np} ?",
        ),
        StatementPattern(
            _form(rf"^(?P<art>Le|La) {_FR_THING} s['’]élevait à {_FR_VALUE}"),
            "À combien s’élevait {art} {np} ?",
        ),
        StatementPattern(
            re.compile(r"«\s*(?P<np>[A-ZÀ-Ý][^«»\n]{1,40}?)\s*»\s+(?:désigne|signifie)\b"),
            "Que signifie « {np} » ?",
        ),
    ),
    headings=(
        HeadingPattern(
            _form(r"^(?P<np>[Dd]urée (?:de |du |des |d['’])\S+(?: \S+){0,3})$"),
            "Quelle est la {np} ?",
            _form(rf"(?:\d+|{_FR_COUNT}) {_FR_TIME}"),
            is_spoken=True,
        ),
        HeadingPattern(
            _form(
                r"^(?P<np>(?:[Dd]élai|[Mm]ontant|[Pp]rix) (?:de |du |des |d['’])\S+(?: \S+){0,3})$"
            ),
            "Quel est le {np} ?",
            re.compile(r"\d"),
            is_spoken=True,
        ),
    ),
    titles=(
        TitlePattern(
            _form(r"^(?P<title>(?:Contrat|Bail|Règlement|Rapport|Guide|Manuel)(?: \S+){0,3})$"),
            "Que dit le {title} sur « {np} » ?",
        ),
    ),
    mark=" ?",
)

# Spanish
_ES_TIME = r"(?:días?|semanas?|mes(?:es)?|años?|horas?|minutos?)\b"
_ES_COUNT = r"(?:una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|treinta)"
_ES_VALUE = rf"(?:(?:unos|unas|aproximadamente|al menos) )?(?:{_NUMBER}|{_ES_COUNT} {_ES_TIME})"
_ES_THING = r"(?P<np>[a-záéíóúñü][\wáéíóúñü-]*(?: [\wáéíóúñü-]+){0,6}?)"

_SPANISH = QuestionGrammar(
    asking=_form(
        r"^¿?(?:Qué|Cómo|Cuándo|Cuánto|Cuánta|Cuántos|Cuántas|Dónde|Quién|Cuál(?:es)?|"
        r"Por qué|Para qué)(?: \S+){2,}$"
    ),
    statements=(
        StatementPattern(
            _form(rf"^(?P<art>El|La) {_ES_THING} (?P<verb>es|fue|será) de {_ES_VALUE}"),
            "¿Cuál {verb} {art} {np}?",
        ),
        StatementPattern(
            _form(rf"^(?P<art>El|La) {_ES_THING} asciende a {_ES_VALUE}"),
            "¿A cuánto asciende {art} {np}?",
        ),
        StatementPattern(
            re.compile(
                r"[«“](?P<np>[A-ZÁÉÍÓÚÑ][^«»“”\n]{1,40})[»”]\s+(?:significa|se refiere a|designa)\b"
            ),
            "¿Qué significa «{np}»?",
        ),
    ),
    headings=(
        HeadingPattern(
            _form(r"^(?P<np>(?:[Pp]lazo|[Ii]mporte|[Pp]recio) (?:de |del )\S+(?: \S+){0,3})$"),
            "¿Cuál es el {np}?",
            re.compile(r"\d"),
            is_spoken=True,
        ),
        HeadingPattern(
            _form(r"^(?P<np>[Dd]uración (?:de |del )\S+(?: \S+){0,3})$"),
            "¿Cuál es la {np}?",
            _form(rf"(?:\d+|{_ES_COUNT}) {_ES_TIME}"),
            is_spoken=True,
        ),
    ),
    titles=(
        TitlePattern(
            _form(
                r"^(?P<title>(?:Contrato|Reglamento|Informe|Acuerdo|Convenio|Manual)(?: \S+){0,3})$"
            ),
            "¿Qué dice el {title} sobre «{np}»?",
        ),
    ),
)

GRAMMARS: Mapping[str, QuestionGrammar] = {
    "en": _ENGLISH, "zh": _CHINESE, "de": _GERMAN, "fr": _FRENCH, "es": _SPANISH,
}  # fmt: skip
"""What is asked, by the code of a document's language; of others nothing is."""
