"""Errors and messages carry codes; all their sentences are in the engine's one catalogue."""

from __future__ import annotations

import ast
import builtins
import pickle
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.errors import CancelledError, EngineError, Message, ModelFileError, catalogue
from engine.remote.errors import ServerBusyError
from resources.packaging.sentences import ENGLISH

ROOT = Path(__file__).resolve().parents[2]
HTTP = {"ApiError", "TooLargeError", "_InvalidError", "ChildError"}
"""Answers of the server's protocol and of the transcriber's, which are no sentences of ours."""


@cache
def trees() -> dict[str, ast.Module]:
    files = [path for top in ("engine", "app") for path in sorted((ROOT / top).rglob("*.py"))]
    return {str(p.relative_to(ROOT)): ast.parse(p.read_text(encoding="utf-8")) for p in files}


def calls() -> Iterator[tuple[str, ast.Call]]:
    for name, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield f"{name}:{node.lineno}", node


def error_classes() -> set[str]:
    """Names of the classes below :class:`EngineError`, wherever they are written."""
    found, bases = {"EngineError"}, {}
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    while new := {name for name, of in bases.items() if of & found} - found:
        found |= new
    return found


def fields(code: str) -> set[str]:
    """Placeholders of a sentence and of its next step."""
    both = catalogue()[code] + catalogue().get(f"{code}.advice", "")
    return set(re.findall(r"(?<!\{)\{([a-z_0-9]+)", both))


def is_prose(node: ast.expr) -> bool:
    plain = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return isinstance(node, ast.JoinedStr) or (plain and node.value not in catalogue())


def takes_code() -> dict[str, int]:
    """Where the code stands among the arguments of errors, messages and what makes them."""
    found = dict.fromkeys(error_classes() | {"Message", "TryAgainError"}, 0)
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.args.kwarg is not None:
                names = [each.arg for each in node.args.args if each.arg != "self"]
                if "code" in names:
                    found[node.name] = names.index("code")
    return found


def coded() -> Iterator[tuple[str, ast.Call, ast.expr]]:
    """Every call that makes an error or a message: where, the call, and its code."""
    places = takes_code()
    for place, call in calls():
        func = call.func
        name = func.id if isinstance(func, ast.Name) else getattr(func, "attr", "")
        if name in places and len(call.args) > places[name]:
            yield place, call, call.args[places[name]]


@pytest.mark.slow
def test_no_error_is_made_with_a_sentence() -> None:
    assert {"corrupt", "_bad", "_require", "OutputError"} <= takes_code().keys()
    prose = []
    for place, call, code in coded():
        given = [code, *(k.value for k in call.keywords if k.arg == "advice")]
        prose += [f"{place}: {ast.unparse(each)}" for each in given if is_prose(each)]
    assert not prose


def test_what_is_raised_is_an_error_of_ours_or_of_python() -> None:
    """A new class that is no :class:`EngineError` would hide its sentences from the catalogue."""
    known = error_classes() | HTTP | set(vars(builtins))
    known |= {"TryAgainError", "ClientGoneError", "StepSkippedError", "NotRegularError"}
    known |= {"IllegalTransitionError", "DamagedError"}
    strange = [
        f"{name}:{node.lineno} {node.name}"
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error") and node.name not in known
    ]
    assert not strange


@pytest.mark.slow
def test_placeholders_are_the_parameters() -> None:
    wrong = []
    for place, call, code in coded():
        names = {k.arg for k in call.keywords} - {"advice"}
        if not isinstance(code, ast.Constant) or None in names:
            continue
        steps = [k.value for k in call.keywords if k.arg == "advice"] + call.args[1:2]
        wanted = fields(code.value)
        for step in steps:  # another next step, perhaps with places of its own
            known = isinstance(step, ast.Constant) and step.value in catalogue()
            wanted |= fields(step.value) if known else names
        if names != wanted:
            wrong.append(f"{place} {code.value}: {sorted(map(str, names ^ wanted))}")
    assert not wrong


def test_every_sentence_is_said_somewhere() -> None:
    texts = {
        node.value
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    texts |= {f"title.{name}" for name in error_classes()}
    said = {code.removesuffix(".advice") for code in catalogue()}
    assert not sorted(said - texts)


def test_what_stays_english_is_for_people_who_look_inside() -> None:
    subjects = {code.split(".")[0] for code in catalogue()}
    assert subjects >= ENGLISH
    assert {"bench", "cli", "codec", "header", "lm", "play", "random_model", "tokens"} == ENGLISH


def test_an_error_says_its_sentence_and_keeps_its_code() -> None:
    error = ModelFileError("gguf.row_length", name="a", length=7, block=32)
    assert str(error) == (
        "tensor a: row length 7 is not a multiple of 32. "
        "The file is damaged or incomplete; download it again."
    )
    assert (error.code, error.params["length"]) == ("gguf.row_length", 7)
    assert error.title == "The model cannot be opened"


def test_a_class_without_a_title_has_that_of_its_base() -> None:
    class OwnError(ModelFileError):
        pass

    assert OwnError("gguf.not_gguf").title == ModelFileError("gguf.not_gguf").title


def test_errors_and_messages_survive_another_process() -> None:
    error = ServerBusyError(Message("remote.status", host="h", status=503), "advice.later")
    error.retry_after = 2.5
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.code, back.params) == (str(error), "remote.status", error.params)
    assert back.retry_after == 2.5
    message = pickle.loads(pickle.dumps(Message("check.length", seconds=2.13)))
    assert (message, message.code) == ("The clip is 2.1 s long.", "check.length")


def test_text_that_is_no_code_stands_for_itself() -> None:
    error = EngineError("what a server said: {odd}", "Ask it.")
    assert str(error) == "what a server said: {odd}. Ask it."
    assert error.detail.source == ""


@pytest.mark.parametrize("kind", [CancelledError])
def test_a_stop_needs_no_words(kind: type[CancelledError]) -> None:
    assert kind().code == "job.stopped"
