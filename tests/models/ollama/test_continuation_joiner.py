"""A half-written answer is continued, whatever the model makes of it."""

from __future__ import annotations

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.ollama.chat_templates import continues_last_message, template_family
from desktop_rag.models.ollama.continuation_joiner import ContinuationJoiner, ReplyRestarted
from desktop_rag.models.ollama.turn_continuation import GO_ON
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyEnd, ReplyPiece
from testing.ollama_double import DoubleModel, OllamaDouble, Script
from testing.ollama_double.models import CLOSED_TEMPLATE, OPEN_TEMPLATE

BEGINNING = "Paris is the capital of France and lies on"
BEGUN = (
    Message("system", "Be brief."),
    Message("user", "Where is Paris?"),
    Message("assistant", BEGINNING),
)


def continued(model: OllamaChat, how: GenerationOptions | None = None) -> tuple[str, ReplyEnd]:
    parts = list(model.chat(BEGUN, how or GenerationOptions(), CancelToken()))
    end = parts[-1]
    assert isinstance(end, ReplyEnd)
    return "".join(part.text for part in parts if isinstance(part, ReplyPiece)), end


def test_a_chat_that_continues_needs_nothing_else(double: OllamaDouble, model: OllamaChat) -> None:
    double.say(" the Seine.")
    text, end = continued(model)
    assert (text, model.continuation, end.notices) == (" the Seine.", "prefill", ())
    assert double.chats[0].prefill == BEGINNING
    assert double.chats[0].prompt.endswith(BEGINNING)


def test_a_plain_question_is_no_continuation(double: OllamaDouble, model: OllamaChat) -> None:
    list(model.chat(BEGUN[:2], GenerationOptions(), CancelToken()))
    assert model.continuation == ""


def test_a_beginning_that_is_written_again_is_taken_off(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.say(f"{BEGINNING} the Seine.")
    text, _ = continued(model)
    assert (text, model.continuation) == (" the Seine.", "repeated")
    assert len(double.chats) == 1


def test_a_model_that_starts_over_gets_a_raw_prompt_from_then_on(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.say("Paris is the capital of Texas.", " the Seine.", " the Seine, again.")
    text, _ = continued(model)
    assert (text, model.continuation) == (" the Seine.", "raw")
    raw = double.to("/api/generate")[0]
    assert raw.body["raw"] is True
    assert raw.prompt.endswith(f"<|im_start|>assistant\n{BEGINNING}")
    assert "Be brief." in raw.prompt
    assert "think" not in raw.body
    assert continued(model)[0] == " the Seine, again."
    assert len(double.chats) == 1, "the chat is not tried a second time"


def test_a_raw_prompt_is_sent_with_the_same_context(
    double: OllamaDouble, model: OllamaChat
) -> None:
    double.say("Paris is the capital of Texas.", " the Seine.")
    continued(model, GenerationOptions(max_tokens=9, stop=("END",)))
    raw = double.to("/api/generate")[0]
    assert raw.options == double.chats[0].options
    assert raw.body["keep_alive"] == double.chats[0].body["keep_alive"]


def test_a_template_that_closes_the_beginning_is_not_tried(double: OllamaDouble) -> None:
    double.models["closed:latest"] = DoubleModel("closed:latest", template=CLOSED_TEMPLATE)
    double.continues = False
    double.say(" the Seine.")
    model = OllamaChat(double.url, "closed", Ollama())
    assert continued(model)[0] == " the Seine."
    assert model.continuation == "raw"
    assert double.chats == []


def test_a_family_that_is_not_known_is_asked_in_words(double: OllamaDouble) -> None:
    strange = "{{ range .Messages }}{{ .Role }}: {{ .Content }}{{ end }}"
    double.models["strange:latest"] = DoubleModel("strange:latest", template=strange)
    double.say("the Seine.", f"{BEGINNING} the Seine.")
    model = OllamaChat(double.url, "strange", Ollama())
    text, end = continued(model)
    assert (text, model.continuation) == ("the Seine.", "asked")
    assert "starts half-written answers over" in end.notices[0]
    asked = double.chats[0].messages
    assert [message["role"] for message in asked] == ["system", "user"]
    assert asked[1]["content"].startswith("Where is Paris?")
    assert asked[1]["content"].endswith(BEGINNING)
    assert continued(model)[0] == " the Seine."


@pytest.mark.parametrize(
    "begun",
    [
        "Paris is in France.",
        "Paris is in France [1].",
        "He said “yes.”",
        "巴黎是法国的首都，在北部。",
    ],
)
def test_behind_a_whole_sentence_a_model_is_asked_to_go_on_in_the_users_turn(
    double: OllamaDouble, model: OllamaChat, begun: str
) -> None:
    """Given a whole sentence as its own turn, a chat model tends to end that there."""
    double.say(f"{begun} It lies on the Seine.", "It is big.")
    messages = [*BEGUN[:2], Message("assistant", begun)]
    for expected, way in ((" It lies on the Seine.", "repeated"), ("It is big.", "turn")):
        parts = list(model.chat(messages, GenerationOptions(), CancelToken()))
        text = "".join(part.text for part in parts if isinstance(part, ReplyPiece))
        assert (text, model.continuation) == (expected, way)
        end = parts[-1]
        assert isinstance(end, ReplyEnd)
        assert end.notices == ()
    asked = double.chats[0].messages
    assert [message["role"] for message in asked] == ["system", "user"]
    assert asked[1]["content"].startswith("Where is Paris?\n\n")
    assert asked[1]["content"].endswith(f"\n\n{begun}")
    assert double.chats[0].prefill == begun
    assert (GO_ON[True] in asked[1]["content"]) == (begun == "巴黎是法国的首都，在北部。")


def test_a_model_that_thinks_is_never_given_a_beginning_of_its_own(double: OllamaDouble) -> None:
    double.models["wise:latest"] = DoubleModel("wise:latest", ("completion", "thinking"))
    double.say("the Seine.")
    model = OllamaChat(double.url, "wise", Ollama())
    assert continued(model)[0] == "the Seine."
    assert model.continuation == "turn"
    assert [each["role"] for each in double.chats[0].messages] == ["system", "user"]


def test_a_model_with_a_form_of_its_own_goes_on_behind_a_whole_sentence(
    double: OllamaDouble,
) -> None:
    form = "### Instruction:\n{{ .Prompt }}\n\n### Response:\n{{ .Response }}"
    double.models["selfrag:latest"] = DoubleModel("selfrag:latest", template=form)
    double.say(" It is big.")
    model = OllamaChat(double.url, "selfrag", Ollama())
    messages = [*BEGUN[:2], Message("assistant", "Paris is in France.")]
    list(model.chat(messages, GenerationOptions(), CancelToken()))
    assert model.continuation == "prefill"


def test_probabilities_stay_with_their_tokens_across_the_seam(
    double: OllamaDouble, model: OllamaChat
) -> None:
    again = ("Paris is the capital ", "of France and lies on", " the", " Seine")
    double.say(Script(tokens=again, probabilities=(0.9, 0.8, 0.7, 0.6)))
    parts = list(model.chat(BEGUN, GenerationOptions(logprobs=True), CancelToken()))
    tokens = [token for part in parts if isinstance(part, ReplyPiece) for token in part.tokens]
    assert [text for text, _ in tokens] == [" the", " Seine"]
    assert [probability for _, probability in tokens] == pytest.approx([0.7, 0.6])


# ---- the seam by itself


def through(beginning: str, pieces: list[str], *, strict: bool = True) -> tuple[str, bool]:
    seam = ContinuationJoiner(beginning, strict=strict)
    out = [each.text for piece in pieces for each in seam.feed(ReplyPiece(piece))]
    out += [each.text for each in seam.end()]
    return "".join(out), seam.repeated


@pytest.mark.parametrize(
    ("pieces", "rest"),
    [
        ([" the", " Seine."], " the Seine."),
        (["Paris"], "Paris"),  # too little to tell: it is let through
        (["Paris", " is lovely."], "Paris is lovely."),
        ([BEGINNING[:20], BEGINNING[20:], " the Seine."], " the Seine."),
        ([BEGINNING + " the Seine."], " the Seine."),
        (["\n\n" + BEGINNING, " the Seine."], " the Seine."),
        ([BEGINNING], ""),
        ([], ""),
    ],
)
def test_the_seam_lets_through_what_comes_after_the_beginning(pieces: list[str], rest: str) -> None:
    assert through(BEGINNING, pieces)[0] == rest


def test_the_seam_sees_a_start_over() -> None:
    with pytest.raises(ReplyRestarted):
        through(BEGINNING, ["Paris is the capital", " of Texas."])
    with pytest.raises(ReplyRestarted):
        through(BEGINNING, [BEGINNING[:30]])  # it ended in the middle of saying it again
    lenient, _ = through(BEGINNING, ["Paris is the capital", " of Texas."], strict=False)
    assert lenient == "Paris is the capital of Texas."


def test_a_short_beginning_tells_nothing() -> None:
    assert through("So", ["So", " what"]) == ("So what", False)


def test_the_seam_holds_nothing_back_once_it_is_clear() -> None:
    seam = ContinuationJoiner(BEGINNING)
    assert seam.feed(ReplyPiece(" the")) == [ReplyPiece(" the")]
    assert seam.feed(ReplyPiece("Paris is")) == [ReplyPiece("Paris is")]


# ---- raw formats

TEMPLATES = {
    "llama3": ("<|start_header_id|>x", "<|start_header_id|>assistant<|end_header_id|>\n\n"),
    "chatml": ("<|im_start|>x", "<|im_start|>assistant\n"),
    "gemma": ("<start_of_turn>x", "<start_of_turn>model\n"),
    "mistral": ("[INST] x [/INST]", "[/INST] "),
    "phi": ("<|user|>x<|end|>", "<|assistant|>\n"),
    "deepseek": ("<｜User｜>x", "<｜Assistant｜>"),
}


@pytest.mark.parametrize("family", TEMPLATES)
def test_a_raw_prompt_ends_with_the_open_beginning(family: str) -> None:
    template, mark = TEMPLATES[family]
    form = template_family(template)
    assert form
    prompt = form.render(BEGUN)
    assert prompt.endswith(mark + BEGINNING)
    assert prompt.index("Be brief.") < prompt.index("Where is Paris?") < prompt.index(BEGINNING)
    assert prompt.count("Be brief.") == 1


def test_an_unknown_family_has_no_raw_prompt() -> None:
    assert template_family("{{ .Prompt }}") is None


def test_templates_that_keep_the_beginning_open_are_told_apart() -> None:
    assert continues_last_message(OPEN_TEMPLATE)
    assert not continues_last_message(CLOSED_TEMPLATE)
    assert continues_last_message("{{ .System }}{{ .Prompt }}{{ .Response }}<|im_end|>")
    assert continues_last_message("")
