from __future__ import annotations

import pytest

from desktop_rag.parsing.formats.html import from_html

X = "<math><mi>x</mi></math>"
TEX = "<annotation encoding='application/x-tex'>x^2</annotation>"
STATED = f"<math><semantics><mi>x</mi>{TEX}</semantics></math>"
DRAWN = '<span class="katex-html" aria-hidden="true"><span>x</span><span>2</span></span>'
PREVIEW = '<span class="MathJax_Preview"></span>'
SCRIPT = '<script type="math/tex">x^2</script>'
DATA = "&lt;math&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;/math&gt;"


def text(inside: str) -> str:
    document = from_html(f"<html><body><p>For {inside}, the angle.</p></body></html>".encode())
    return "\n".join(block.text for block in document.blocks)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (f'<span class="katex"><span class="katex-mathml">{STATED}</span>{DRAWN}</span>', "$x^2$"),
        (SCRIPT, "$x^2$"),
        ('<script type="math/tex; mode=display">\\displaystyle\ny^2</script>',
         r"$$\displaystyle y^2$$"),
        (f'{PREVIEW}<span class="MathJax"><nobr><span>x</span></nobr></span>{SCRIPT}', "$x^2$"),
        (f'<span class="MathJax" data-mathml="{DATA}"><nobr>x</nobr></span>', "$x$"),
        (f"<mjx-container><mjx-math></mjx-math><mjx-x>{X}</mjx-x></mjx-container>", "$x$"),
        ("<mjx-container><svg><path/></svg></mjx-container>", "[formula]"),
        (f'<span class="mwe-math-element"><i hidden>{X}</i><img alt="x" src="x"></span>', "$x$"),
        ('<span class="ztext-math" data-tex="x^2">x2</span>', "$x^2$"),
        ('<img class="mwe-math-fallback-image-inline" alt="{\\displaystyle x^2}">', "$x^2$"),
        ('<img src="https://www.zhihu.com/equation?tex=x%5E2">', "$x^2$"),
        ('<img src="https://latex.codecogs.com/gif.latex?x%5E2">', "$x^2$"),
        ('<img class="latex" src="a.png">', "[formula]"),
        ('<img class="photo" alt="a^2 cat" src="a.png">', ""),
        ('<span class="katex">x2</span>', "x2"),
        (f"<span>{X}</span>", "$x$"),
        ("<math><apply><eq/><ci>y</ci><apply><plus/><ci>x</ci><cn>1</cn></apply></apply></math>",
         "$y=(x+1)$"),
        ("<math><mglyph alt='my sign'/></math>", r"$\text{my sign}$"),
    ],
)  # fmt: skip
def test_a_formula_is_there_once(inside: str, expected: str) -> None:
    assert text(inside) == f"For {expected}, the angle."


@pytest.mark.parametrize("source", ["http://[x/y.png", "?" + "&".join("a=1" for _ in range(3000))])
def test_an_address_that_is_none_is_no_reason_to_leave_a_page_unread(source: str) -> None:
    assert text(f'<img class="math" src="{source}">') == "For [formula], the angle."


@pytest.mark.parametrize(
    "page",
    [
        f'<div class="katex"><p>Before words</p>{X}<p>After words</p>{X}</div>',
        f'<div class="katex"><p>Before words</p>{X}<p>After words</p></div>',
        f'<div class="MathJax">Before words {X} After words</div>',
        f'<div class="MathJax"><div>Before words {X}</div><div>After words</div></div>',
        f'<div class="katex"><h2>Before words</h2><table><tr><td>After words {X}</table></div>',
        f'<p>Before words<div class="katex"><p>After words</p>{SCRIPT}</div></p>',
        f'<div class="katex"><p>Before words</p></div>{SCRIPT}<p>After words</p>',
    ],
)
def test_text_beside_a_formula_is_not_lost(page: str) -> None:
    said = "\n".join(block.text for block in from_html(page.encode()).blocks)
    assert said.count("$x$") + said.count("$x^2$") == page.count(X) + page.count(SCRIPT)
    assert "Before words" in said
    assert "After words" in said


def test_formulas_that_attributes_say_beside_each_other_are_all_there() -> None:
    both = "".join(f'<span class="MathJax" data-tex="{each}">-</span> ' for each in "xy")
    assert text(f'<span class="katex">{both}</span>') == "For $x$ $y$ , the angle."


def test_a_picture_of_another_class_is_no_formula() -> None:
    shown = '<img class="photo math-class" alt="Grade=5 pupils" src="a.png">'
    assert "$" not in text(shown)


def test_a_script_with_too_much_leaves_a_gap_that_is_counted() -> None:
    long = f'<p>One <script type="math/tex">{"x+" * 9000}</script> stands here.</p>'
    document = from_html(long.encode())
    assert [block.text for block in document.blocks] == ["One [formula] stands here."]
    assert "could not be read: 1" in "".join(document.notes)


def test_gaps_are_counted() -> None:
    drawn = "<p>One <mjx-container><svg/></mjx-container> stands here.</p>"
    (note,) = from_html((drawn * 2).encode()).notes
    assert "could not be read: 2" in note


def test_formulas_in_formulas_without_end_are_read_in_one_pass() -> None:
    page = '<span class="katex">' * 40_000 + "x" + X * 20_000
    assert "x" in text(page)
