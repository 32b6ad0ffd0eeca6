from __future__ import annotations

import pytest
from lxml import etree

from desktop_rag.parsing.formats.latex_notation import UnreadableFormula
from desktop_rag.parsing.formats.omml_latex import latex_of

NAMESPACE = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def latex(inside: str, name: str = "oMath") -> str:
    return latex_of(etree.fromstring(f'<{name} xmlns="{NAMESPACE}">{inside}</{name}>'))


def run(text: str, *properties: str) -> str:
    look = "".join(f'<{p.partition("=")[0]} val="{p.partition("=")[2]}"/>' for p in properties)
    return f"<r><rPr>{look}</rPr><t>{text}</t></r>"


def structure(name: str, properties: str = "", /, **parts: str) -> str:
    inside = "".join(f"<{part}>{text}</{part}>" for part, text in parts.items())
    return f"<{name}><{name}Pr>{properties}</{name}Pr>{inside}</{name}>"


LIM = run("lim", "sty=p")
A, B, N, X = run("a"), run("b"), run("n"), run("x")
SQUARE = structure("sSup", e=X, sup=run("2"))
STACK = structure("f", '<type val="noBar"/>', num=N, den=run("k"))
SUM = structure(
    "nary", '<chr val="∑"/>', sub=run("k=0"), sup=N, e=structure("sSub", e=X, sub=run("k"))
)
CASES = structure(
    "d", '<begChr val="{"/><endChr val=""/>',
    e=f"<eqArr><e>{run('x=1&amp;')}</e><e>{run('y=2')}</e></eqArr>",
)  # fmt: skip


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (structure("f", num=A, den=B), r"\frac{a}{b}"),
        (structure("f", '<type val="lin"/>', num=A, den=run("b+c")), "a/{b+c}"),
        (SQUARE, "x^2"),
        (structure("sSup", e=structure("f", num=A, den=B), sup=run("2")), r"{\frac{a}{b}}^2"),
        (structure("sSubSup", e=X, sub=run("ij"), sup=run("-1")), "x_{ij}^{-1}"),
        (structure("sPre", sub=run("2"), sup=run("4"), e=run("He")), "{}_2^4He"),
        (structure("rad", '<degHide val="1"/>', deg="", e=run("a+b")), r"\sqrt{a+b}"),
        (structure("rad", deg=run("3"), e=X), r"\sqrt[{3}]{x}"),
        (SUM, r"\sum_{k=0}^n x_k"),
        (structure("nary", '<subHide/><supHide val="on"/>', sub=A, sup=B, e=X), r"\int x"),
        (structure("d", e=X) + structure("d", '<begChr val="|"/><endChr val="|"/>', e=X), "(x)|x|"),
        (structure("d", e=structure("f", num=A, den=B)), r"\left( \frac{a}{b} \right)"),
        (structure("d", e=STACK), r"\binom{n}{k}"),
        (CASES, r"\begin{cases}x=1& \\ y=2\end{cases}"),
        (
            f"<m><mPr/><mr><e>{A}</e><e>{B}</e></mr><mr><e>{N}</e><e>{X}</e></mr></m>",
            r"\begin{matrix}a & b \\ n & x\end{matrix}",
        ),
        (structure("func", fName=run("sin", "sty=p"), e=run("θ")), r"\sin θ"),
        (
            structure("func", fName=structure("limLow", e=LIM, lim=run("x→0")), e=X),
            r"\lim_{x→0} x",
        ),
        (structure("limUpp", e=run("="), lim=run("def")), r"\overset{def}{=}"),
        (structure("acc", '<chr val="⃗"/>', e=run("v")), r"\vec{v}"),
        (structure("acc", e=run("y")), r"\hat{y}"),
        (structure("bar", '<pos val="top"/>', e=run("AB")), r"\overline{AB}"),
        (structure("groupChr", e=run("a+b")), r"\underbrace{a+b}"),
        (structure("borderBox", e=X), r"\boxed{x}"),
        (structure("phant", '<show val="0"/>', e=X) + A, "a"),
        (f"<eqArr><e>{run('a&amp;=b')}</e><e>{run('&amp;=c')}</e></eqArr>",
         r"\begin{aligned}a&=b \\ &=c\end{aligned}"),
        (f"<eqArr><e>{run('E=mc')}{run('#(3)')}</e></eqArr>", r"E=mc\quad (3)"),
        (run("𝑓") + run("5 mm", "sty=p"), r"f5 \mathrm{mm}"),
        (run("R", "scr=double-struck"), r"\mathbb{R}"),
        (run("v", "sty=b") + run(" if ", "nor"), r"\mathbf{v}\text{ if }"),
        (run("50%$") + run("{1}"), r"50\%\$\{1\}"),
        (f"<unheard>{A}</unheard>", "a"),
    ],
)  # fmt: skip
def test_a_structure_becomes_its_command(inside: str, expected: str) -> None:
    assert latex(inside) == f"${expected}$"


def test_a_formula_of_its_own_line_is_marked_as_one() -> None:
    whole = f"<oMath>{SQUARE}</oMath><oMath>{A}</oMath>"
    assert latex(whole, "oMathPara") == "$$x^2$$ $$a$$"


def test_an_empty_formula_says_nothing() -> None:
    assert latex("<r><t></t></r>") == ""


@pytest.mark.parametrize(
    "inside", ["<e>" * 90 + A + "</e>" * 90, run("x" * 9000)], ids=["deep", "long"]
)
def test_a_formula_out_of_bounds_is_refused(inside: str) -> None:
    with pytest.raises(UnreadableFormula):
        latex(inside)


def test_what_stands_where_nothing_belongs_is_kept() -> None:
    assert latex(structure("f", num=A, den=B, zzz=run("lost"))) == r"$\frac{a}{b}lost$"
    assert latex(f"<new><e>{X}</e></new>") == "$x$"
    gone = {"del": run("gone"), "moveFrom": run("gone")}
    assert latex(structure("f", num=A, den=B, **gone)) == r"$\frac{a}{b}$"
    with pytest.raises(UnreadableFormula):
        latex("<r><drawing/></r>")
