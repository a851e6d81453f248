"""Watches the window's thread: no single call of the program there may hold it up.

As a plugin of pytest it has every function of ``app`` say when it begins and ends: while a module
is imported, its functions get one line before and one after their body. The signature and the
code's other facts stay, since Qt counts a slot's arguments by them. The outermost function on the
stack is one call: a slot, an event, or what a test does. What counts is processor time of the
thread, so that a busy machine accuses nobody, without Python's garbage collector, which has a
whole test run to tidy. A slower processor gets more of it: the limit holds for one that counts as
fast as :data:`COUNT_S` says.
"""

from __future__ import annotations

import ast
import gc
import statistics
import sys
import threading
import time
import types
from collections.abc import Collection
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from typing import Any

LIMIT_S = 0.05
COUNT_S = 0.0056
"""Processor time of :func:`_count` on the machine that the limit is meant for."""


class Watchdog:
    """Collects calls that take longer than ``limit_s``, while it is entered.

    Args:
        allowed: names of functions, such as ``Application.__init__``, that may take long.

    Attributes:
        found: for each call that took too long its name and its seconds.
    """

    active: Watchdog | None = None

    def __init__(self, allowed: Collection[str] = (), limit_s: float = LIMIT_S) -> None:
        self.found: dict[str, float] = {}
        self._allowed, self._limit_s = frozenset(allowed), limit_s
        self._watched = threading.get_ident()
        self._depth = 0
        self._excused = False
        self._began_s = self._tidying_s = self._tidied_s = 0.0

    def __enter__(self) -> Watchdog:
        gc.callbacks.append(self._on_collector)
        Watchdog.active = self
        return self

    def __exit__(self, *_: object) -> None:
        Watchdog.active = None
        gc.callbacks.remove(self._on_collector)

    def begin(self, name: str) -> Watchdog | None:
        """Who to tell of the end of the function ``name``."""
        if threading.get_ident() != self._watched:
            return None
        if not self._depth:
            self._excused = False
            self._tidied_s = 0.0
            self._began_s = time.thread_time()
        self._depth += 1
        self._excused = self._excused or name in self._allowed
        return self

    def end(self, name: str) -> None:
        """The function ``name`` has ended."""
        self._depth -= 1
        if self._depth or self._excused:
            return
        took_s = time.thread_time() - self._began_s - self._tidied_s
        if took_s > self._limit_s and took_s > self._limit_s * _slowness():
            self.found[name] = max(took_s, self.found.get(name, 0.0))

    def forgive(self, seconds: float) -> None:
        """What the call under way does not have to answer for."""
        if threading.get_ident() == self._watched:
            self._tidied_s += seconds

    def _on_collector(self, phase: str, _: dict[str, int]) -> None:
        if threading.get_ident() != self._watched:
            return
        now = time.thread_time()
        if phase == "start":
            self._tidying_s = now
        else:
            self._tidied_s += now - self._tidying_s


def _slowness() -> float:
    """How much longer this processor takes now, from 1."""
    return max(1.0, statistics.median(_count() for _ in range(5)) / COUNT_S)


def _count() -> float:
    began_s = time.thread_time()
    total = 0
    for number in range(200_000):
        total += number & 3
    return time.thread_time() - began_s


def begin(name: str) -> Watchdog | None:
    """What each watched function does first."""
    dog = Watchdog.active
    return dog.begin(name) if dog is not None else None


class _Marks(ast.NodeTransformer):
    """Puts the two lines into every function that runs from its call to its end."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self._names.append(node.name)
        self.generic_visit(node)
        self._names.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        name = ".".join((*self._names, node.name))
        self._names += [node.name, "<locals>"]
        self.generic_visit(node)
        del self._names[-2:]
        if not _is_generator(node):
            _mark(node, name)
        return node


def _is_generator(function: ast.FunctionDef) -> bool:
    """Whether it stops in between, so that its time is its caller's."""
    nodes: list[ast.AST] = list(function.body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            nodes += ast.iter_child_nodes(node)
    return False


def _mark(function: ast.FunctionDef, name: str) -> None:
    doc = 1 if ast.get_docstring(function, clean=False) is not None else 0
    rest = function.body[doc:]
    if not rest:
        return
    before = f"_watchdog = _watchdog_begin({name!r})"
    after = f"if _watchdog is not None:\n _watchdog.end({name!r})"
    place = rest[0]
    lines = [*ast.parse(before).body, *ast.parse(after).body]
    for node in (part for line in lines for part in ast.walk(line)):
        ast.copy_location(node, place)
    whole = ast.Try(body=rest, handlers=[], orelse=[], finalbody=lines[1:])
    function.body = [*function.body[:doc], lines[0], ast.copy_location(whole, place)]


class _Loader(SourceFileLoader):
    """Compiles with the marks, and leaves the cache of compiled files to the program."""

    def get_code(self, fullname: str) -> types.CodeType:
        began_s = time.thread_time()
        path = self.get_filename(fullname)
        tree = _Marks().visit(ast.parse(self.get_data(path), path))
        code = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
        if Watchdog.active is not None:  # the program would have found it compiled
            Watchdog.active.forgive(time.thread_time() - began_s)
        return code

    def exec_module(self, module: types.ModuleType) -> None:
        module.__dict__["_watchdog_begin"] = begin
        super().exec_module(module)


class _Finder(MetaPathFinder):
    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if fullname.partition(".")[0] != self._package:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path)
        return spec


def watch(package: str) -> None:
    """Mark the functions of ``package`` in every module of it that is imported from now on."""
    sys.meta_path.insert(0, _Finder(package))


watch("app")  # before the first conftest.py that imports it
