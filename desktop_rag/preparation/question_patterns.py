"""Sentences, headings and titles that a question can be asked of, in English and Chinese.

Each question takes its words from what it is asked of, with the article that stands there, so that
gender and number are right without a dictionary. Few forms are known; what is none of them is not
asked about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from desktop_rag.preparation.latin_question_patterns import FRENCH, GERMAN, SPANISH
from desktop_rag.preparation.question_grammar import (
    NUMBER,
    YEAR,
    HeadingPattern,
    QuestionGrammar,
    StatementPattern,
    TitlePattern,
    form,
)

# English
_EN_COUNT = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|twenty|"
    r"thirty|sixty|ninety)"
)
_EN_TIME = r"(?:working |business |calendar )?(?:day|week|month|year|hour|minute)s?\b"
_EN_ABOUT = (
    r"(?:(?:about|around|approximately|only|at least|at most|up to|set at|fixed at|limited to) )?"
)
_EN_VALUE = rf"{_EN_ABOUT}(?:{NUMBER}|{_EN_COUNT} {_EN_TIME})"
_EN_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_EN_DATE = (
    rf"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_EN_MONTH}|{_EN_MONTH} \d|\d{{1,2}}[./]\d|{YEAR}\b)"
)
_EN_THING = r"(?P<np>[a-z][\w’'-]*(?: [\w’'%&-]+){0,6}?)"
_EN_NAME = r"(?P<np>(?:The )?[A-Z][\w’'-]+(?: (?:of |the |for |and )?[A-Z][\w’'-]+){0,4})"
_EN_ASIDE = r"(?: \([^()]{1,60}\))?(?:,[^,]{1,60},)?"
_EN_PROPER = r"(?P<np>[A-Z][\w’'-]*(?: [A-Z][\w’'-]*){0,3})"
_EN_PERSON = (
    r"(?:[\w-]+ ){0,5}(?:\w{3,}(?:ist|ian|er|or)|\w*man|\w*woman|person|judge|king|queen|"
    r"saint|poet|justice|chief|head|member|citizen|native|student|character)\b"
)
_EN_MADE = (
    r"(?:founded|established|built|opened|created|published|released|signed|introduced|invented|"
    r"launched|discovered|adopted|ordered|observed|celebrated|held)"
)
_EN_PAPERS = (
    r"(?:agreement|contract|lease|policy|report|plan|manual|handbook|guide|proposal|charter|"
    r"statute|regulation|invoice|offer|protocol|brochure|newsletter)"
)
_EN_PRODUCT = (
    r"^(?!Changelog|Readme|Introduction|Untitled|Document)(?P<title>[A-Z][\w.-]+)"
    r"(?: [A-Z][\w.-]+)?$"
)
_EN_MANY_PAPERS = r"(?:notes|minutes|guidelines|rules|terms|instructions|regulations|bylaws)"

_ENGLISH = QuestionGrammar(
    asking=form(
        r"^(?:(?:What|Why|How|When|Who|Where|Which|Whose) (?:is|are|was|were|do|does|did|can|could|"
        r"should|has|have|will|would|much|many|long|often|far|old|big|high)|"
        r"(?:Can|May|Must|Should|Do|Does|Is|Are|Will) (?:I|we|the|my|you|there|it|an?)|"
        r"(?:What|Which|Whose) [a-z]+ (?:is|are|was|were|do|does|did|can|should|has|have|will)) "
    ),
    statements=(
        StatementPattern(
            form(rf"^The {_EN_THING} (?P<verb>is|are) {_EN_VALUE}"), "What {verb} the {np}?"
        ),
        StatementPattern(
            form(
                rf"^The (?P<np>[a-z][\w’'-]*(?: [\w’'%&-]+){{0,4}}? (?:in|of|for) {YEAR}) "
                rf"(?P<verb>was|were) {_EN_VALUE}"
            ),
            "What {verb} the {np}?",
        ),
        StatementPattern(
            form(
                rf"^The {_EN_THING} (?P<verb>is|was|are|were) "
                rf"(?:held |due |scheduled |planned )?(?:on|for|by) {_EN_DATE}"
            ),
            "When {verb} the {np}?",
        ),
        StatementPattern(
            form(
                rf"^The {_EN_THING} (?P<verb>begin|start|end|expire|open|close)s "
                rf"(?:on|in|at) (?:the )?{_EN_DATE}"
            ),
            "When does the {np} {verb}?",
        ),
        StatementPattern(
            form(
                rf"^The {_EN_THING} (?:amounts to|stays at|remains at|comes to|remains|stays) "
                rf"{_EN_VALUE}"
            ),
            "What is the {np}?",
        ),
        StatementPattern(
            form(rf"^The {_EN_THING} costs {_EN_VALUE}"), "How much does the {np} cost?"
        ),
        StatementPattern(
            form(rf"^The {_EN_THING} lasts {_EN_VALUE}"), "How long does the {np} last?"
        ),
        StatementPattern(
            form(
                rf"^{_EN_NAME}{_EN_ASIDE} (?P<verb>was|were|is) (?P<made>{_EN_MADE}) "
                rf"(?:annually |every year )?(?:in|on) {_EN_DATE}"
            ),
            "When {verb} {np} {made}?",
            is_of_subject=True,
        ),
        StatementPattern(
            form(
                rf"^{_EN_NAME}{_EN_ASIDE} (?:was|were) (?P<made>founded|designed|directed|invented|"
                r"built|discovered|composed|painted|created|developed|published|produced|"
                r"established) by (?:the )?[A-Z]"
            ),
            "Who {made} {np}?",
            is_of_subject=True,
        ),
        StatementPattern(
            form(
                rf"^{_EN_NAME}{_EN_ASIDE} (?P<verb>was|is) (?P<made>born|located|based|"
                r"headquartered) (?:on [^,]{4,20},? )?(?:in|at) (?:the )?[A-Z]"
            ),
            "Where {verb} {np} {made}?",
            is_of_subject=True,
        ),
        StatementPattern(
            form(
                rf"^In (?P<year>{YEAR}),? (?P<np>(?:the )?[a-z][\w’'-]*(?: [\w’'%&-]+){{0,4}}?) "
                r"(?:was|were|reached|totall?ed|amounted to|rose to|fell to|increased to|"
                rf"decreased to|stood at) {_EN_VALUE}"
            ),
            "How high {were} {np} in {year}?",
        ),
        StatementPattern(
            form(rf"^{_EN_PROPER} \((?:born|b\.) [^()]*\),? (?:is|was) an? [a-z]"),
            "Who is {np}?",
            is_of_subject=True,
        ),
        StatementPattern(
            form(
                rf"^{_EN_PROPER}(?: \([^()]{{1,60}}\))?,? (?P<verb>is|are) (?:an?|one of the) "
                rf"(?!{_EN_PERSON})[a-z]"
            ),
            "What {verb} {np}?",
            is_of_subject=True,
        ),
        StatementPattern(
            form(
                r"^(?P<art>An?|The) (?P<np>[a-z][\w’'-]*(?: [\w’'-]+){0,3}?)"
                r"(?: \([^()]{1,30}\))? is (?:an?|any) [a-z]"
            ),
            "What is {art} {np}?",
            is_of_subject=True,
        ),
    ),
    headings=(
        HeadingPattern(
            form(r"^(?P<np>(?:\S+ ){1,3}(?:period|term|duration|time))$"),
            "How long is the {np}?",
            form(rf"(?:\d+|{_EN_COUNT}) {_EN_TIME}"),
            is_spoken=True,
        ),
        HeadingPattern(
            form(
                r"^(?P<np>(?:\S+ ){1,3}(?:fee|price|cost|rent|deposit|salary|limit|rate|budget))$"
            ),
            "How high is the {np}?",
            form(r"[€$£¥%]|\d\s?(?:euros?|dollars?|pounds?|percent|EUR|USD|GBP)\b"),
            is_spoken=True,
        ),
        HeadingPattern(
            form(r"^(?P<np>(?:\S+ ){1,3}(?:deadline|date))$"),
            "When is the {np}?",
            form(_EN_DATE),
            is_spoken=True,
        ),
        HeadingPattern(
            form(
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
            form(r"^(?P<np>[Nn]ext (?:meeting|session|workshop|event|appointment|visit))$"),
            "When is the {np}?",
            form(_EN_DATE),
            is_spoken=True,
        ),
        HeadingPattern(
            form(r"^(?P<np>(?:purpose|aim|scope|history|definition|objective) of(?: \S+){1,4})$"),
            "What is the {np}?",
            is_spoken=True,
        ),
    ),
    titles=(
        TitlePattern(
            form(rf"^(?P<title>(?:\S+ ){{0,2}}{_EN_PAPERS}(?: {YEAR})?)$"),
            "What does the {title} say about {np}?",
            is_spoken=True,
        ),
        TitlePattern(
            form(rf"^(?P<title>(?:\S+ ){{0,2}}{_EN_MANY_PAPERS}(?: {YEAR})?)$"),
            "What do the {title} say about {np}?",
            is_spoken=True,
        ),
        TitlePattern(
            form(_EN_PRODUCT),
            "How do I install {title}?",
            form(r"^(?:installation|installing|install|how to install)$"),
            keeps_capitals=True,
        ),
        TitlePattern(
            form(_EN_PRODUCT),
            "How do I use {title}?",
            form(r"^(?:usage|basic usage|quick ?start|getting started|how to use)$"),
            keeps_capitals=True,
        ),
        TitlePattern(
            form(r"^(?P<title>(?:\S+ ){1,4}(?:project|programme|program|campaign|initiative))$"),
            "What are the {np} of the {title}?",
            form(r"^(?:goals|objectives|risks|next steps|benefits|results|milestones)$"),
            keeps_capitals=True,
        ),
        TitlePattern(
            form(r"^(?P<title>(?:\S+ ){1,4}(?:project|programme|program|campaign|initiative))$"),
            "What is the {np} of the {title}?",
            form(r"^(?:budget|timeline|schedule|scope|purpose|goal|aim)$"),
            keeps_capitals=True,
        ),
    ),
    figure="What {verb} the {row} in {year}?",
    rows=form(
        r"^(?:[A-Z][a-z]+ (?:[a-z]+ ){0,3})?(?:[Rr]evenues?|[Ii]ncome|[Pp]rofit|[Rr]esult|[Ss]ales|"
        r"[Aa]ssets|[Ee]quity|[Tt]urnover|[Ww]ages|[Cc]osts|[Ee]xpenses|[Ll]iabilities|[Tt]axes|"
        r"[Dd]ebt|[Ee]missions|cash flow|[Dd]ividend|[Mm]argin)$"
    ),
    many=form(r"(?<!s)s$"),
    cell="What is the {column} of {name}?",
    columns=form(
        r"^(?:price|unit price|population|capital|author|director|manager|deadline|due date|salary|"
        r"phone number|address|release date|area|height|weight)$"
    ),
    term="What does “{np}” mean?",
)

# Chinese
_ZH_COUNT = r"[一二三四五六七八九十百千万两半]"
_ZH_NUMBER = (
    r"(?:约|大约|近|超过|每[^\d，。]{1,3})?(?:人民币)?[￥¥$]?"
    rf"(?:\d|{_ZH_COUNT}+(?:个|名|天|日|年|元|万|亿|%|倍|次))"
)
_ZH_THING = r"(?P<np>[\u4e00-\u9fffA-Za-z0-9“”《》·（）]{3,18}?)"
_ZH_DATE = rf"(?P<date>{YEAR}年(?:\d{{1,2}}月(?:\d{{1,2}}日)?)?)"
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
                rf"于(?:公元)?{YEAR}年"
            ),
            "{np}是哪一年{verb}的？",
        ),
        StatementPattern(
            re.compile(
                rf"^(?:本\w{{2}})?[^。]{{0,30}}自{_ZH_DATE}起(?:正式)?(?P<verb>施行|实施|执行|生效)"
            ),
            "《{title}》从什么时候起{verb}？",
        ),
        StatementPattern(
            re.compile(
                rf"(?P<when>(?:截至)?{YEAR}\s*年(?:底|末|上半年|前三季度|\s*\d{{1,2}}\s*月(?:底|末)?)?)[，,]?"
                r"(?P<np>[^，,。；：、（）《》\d]{2,12}(?:数|规模|收入|总量|人数|用户|率|比例|占比|面积|产值|总额|"
                r"产量|销量|里程|投资))(?:达到?|为|突破|超过|增至)(?:约|近)?\d"
            ),
            "{when}{np}是多少？",
        ),
        StatementPattern(
            re.compile(
                r"(?:^|[，,。；])\s*(?P<np>(?:我国|全国|全球|中国|全省|全市)[^，,。；：、（）《》\d]{2,12}"
                r"(?:数|规模|收入|总量|人数|率|比例|占比|面积|产值|总额|产量|销量|里程))\s*"
                r"(?:已经|已)?(?:达到?|为|突破|超过|增至)\s*(?:约|近)?(?:人民币)?\s*\d"
            ),
            "{np}是多少？",
        ),
        StatementPattern(
            re.compile(
                r"^(?P<np>[\u4e00-\u9fff·]{2,8})(?:（[^（）]{1,40}）)?，?(?:\d[^，。]{4,12})?出生于"
                r"[^\d，。]{2}"
            ),
            "{np}出生在哪里？",
            is_of_subject=True,
        ),
        StatementPattern(
            re.compile(r"^(?P<np>[\u4e00-\u9fff·]{2,14})(?:（[^（）]{1,40}）)?，?位于"),
            "{np}位于哪里？",
            is_of_subject=True,
        ),
        StatementPattern(
            re.compile(
                r"^《?(?P<np>[\u4e00-\u9fffA-Za-z0-9·]{2,14})》?(?:是)?由[^，。]{2,14}?"
                r"(?P<verb>设计|创办|创立|开发|出品|执导|创作|建造|发明|提出|主办|发布)"
            ),
            "{np}是由谁{verb}的？",
            is_of_subject=True,
        ),
        StatementPattern(
            re.compile(
                r"(?:^|[，。：])(?:由[^，。]{2,20}(?:主办|承办)的)?"
                r"(?P<np>(?:第[一二三四五六七八九十\d]+届)?[\u4e00-\u9fffA-Za-z0-9]{3,16}"
                r"(?:论坛|大会|会议|峰会|博览会|运动会|发布会|展览|年会))在[^，。在]{2,12}?(?:成功|隆重|正式)?"
                r"(?P<verb>举行|召开|举办|开幕)"
            ),
            "{np}在哪里{verb}？",
        ),
        StatementPattern(
            re.compile(
                rf"^(?P<np>[\u4e00-\u9fff·]{{2,8}})(?:（[^（）]{{1,60}}）)?[，,][^。]{{0,30}}?{YEAR}年"
                r"[^。，]{0,10}出?生"
            ),
            "{np}是谁？",
            is_of_subject=True,
        ),
        StatementPattern(
            re.compile(
                r"^(?P<np>[\u4e00-\u9fffA-Za-z0-9·]{2,12})(?<![不仅也就都正已还只即可应须又更本将曾])"
                r"(?:（[^（）]{1,40}）)?，?(?:是|指)(?:一种|一个|一款|一套|一类|一项|一门|指|由)"
            ),
            "什么是{np}？",
            is_of_subject=True,
        ),
        StatementPattern(
            re.compile(
                r"^如?有(?P<np>任何疑问|疑问|任何问题|问题)(?:的|时)?，?(?:请|可)(?:与|联系|咨询|致电)"
            ),
            "有{np}应该联系谁？",
            is_of_subject=True,
        ),
    ),
    headings=(
        HeadingPattern(
            re.compile(
                r"^(?P<np>[\u4e00-\u9fff]{2,12}(?:金额|费用|价格|比例|额度|费率|税率|租金))$"
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
            re.compile(
                r"^(?P<np>[\u4e00-\u9fff]{2,12}(?:标准|流程|程序|方式|范围|目标|目的|定义))$"
            ),
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
            keeps_capitals=True,
        ),
    ),
    figure="{year}年{row}是多少？",
    rows=re.compile(
        r"^[\u4e00-\u9fff]{0,10}(?:收入|利润|成本|费用|资产|负债|现金流量净额|净额|总额|产量|销量|人数|"
        r"税|增加值|总值|产值|面积|人口)$"
    ),
    cell="{name}的{column}是多少？",
    columns=re.compile(
        r"^[\u4e00-\u9fff]{0,8}(?:价格|单价|金额|数量|人口|面积|产量|销量|销售额|收入|利润|成本|高度|长度|重量|库存|"
        r"比例|增长率|评分|分数|时长|距离)(?:[（(][^（）()]{1,6}[)）])?$"
    ),
    term="“{np}”指的是什么？",
    mark="？",
    longest=36,
)

GRAMMARS: Mapping[str, QuestionGrammar] = {
    "en": _ENGLISH, "zh": _CHINESE, "de": GERMAN, "fr": FRENCH, "es": SPANISH,
}  # fmt: skip
"""What is asked, by the code of a document's language; of others nothing is."""
