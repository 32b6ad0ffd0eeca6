"""No text of a document, a question or a conversation is a special token of a chat template."""

from __future__ import annotations

import pytest

from desktop_rag.models.ollama.special_tokens import plain_text

SPECIAL = (
    "<|begin_of_text|>", "<|start_header_id|>", "<|eot_id|>", "<|python_tag|>", "<|eom_id|>",
    "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<think>", "</think>", "<tool_call>",
    "<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "<unused12>", "<start_of_image>",
    "<|turn>", "<turn|>", "<|channel|>", "<|message|>", "<|return|>", "<|end|>", "<|user|>",
    "<s>", "</s>", "[INST]", "[/INST]", "[TOOL_CALLS]", "[SYSTEM_PROMPT]", "<<SYS>>", "<</SYS>>",
    "<｜User｜>", "<｜Assistant｜>", "<｜end▁of▁sentence｜>", "<|START_OF_TURN_TOKEN|>",
    "<|end of text|>",
)  # fmt: skip


@pytest.mark.parametrize("token", SPECIAL)
def test_a_special_token_becomes_plain_text_that_can_be_read(token: str) -> None:
    text = plain_text(f"before{token}after{token}{token}")
    assert token not in text
    assert text.replace(" ", "") == f"before{token}after{token}{token}".replace(" ", "")
    assert plain_text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "if a < b and b > c: print(x[0])",
        "<div class='a'><b>bold</b></div> <section>",
        "f <| g x |> h, x || y, [1], [INSTALL]",
        '<passage_0123abcd number="1" from="a.pdf">\nText\n</passage_0123abcd>',
        "<std::vector<int>> and List<String>",
        "<|" + "x" * 100 + "|>",
    ],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert plain_text(text) == text
