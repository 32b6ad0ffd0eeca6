from __future__ import annotations

import pytest
from lxml import etree

from desktop_rag.parsing.formats.mathml_latex import latex_of

SPACE = 'xmlns="http://www.w3.org/1998/Math/MathML"'
X, TWO = "<mi>x</mi>", "<mn>2</mn>"
ROW = "<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>"
SUM = "<mrow><mi>k</mi><mo>=</mo><mn>0</mn></mrow>"


def latex(inside: str, attributes: str = "") -> str:
    return latex_of(etree.fromstring(f"<math {SPACE} {attributes}>{inside}</math>"))


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (f"<mfrac>{ROW}{TWO}</mfrac>", r"\frac{a+b}{2}"),
        (f"<msup>{X}{TWO}</msup><msub>{X}<mn>10</mn></msub>", "x^2x_{10}"),
        (f"<msqrt>{X}<mo>−</mo>{TWO}</msqrt>", r"\sqrt{x−2}"),
        (f"<mroot>{X}<mn>3</mn></mroot>", r"\sqrt[{3}]{x}"),
        (f"<munderover><mo>∑</mo>{SUM}<mi>n</mi></munderover>{X}", r"\sum_{k=0}^n x"),
        ("<mo>∫</mo><mi>f</mi>", r"\int f"),
        ("<mi>sin</mi><mo>\u2061</mo><mi>θ</mi>", r"\sin θ"),
        (f"<munder><mo>lim</mo>{SUM}</munder>{X}", r"\lim_{k=0} x"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
        (f"<msup><mfenced>{ROW}</mfenced>{TWO}</msup>", "(a+b)^2"),
        (f'<mfenced open="[" close="]" separators=";">{X}{TWO}</mfenced>', "[x;2]"),
        (f"<mtable><mtr><mtd>{X}</mtd><mtd>{TWO}</mtd></mtr><mtr><mtd>{TWO}</mtd></mtr></mtable>",
         r"\begin{matrix}x & 2 \\ 2\end{matrix}"),
        (f"<mmultiscripts><mi>C</mi><none/>{TWO}<mprescripts/><mn>6</mn><none/></mmultiscripts>",
         "{}_6C^2"),
        (f"{X}<mtext> if </mtext><mphantom>{TWO}</mphantom>", r"x\text{if}"),
        (f"<semantics>{ROW}<annotation encoding='StarMath 5.0'>a over b</annotation></semantics>",
         "a+b"),
        ("<mn>50</mn><mo>%</mo>", r"50\%"),
    ],
)  # fmt: skip
def test_an_element_becomes_its_command(inside: str, expected: str) -> None:
    assert latex(inside) == f"${expected}$"


def test_latex_that_a_formula_carries_is_taken() -> None:
    tex = "<annotation encoding='application/x-tex'>{\\displaystyle x^{2}}</annotation>"
    assert latex(f"<semantics>{X}{tex}</semantics>") == "$x^{2}$"
    assert latex(X, r'alttext="\frac{1}{2}"') == r"$\frac{1}{2}$"
    assert latex(X, 'alttext="the letter x"') == "$x$"


def test_a_formula_on_its_own_line_is_marked_as_one() -> None:
    assert latex(X, 'display="block"') == "$$x$$"


def test_a_formula_out_of_bounds_is_a_gap() -> None:
    assert latex("<mrow>" * 90 + X + "</mrow>" * 90) == "[formula]"
    assert latex(f"<mi>{'x' * 9000}</mi>") == "[formula]"
    assert latex("") == ""


def test_what_is_not_known_keeps_its_text() -> None:
    assert latex("<new>y<mi>x</mi>z</new>") == "$yxz$"
    assert latex(f"<mfrac>{X}{TWO}<mi>q</mi></mfrac>") == r"$\frac{x}{2q}$"
    assert latex(f"<mtable><mtr>{X}</mtr></mtable>") == r"$\begin{matrix}x\end{matrix}$"


def test_a_formula_given_by_its_meaning_is_read() -> None:
    apply = "<apply><divide/><ci>x</ci><apply><sin/><cn>2</cn></apply></apply>"
    assert latex(apply) == r"$\frac{x}{\sin(2)}$"
    meant = (
        f"<semantics><annotation-xml encoding='MathML-Content'>{apply}</annotation-xml></semantics>"
    )
    assert latex(meant) == r"$\frac{x}{\sin(2)}$"
