from __future__ import annotations

import pytest

from desktop_rag.parsing.text_language import language_code


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "The agreement between the parties ends when either of them gives notice of it. "),
        ("zh", "本合同自双方签字之日起生效，任何一方可以提前三十天书面通知对方解除本合同。" * 3),
        ("ja", "この契約は双方が署名した日から有効となり、いずれの当事者も解除できる。" * 3),
        ("ko", "이 계약은 양 당사자가 서명한 날부터 효력이 발생하며 언제든지 해지할 수 있다. " * 3),
        ("de", "Der Vertrag zwischen den Parteien endet, sobald eine von ihnen ihn kündigt. " * 2),
        ("fr", "Le contrat entre les parties prend fin dès que l'une d'elles le dénonce. " * 2),
        ("es", "El contrato entre las partes termina cuando una de ellas lo notifica. " * 2),
        ("ru", "Договор между сторонами прекращается, когда одна из них уведомит другую. " * 2),
        ("ar", "ينتهي العقد بين الطرفين عندما يخطر أحدهما الآخر بذلك كتابة قبل ثلاثين يوما. " * 2),
    ],
)
def test_a_text_tells_its_language(code: str, text: str) -> None:
    assert language_code(text) == code


@pytest.mark.parametrize("text", ["", "Kurz.", "4 711 | 8.15 | 42 % " * 50])
def test_what_says_too_little_tells_none(text: str) -> None:
    assert language_code(text) == ""
