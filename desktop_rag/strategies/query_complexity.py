"""Tell by a question's words alone whether it needs no search, one, or several.

Signs of several: things compared, a relative clause, someone or something named by a role ("the
director of the film …") whose name must be found first, a second question word within.

Held-out questions told right, in percent: several steps: HotpotQA 81, 2WikiMultihopQA 98, MuSiQue
90; one step: SciFact 95, XQuAD (Spanish), CMRC 2018 and DRCD's test (Chinese) over 99. The signs
were chosen on other questions: the three's training rows, COVID-QA, PubMedQA and DRCD's dev rows.
No Chinese questions of several steps were at hand: of their signs it is only known that they are
silent where one step is enough. In other languages nearly everything is one step.
`tests/strategies/test_query_complexity.py` measures it again.
"""

from __future__ import annotations

import re

from desktop_rag.core.language import content_runs

NONE, ONE, SEVERAL = "none", "one", "several"

_CHAT = re.compile(
    r"\b(?:hello|hi|hey|thanks|thank|good (?:morning|evening|afternoon|night)|good|bye|goodbye|"
    r"ok|okay|yes|please|welcome|great|nice|cool|sorry)\b"
    r"|(?:你|您|大家)好|早上好|上午好|下午好|晚上好|早安|晚安|谢谢|謝謝|多谢|多謝|再见|再見|好的|好吧|嗨|哈[喽囉]",
    re.IGNORECASE,
)
_ROLE = (
    r"(?:director|composer|performer|founder|author|writer|producer|creator|publisher|owner|singer|"
    r"actor|actress|star|screenwriter|president|king|queen|leader|developer|manufacturer|designer|"
    r"inventor|architect|editor|head|chief|coach|captain|winner|birthplace|country|city|state|"
    r"county|province|region|continent|band|group|company|label|network|film|movie|song|album|"
    r"show|series|book|novel|play|team|club|league|school|university|place|location|person|man|"
    r"woman|(?:grand|step)?(?:father|mother|parent|brother|sister|wife|husband|spouse|son|daughter|"
    r"child|uncle|aunt)(?:-in-law)?)s?"
)
_ASKED = re.compile(
    rf"^(?:who|what)(?: is| was| are| were|[’']s) the (?!.*(?:grand[fm]|-in-law))"
    rf"(?:[\w-]+ ){{0,3}}?{_ROLE}\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:both|same|in common)\b|\b(?:which|who|what)\b.*\b(?:first|earlier|later|older|younger|"
    r"longer|larger|bigger|higher|more|most|last|oldest|youngest)\b.*\bor\b|\bborn first\b",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"[A-Z]\S*(?: \([^)]*\))?,? or (?:the |a )?\W?[A-Z]"
    r"|^(?:Are|Were|Is|Was|Did|Do|Have|Has)\b.*[A-Z]\S* and (?:the )?\W?[A-Z]"
)
_CLAUSE = re.compile(
    r"(?<=[a-z\d)\"”'] )(?:who|whom|whose|that|which|where)\b(?= \w)"
    r"|, (?:who|whom|whose|which|where)\b"
    r"|\b(?:in|of|for|by|from|on|to|with|at) (?:which|whom|whose)\b(?!$)"
)
_NAMED_BY_ROLE = re.compile(
    rf"\b(?:[Tt]he|[Aa]n?|[Tt]his|\w+['’]s?) (?:[\w-]+ ){{0,3}}(?<!united ){_ROLE}\b"
)
_INNER = re.compile(
    r"(?<=\w )(?:who|where|when|what|which)(?: \w+){0,2}\?$|(?<=[a-z] )(?:what|which) \w+"
)
_LEAD = re.compile(r"^(?:in|on|at|by|for|from|to|of|with|under|during|about) (?=wh)", re.IGNORECASE)
_RELATION = (
    r"(?:导演|導演|作者|创始人|創始人|创办人|創辦人|父亲|父親|母亲|母親|妻子|丈夫|儿子|兒子|女儿|女兒|"
    r"兄弟|哥哥|弟弟|姐姐|妹妹|主演|演唱者|首都|校长|校長|总统|總統|发明者|發明者|老师|老師|所在地)"
)
_CHINESE = re.compile(
    rf"{_RELATION}(?:的|出生|毕业|畢業|来自|來自|就读|就讀|去世|是哪[国國里裡])"
    r"|(?:哪|谁|誰)[^，。？?]{0,8}更(?![名改换換新])|是否(?:相同|来自同|來自同)|相同[吗嗎]|同一[个個家位][^，。？?]*[吗嗎]"
    r"|(?:共同点|共同點)"
)


def query_complexity(question: str) -> str:
    """Return `none` of a question without words to search for, else `several` or `one`."""
    text = " ".join(question.split())
    if not content_runs(_CHAT.sub(" ", text)):
        return NONE
    others = (_COMPARED, _CHOICE, _CLAUSE, _INNER, _CHINESE)
    text = _LEAD.sub("", text)
    named_by_role = _NAMED_BY_ROLE.search(_ASKED.sub("", text))
    return SEVERAL if named_by_role or any(each.search(text) for each in others) else ONE
