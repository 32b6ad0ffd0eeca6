"""Words that say whether something can be asked for by its name alone.

In English, German, French, Spanish; of headings in Chinese, too.
"""

from __future__ import annotations

_POINTING = """
that what how why which who whom whose this these those such following above below latter former
same other others another said only main first second third next previous last respective
corresponding it its they their he his she her we our you your i my there here if when where while
because and or but not is are was were be been has have had can will would should may must also
both current new resulting remaining final overall given all mean average median every each some
any no dieser diese dieses jener jene folgende folgender folgendes genannte obige letzte andere er
sie sein seine ihr ihre nicht ist sind war und oder ce cet cette ces qui que dont son sa ses leur
leurs il elle ils elles premier première suivant suivante dernier dernière même autre et ou ne pas
este esta estos estas ese esa que cual cuyo su sus él ella primer primera siguiente último última
mismo otra otro y o no se
"""
_VAGUE = """
number rest reason difference result results average value values figure table problem question
answer case example thing way point part time order total sum mean median ratio amount output
input size length percentage share proportion maximum minimum range level score probability idea
fact aim goal purpose method model data system process company group corporation party
parties tenant landlord board court form document agreement author user customer program study
paper anzahl wert rest teil nombre valeur reste
número valor resto
"""
_NO_HEADINGS = """
introduction contents table-of-contents abstract summary references bibliography appendix annex
acknowledgements acknowledgments preface foreword index notes copyright license licence disclaimer
about overview background general miscellaneous changelog readme poetry conclusion conclusions
discussion results methods method appendices glossary imprint title subject definitions
related-work einleitung einführung inhalt inhaltsverzeichnis vorwort anhang zusammenfassung
literatur impressum allgemeines sonstiges überblick sommaire résumé avant-propos annexe conclusion
bibliographie introducción índice resumen prólogo anexo conclusión bibliografía generalidades 前言
引言 目录 目錄 摘要 概述 总则 附则 附录 参考文献 结论 致谢 绪论 背景 简介 说明 其他 其它
序言 後記 后记 总结
"""
POINTING = frozenset(_POINTING.split())
"""Words that point at something said before: with one of them a name means nothing alone."""
VAGUE = frozenset(_VAGUE.split())
"""What nearly everything has, so that it is not asked for alone."""
NO_HEADINGS = frozenset(_NO_HEADINGS.split())
"""Headings that are about nothing; words joined by hyphens."""
