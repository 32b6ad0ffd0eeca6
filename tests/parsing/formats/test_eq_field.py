from __future__ import annotations

import pytest

from desktop_rag.parsing.formats.eq_field import is_formula, latex_of
from desktop_rag.parsing.formats.latex_notation import UnreadableFormula


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (r" EQ \f(1,2) ", r"$\frac{1}{2}$"),
        (r"EQ \f(1;2)", r"$\frac{1}{2}$"),
        (r"eq \r(3,x)+\r(y)", r"$\sqrt[{3}]{x}+\sqrt{y}$"),
        (r"EQ \f(\r(,a+b),2)=(1,2)", r"$\frac{\sqrt{a+b}}{2}=(1,2)$"),
        (r"EQ \i\su(i=1,n,x)", r"$\sum_{i=1}^n x$"),
        (r"EQ \i(a,b,f\(x\)dx)", r"$\int_a^b f(x)dx$"),
        (r"EQ x\s\up5(2)y\s\do3(i)", "$x^2y_i$"),
        (r"EQ \b\lc\{(\a\al\co2(x=1,y,z,2))",
         r"$\left\{ \begin{matrix}x=1 & y \\ z & 2\end{matrix} \right.$"),
        (r"EQ \o\ac(○,3)", "③"),
        (r"EQ \o\ac(○,长)", "(长)"),
        (r'EQ \* jc2 \* "Font:SimSun" \* hps10 \o\ad(\s\up 9(hàn zì),汉字)', "汉字"),
        (r"EQ \x(abc)", "abc"),
        (r"EQ \f(1", "1"),
        (r"EQ \q(a)", "q(a)"),
        ("EQ", ""),
    ],
)  # fmt: skip
def test_a_field_is_written_as_it_is_shown(code: str, expected: str) -> None:
    assert latex_of(code) == expected


@pytest.mark.parametrize("code", ["EQ " + r"\f(" * 3000, "EQ " + "x" * 9000, r"EQ \d\fo10()"])
def test_a_field_out_of_bounds_or_without_text_is_unreadable(code: str) -> None:
    with pytest.raises(UnreadableFormula):
        latex_of(code)


def test_other_fields_are_no_formulas() -> None:
    assert not any(map(is_formula, ("PAGE", 'HYPERLINK "x"', "EQUAL", "SEQ Figure", "")))
