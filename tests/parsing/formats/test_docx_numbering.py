from __future__ import annotations

import pytest

from desktop_rag.parsing.formats.docx_numbering import written


@pytest.mark.parametrize(
    ("number", "form", "expected"),
    [
        (4, "decimal", "4"), (4, "decimalZero", "04"), (14, "upperRoman", "XIV"),
        (1999, "lowerRoman", "mcmxcix"), (5000, "upperRoman", "5000"), (3, "lowerLetter", "c"),
        (28, "upperLetter", "BB"), (0, "lowerLetter", "0"), (10, "chineseCounting", "十"),
        (12, "chineseCountingThousand", "十二"), (20, "japaneseCounting", "二十"),
        (105, "chineseCountingThousand", "一百零五"), (110, "chineseCounting", "一百一十"),
        (1001, "taiwaneseCountingThousand", "一千零一"), (0, "chineseCounting", "零"),
        (12, "chineseLegalSimplified", "壹拾贰"), (3, "decimalEnclosedCircleChinese", "③"),
        (7, "none", ""), (7, "a form unheard of", "7"),
    ],
)  # fmt: skip
def test_a_number_is_written_in_its_format(number: int, form: str, expected: str) -> None:
    assert written(number, form) == expected
