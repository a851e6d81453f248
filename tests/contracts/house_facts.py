"""Facts about the source tree: ``python tests/contracts/house_facts.py [ROOT]`` prints them.

*Rooms*: each Python file at a package's root, and each folder there with all that is in it; the
package's own ``__init__`` is none. An *arrow* is an import from one room to another of the same
package, however many files do it; imports inside functions and below ``TYPE_CHECKING`` count. A
name that a face (``__init__``) only hands on counts as an import of the file that holds it.
*Circles* are sets of files that import each other, by the same imports.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

PACKAGES = ("app", "engine")
LONG_FUNCTION = 45
Function = ast.FunctionDef | ast.AsyncFunctionDef
Graph = dict[str, set[str]]


@dataclass(frozen=True, slots=True)
class Module:
    """One source file: dotted name, path from the root, text and syntax tree."""

    name: str
    path: str
    text: str
    tree: ast.Module

    @property
    def face(self) -> bool:
        return self.path.endswith("__init__.py")


@dataclass(frozen=True, slots=True)
class Facts:
    """What is counted of one package; places read ``path:line what``."""

    package: str
    files: int
    lines: int
    largest: tuple[int, str]
    root_files: list[str]
    arrows: set[tuple[str, str]]
    circles: list[list[str]]
    long_functions: list[str] = field(default_factory=list)
    window_parameters: list[str] = field(default_factory=list)
    hooks: list[str] = field(default_factory=list)
    job_listeners: list[str] = field(default_factory=list)


def read_package(root: Path, package: str) -> dict[str, Module]:
    """All modules of a package below ``root`` by their dotted names."""
    found = {}
    for file in sorted((root / package).rglob("*.py")):
        parts = file.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = file.read_text(encoding="utf-8")
        path = file.relative_to(root).as_posix()
        found[name] = Module(name, path, text, ast.parse(text))
    return found


def imported(module: Module, modules: Mapping[str, Module]) -> set[str]:
    """Modules of ``modules`` that one of them imports, anywhere in it."""
    found = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = _source(module, node)
            found.update(_home(source, alias.name, modules) for alias in node.names)
    return {name for name in found if name in modules and name != module.name}


def _source(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    above = parts[: len(parts) - node.level + module.face]
    return ".".join([*above, *([node.module] if node.module else [])])


def _home(source: str, name: str, modules: Mapping[str, Module]) -> str:
    """The module that holds ``name``, which is imported from ``source``."""
    if f"{source}.{name}" in modules:
        return f"{source}.{name}"
    face = modules.get(source)
    if face is not None and face.face:
        for node in face.tree.body:
            if isinstance(node, ast.ImportFrom) and any(
                (alias.asname or alias.name) == name for alias in node.names
            ):
                return _home(_source(face, node), name, modules)
        return _lazy_homes(face).get(name, source)
    return source


def _lazy_homes(face: Module) -> dict[str, str]:
    """Names that a face loads on first use, from its table of modules and their names."""
    homes = {}
    for node in ast.walk(face.tree):
        if not isinstance(node, ast.Dict):
            continue
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(value, ast.Tuple | ast.List):
                names = (e.value for e in value.elts if isinstance(e, ast.Constant))
                homes.update({str(name): str(key.value) for name in names})
    return homes


def import_graph(modules: Mapping[str, Module]) -> Graph:
    """Each module with those that it imports."""
    return {name: imported(module, modules) for name, module in modules.items()}


def arrows(graph: Graph) -> set[tuple[str, str]]:
    """Pairs of rooms of which the first imports from the second."""
    pairs = {(_room(one), _room(other)) for one, others in graph.items() for other in others}
    return {(one, other) for one, other in pairs if one != other and one and other}


def _room(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


def circles(graph: Graph) -> list[list[str]]:
    """Strongly connected components of more than one module (Tarjan), sorted."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in order:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == order[name]:
            circle = [stack.pop()]
            while circle[-1] != name:
                circle.append(stack.pop())
            found.append(sorted(circle))

    for name in graph:
        if name not in order:
            visit(name)
    return sorted(circle for circle in found if len(circle) > 1)


def _place(module: Module, node: ast.AST, what: str) -> str:
    return f"{module.path}:{getattr(node, 'lineno', 0)} {what}"


def functions(module: Module) -> Iterator[Function]:
    return (node for node in ast.walk(module.tree) if isinstance(node, Function))


def long_functions(module: Module, limit: int = LONG_FUNCTION) -> list[str]:
    """Functions above ``limit`` lines, from ``def`` to the last line."""
    return [
        _place(module, f, f"{f.name} {length}")
        for f in functions(module)
        if (length := (f.end_lineno or f.lineno) - f.lineno + 1) > limit
    ]


def parameters_of(module: Module, kind: str = "MainWindow") -> list[str]:
    """Signatures with a parameter whose annotation names ``kind``."""
    found = []
    for f in functions(module):
        taken = [*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs]
        kinds = " ".join(ast.unparse(a.annotation) for a in taken if a.annotation)
        if re.search(rf"\b{kind}\b", kinds):
            found.append(_place(module, f, f.name))
    return found


def methods(tree: ast.AST) -> set[str]:
    """Names of the functions and methods in a tree that are no properties."""
    found = set()
    for f in ast.walk(tree):
        if isinstance(f, Function):
            marks = [ast.unparse(mark) for mark in f.decorator_list]
            if not any("property" in mark or mark.endswith(".setter") for mark in marks):
                found.add(f.name)
    return found


def hooks(module: Module, callables: set[str]) -> list[str]:
    """Assignments of a callable to an attribute of another object, modules apart.

    The value is a lambda, a function of the module, a method of the class itself, or
    ``….name`` of which ``callables`` (all methods of the package) knows the name.
    """
    outer = {node.name for node in module.tree.body if isinstance(node, Function)}
    imports = {
        (alias.asname or alias.name).split(".")[0]
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    found = []
    for part in module.tree.body:
        own = methods(part) if isinstance(part, ast.ClassDef) else set()
        for node in ast.walk(part):
            if isinstance(node, ast.Assign) and _is_callable(node.value, outer, own, callables):
                places = (t for t in node.targets if _foreign(t, {"self", "cls", *imports}))
                found += [_place(module, node, ast.unparse(node)) for _ in places]
    return found


def _is_callable(value: ast.expr, outer: set[str], own: set[str], callables: set[str]) -> bool:
    if isinstance(value, ast.Name):
        return value.id in outer
    if isinstance(value, ast.Attribute):
        mine = isinstance(value.value, ast.Name) and value.value.id == "self"
        return value.attr in (own if mine else callables)
    return isinstance(value, ast.Lambda)


def _foreign(target: ast.expr, near: set[str]) -> bool:
    return isinstance(target, ast.Attribute) and getattr(target.value, "id", "") not in near


def listeners(module: Module, signal: str = "job_ended") -> list[str]:
    """Calls of ``….job_ended.connect``."""
    return [
        _place(module, node, ast.unparse(node))
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "connect"
        and getattr(node.func.value, "attr", "") == signal
    ]


def facts_of(root: Path, package: str) -> Facts:
    """All facts of one package."""
    modules = read_package(root, package)
    graph = import_graph(modules)
    callables = {name for m in modules.values() for name in methods(m.tree)}
    counts = {m.path: len(m.text.splitlines()) for m in modules.values()}
    facts = Facts(
        package=package,
        files=len(modules),
        lines=sum(counts.values()),
        largest=max((count, path) for path, count in counts.items()),
        root_files=sorted(path for path in counts if path.count("/") == 1),
        arrows=arrows(graph),
        circles=circles(graph),
    )
    for module in modules.values():
        facts.long_functions.extend(long_functions(module))
        facts.window_parameters.extend(parameters_of(module))
        facts.hooks.extend(hooks(module, callables))
        facts.job_listeners.extend(listeners(module))
    return facts


def report(facts: Facts) -> str:
    """The facts as a person reads them."""
    lines = [
        f"{facts.package}: {facts.files} files, {facts.lines} lines, {len(facts.arrows)} arrows, "
        f"{len(facts.root_files)} files at the root",
        f"  largest file: {facts.largest[1]}, {facts.largest[0]} lines",
    ]
    listed = {
        "circles": [" <-> ".join(circle) for circle in facts.circles],
        f"functions above {LONG_FUNCTION} lines": facts.long_functions,
        "signatures with MainWindow": facts.window_parameters,
        "hooks set from outside": facts.hooks,
        "listeners to job_ended": facts.job_listeners,
    }
    for title, places in listed.items():
        lines += [f"  {title}: {len(places)}", *(f"    {place}" for place in places)]
    return "\n".join(lines)


def main() -> None:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    all_facts = [facts_of(root, package) for package in PACKAGES]
    for facts in all_facts:
        print(report(facts))
    print(
        f"both: {sum(f.files for f in all_facts)} files, {sum(f.lines for f in all_facts)} lines, "
        f"{sum(len(f.arrows) for f in all_facts)} arrows"
    )


if __name__ == "__main__":
    main()
