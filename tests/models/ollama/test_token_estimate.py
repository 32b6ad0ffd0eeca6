"""Estimates that learn, and the alarm for a prompt that the server cut."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.ollama.prompt_truncation import TruncationDetector
from desktop_rag.models.ollama.token_estimate import TokenEstimate
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyEnd
from testing.ollama_double import DoubleModel, OllamaDouble, Script
from testing.ollama_double.words import count

ENGLISH = "The quick brown fox jumps over the lazy dog while the old farmer watches. " * 20
CHINESE = "这份报告说明了公司在过去一年里的收入和支出情况。" * 20
TABLE = "| 2024 | 1,234.50 | 17.3% |\n| 2025 | 2,345.75 | 18.1% |\n" * 20


def finished(model: OllamaChat, *messages: Message) -> ReplyEnd:
    end = list(model.chat(messages, GenerationOptions(max_tokens=5), CancelToken()))[-1]
    assert isinstance(end, ReplyEnd)
    return end


# ---- estimates


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, TABLE, ENGLISH + CHINESE])
def test_an_estimate_is_of_the_right_size_before_anything_is_known(text: str) -> None:
    assert 0.7 < TokenEstimate().of(text) / count(text) < 1.4


def test_nothing_takes_no_tokens_and_anything_takes_some() -> None:
    assert TokenEstimate().of("") == 0
    assert TokenEstimate().of("a") == 1


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
@pytest.mark.parametrize("rate", [0.6, 0.8, 1.3, 1.9])
def test_estimates_follow_what_is_counted(text: str, rate: float) -> None:
    estimate = TokenEstimate()
    true = int(estimate.of(text) * rate)
    for _ in range(3):
        estimate.learn([text], true + 6)
    assert estimate.of(text) == pytest.approx(true, rel=0.05)


def test_what_is_learnt_of_one_script_leaves_the_other_alone() -> None:
    estimate = TokenEstimate()
    before = estimate.of(ENGLISH)
    estimate.learn([CHINESE], int(estimate.of(CHINESE) * 0.6))
    assert estimate.is_calibrated([CHINESE])
    assert not estimate.is_calibrated([ENGLISH])
    assert estimate.of(ENGLISH) == before


def test_one_mad_count_does_not_ruin_the_estimate() -> None:
    estimate = TokenEstimate()
    estimate.learn([ENGLISH], 1_000_000)
    assert estimate.of(ENGLISH) <= 2.6 * TokenEstimate().of(ENGLISH)


def test_a_short_prompt_teaches_nothing() -> None:
    estimate = TokenEstimate()
    estimate.learn(["Hello there."], 40)
    assert not estimate.is_calibrated(["Hello there."])
    assert estimate.of(ENGLISH) == TokenEstimate().of(ENGLISH)


def test_calls_calibrate_the_models_estimate(double: OllamaDouble, model: OllamaChat) -> None:
    text = "Internationalisierung der Donaudampfschifffahrtsgesellschaften. " * 30
    assert finished(model, Message("user", text)).notices == ()
    assert model.estimate_tokens(text) == pytest.approx(count(text), rel=0.05)


def test_a_call_without_counts_teaches_nothing(double: OllamaDouble, model: OllamaChat) -> None:
    before = model.estimate_tokens(ENGLISH)
    double.say(Script("one", counted=False))
    end = finished(model, Message("user", ENGLISH))
    assert (end.prompt_tokens, end.notices) == (None, ())
    assert model.estimate_tokens(ENGLISH) == before


# ---- the context


def test_the_context_is_the_setting_or_what_the_model_was_made_for(double: OllamaDouble) -> None:
    double.models["small:latest"] = DoubleModel("small:latest", context_length=2048)
    assert OllamaChat(double.url, "small", Ollama()).context_tokens == 2048
    assert OllamaChat(double.url, "llama3.2:3b", Ollama()).context_tokens == 8192
    assert OllamaChat(double.url, "llama3.2:3b", Ollama(num_ctx=1024)).context_tokens == 1024


def test_the_context_can_be_asked_for_while_the_server_is_away() -> None:
    double = OllamaDouble().start()
    double.stop()
    model = OllamaChat(double.url, "llama3.2:3b", Ollama())
    assert model.context_tokens == 8192
    double.models["llama3.2:3b"] = DoubleModel("llama3.2:3b", context_length=4096)
    with double:
        assert model.context_tokens == 4096


# ---- the alarm


def history(turns: int) -> Sequence[Message]:
    return [Message("user", f"{turn} {ENGLISH}") for turn in range(turns)]


def test_a_prompt_that_fits_raises_no_alarm(double: OllamaDouble, model: OllamaChat) -> None:
    assert finished(model, Message("system", "Be brief."), *history(3)).notices == ()


def test_dropped_messages_raise_the_alarm(double: OllamaDouble) -> None:
    model = OllamaChat(double.url, "llama3.2:3b", Ollama(num_ctx=1024))
    end = finished(model, Message("system", "Be brief."), *history(6))
    assert double.chats[0].dropped > 0
    assert f"only {end.prompt_tokens:,} of about" in end.notices[0]
    assert "1,024" in end.notices[0]


def test_a_last_message_cut_to_the_context_raises_the_alarm(double: OllamaDouble) -> None:
    model = OllamaChat(double.url, "llama3.2:3b", Ollama(num_ctx=512))
    end = finished(model, Message("user", ENGLISH * 3))
    assert end.prompt_tokens == 512
    assert "only 512 of about" in end.notices[0]


def test_a_server_with_less_context_than_asked_for_raises_the_alarm(double: OllamaDouble) -> None:
    double.models["small:latest"] = DoubleModel("small:latest", context_length=600)
    model = OllamaChat(double.url, "small", Ollama())
    end = finished(model, Message("user", ENGLISH * 6))
    assert "its context holds 600, not the 8,192 asked for" in end.notices[0]


def test_an_alarm_is_no_lesson(double: OllamaDouble) -> None:
    model = OllamaChat(double.url, "llama3.2:3b", Ollama(num_ctx=512))
    before = model.estimate_tokens(ENGLISH)
    finished(model, Message("user", ENGLISH * 3))
    assert model.estimate_tokens(ENGLISH) == before


def test_a_low_count_is_trusted_for_it_holds_what_the_server_had_cached(
    double: OllamaDouble, model: OllamaChat
) -> None:
    first = Message("user", ENGLISH * 4)
    finished(model, first)
    end = finished(model, first, Message("user", "And now?"))
    assert end.prompt_tokens is not None
    assert end.prompt_tokens > count(first.content)
    assert end.notices == ()


def half(context: int) -> int:
    """Return what today's server leaves of a prompt that is longer than its context."""
    return context - (context - 4) // 2


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, TABLE])
@pytest.mark.parametrize("rate", [0.7, 1.0, 1.64])
@pytest.mark.parametrize("taught", [False, True])
def test_a_prompt_that_was_cut_to_half_of_the_context_raises_the_alarm(
    text: str, rate: float, *, taught: bool
) -> None:
    """Whatever a tokenizer makes of a script: the longest that fits raises none, one more does."""
    estimate = TokenEstimate()
    true = int(estimate.of(text) * rate)
    watch = TruncationDetector(true + 20, estimate)
    if taught:
        assert watch.notice([text], true, 5, lambda: None) == ""
    assert watch.notice([text], true, 5, lambda: None) == ""
    short = TruncationDetector(true - 1, estimate)
    assert "Ollama took in only" in short.notice([text], half(true - 1), 5, lambda: None)


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
def test_a_cut_to_half_of_less_context_than_was_asked_for_is_seen(text: str) -> None:
    estimate = TokenEstimate()
    true = estimate.of(text) * 3
    watch = TruncationDetector(8 * true, estimate)
    in_force = true - 10
    assert "not the" in watch.notice([text] * 3, half(in_force), 5, lambda: in_force)


def test_a_count_that_is_low_by_chance_is_none_where_the_context_has_room() -> None:
    """A tokenizer that knows a script well takes half the tokens of the estimate."""
    watch = TruncationDetector(8192, TokenEstimate())
    assert watch.notice([CHINESE], int(count(CHINESE) * 0.5), 5, lambda: 8192) == ""


def test_an_answer_that_pushed_the_beginning_out_of_the_context_is_told() -> None:
    watch = TruncationDetector(1024, TokenEstimate())
    fits = TokenEstimate().of(ENGLISH)
    assert watch.notice([ENGLISH], fits, 1024 - fits, lambda: 1024) == ""
    assert "lost sight of the beginning" in watch.notice([ENGLISH], fits, 1000, lambda: 1024)


def test_a_prompt_that_fills_the_context_to_the_brim_is_suspicious() -> None:
    estimate = TokenEstimate()
    prompt = [ENGLISH]
    full = estimate.of_prompt(prompt) + 40
    assert "filled" in TruncationDetector(full, estimate).notice(prompt, full, 5, lambda: full)


@pytest.mark.parametrize(("text", "rate"), [(CHINESE, 1.64), (ENGLISH, 1.11), (TABLE, 1.37)])
def test_a_budget_holds_before_a_script_was_counted(text: str, rate: float) -> None:
    """What SmolLM2's tokenizer takes over the estimate; afterwards the estimate itself is right."""
    estimate = TokenEstimate()
    true = int(estimate.of(text) * rate)
    assert estimate.at_most(text) >= true
    estimate.learn([text], true + 6)
    assert estimate.at_most(text) == pytest.approx(true, rel=0.05)
