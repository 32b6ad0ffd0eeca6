"""What each strategy does, needs and costs under its defaults, in a line each; translated."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.gui.widgets.tooltips import tip

_Told = dict[str, tuple[str, str, str]]


def tr(text: str) -> str:
    """Translate a line on a strategy."""
    return QCoreApplication.translate("StrategyTips", text)


def of_strategy(name: str) -> str:
    """Return what is told of a strategy, "" of one that nothing is known of."""
    known = _single() | _by_reader() | _prepared() | _in_rounds() | _while_writing() | _judging()
    return tip(*known.get(name, ()))


def of_transform(name: str) -> str:
    """Return what a transform does, in a line; "" of one that nothing is known of."""
    known = {
        "rewrite": tr("The model tidies the question up before it is searched."),
        "hyde": tr("The model makes up an answer; what is like it is found as well."),
        "query2doc": tr("The model makes up a text that is put behind the question."),
        "multi_query": tr("The question is searched in several wordings."),
        "step_back": tr("A more general question is searched as well."),
        "decompose": tr("The parts of the question are answered first, one after the other."),
        "self_query": tr("Only documents that the question speaks of are searched."),
        "utility": tr("Passages that surely answer stand beside those that are like the question."),
        "verify": tr("The answer is checked by questions of its own, and written anew."),
    }
    return known.get(name, "")


def _single() -> _Told:
    """Return what is told of those that search once, or not at all, or leave it to others."""
    model = tr("Needs a language model.")
    nothing = tr("Needs no language model: without one the answer is quotes.")
    return {
        "single_pass": (
            tr("Searches once, and answers from what was found."),
            nothing,
            tr("Costs 1 search and 1 call of the model."),
        ),
        "single_pass_cot": (
            tr("Searches once, reasons aloud, then answers."),
            model,
            tr("Costs 1 search and 1 longer call."),
        ),
        "adaptive": (
            tr("Tells how many steps a question needs, and researches it so."),
            model,
            tr("Costs what the one it chooses costs."),
        ),
        "direct": (
            tr("Asks the model, and keeps the sentences that your documents support."),
            model,
            tr("Costs 1 call, and a search a sentence."),
        ),
        "chain_of_thought": (
            tr("Lets the model reason, and keeps what your documents support of it."),
            model,
            tr("Costs 1 longer call, and a search a sentence."),
        ),
    }


def _by_reader() -> _Told:
    """Return what is told of those whose searches the built-in reader steers."""
    english = tr("Needs no language model; a Chinese question is searched once.")
    return {
        "linked_hops": (
            tr("Follows what the best passages name, for questions over several."),
            english,
            tr("Costs 4 searches and 1 call."),
        ),
        "tables": (
            tr("Counts and sums over whole tables; else searches once."),
            tr("Needs no language model; with one, it writes queries that are not understood."),
            tr("Costs 1 search, a query, and at times 1 call."),
        ),
        "efficient_rag": (
            tr("Searches again with what a small reader marked as useful."),
            english,
            tr("Costs up to 4 searches, and 1 call."),
        ),
        "prompt_rag": (
            tr("Picks headings from the tables of contents, without vectors."),
            tr("Needs no language model: without one the built-in reader picks."),
            tr("Costs 1 search, and 2 or 3 calls of the model."),
        ),
    }


def _prepared() -> _Told:
    """Return what is told of those that search what was derived from documents beforehand."""
    prepared = tr("Needs no language model, but a knowledge base that is prepared for it.")
    once = tr("Costs 1 search and 1 call of the model.")
    return {
        "hypothetical_questions": (
            tr("Finds passages by the questions that they answer, too."),
            prepared,
            once,
        ),
        "propositions": (
            tr("Finds passages by each of their facts, too."),
            prepared,
            once,
        ),
        "raptor": (
            tr("Finds passages by summaries of what belongs together, too."),
            prepared,
            once,
        ),
        "multi_head": (
            tr("Finds passages by several aspects: each attention head of the embedder votes."),
            prepared,
            once,
        ),
        "entity_graph": (
            tr("Follows the names in the question to passages that share names."),
            prepared,
            tr("Costs 2 searches and 1 call of the model."),
        ),
    }


def _in_rounds() -> _Told:
    """Return what is told of those that search and write in turns."""
    model = tr("Needs a language model.")
    return {
        "iter_retgen": (
            tr("Searches again with each answer that it drafts."),
            model,
            tr("Costs 3 searches and 3 calls."),
        ),
        "ircot": (
            tr("Thinks a sentence, searches with it, and so on; then answers."),
            model,
            tr("Costs up to 10 searches and 11 calls."),
        ),
        "self_ask": (
            tr("Asks itself follow-up questions, and answers each by a search."),
            model,
            tr("Costs up to 5 searches and 11 calls."),
        ),
        "react": (
            tr("Thinks, searches or looks a word up, and thinks again."),
            model,
            tr("Costs up to 7 searches, and 8 calls or some more."),
        ),
        "dsp": (
            tr("Writes a query, searches, and writes the next from what was found."),
            model,
            tr("Costs 2 searches and 3 calls."),
        ),
    }


def _while_writing() -> _Told:
    """Return what is told of those that search while the answer is written."""
    model = tr("Needs a language model.")
    sure = tr("Needs a language model that tells how sure it is of each word.")
    return {
        "flare_direct": (
            tr("Drafts each sentence, and searches where the model is unsure of it."),
            sure,
            tr("Costs 1 call a sentence; where unsure, a search and a call more."),
        ),
        "flare_instruct": (
            tr("Lets the model say, while it writes, what to search for."),
            model,
            tr("Costs up to 6 searches, and a call for each."),
        ),
        "previous_sentence": (
            tr("Searches with each sentence written, for the next one."),
            model,
            tr("Costs a search and a call a sentence."),
        ),
        "previous_window": (
            tr("Searches with the last few words, every few words."),
            model,
            tr("Costs a search and a call every 16 tokens: many."),
        ),
    }


def _judging() -> _Told:
    """Return what is told of those that judge what they found."""
    model = tr("Needs a language model.")
    sure = tr("Needs a language model that tells how sure it is of each word.")
    return {
        "self_rag": (
            tr("Writes from each passage apart, and keeps what is well supported."),
            sure,
            tr("Costs several calls for each passage of each part: the most of all."),
        ),
        "crag": (
            tr("Judges what was found, and searches more widely where it is poor."),
            model,
            tr("Costs 1 to 5 searches, and 1 or 2 calls or a few more."),
        ),
    }
