"""Keeps the coverage of each package from falling.

``coverage json`` makes the report that this reads; ``coverage_floor.json`` beside it has the share
of lines, in percent, that each package of ``app`` and ``engine`` reached; ``app`` and ``engine``
themselves stand for the files at their roots. ``--write`` raises floors, and never lowers one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

FLOORS = Path(__file__).with_name("coverage_floor.json")
SLACK = 0.5
"""Points that a package may fall below its floor: paths by chance differ from run to run."""


def package_of(path: str) -> str:
    """``app/takes`` for all files below it, ``app`` for one at its root; empty for other files."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    if parts[0] not in ("app", "engine"):
        return ""
    return "/".join(parts[: 1 if len(parts) < 3 else 2])


def by_package(report: Mapping[str, Any]) -> dict[str, float]:
    """Percent of covered lines per package; a package without a line that can run is left out."""
    lines: Counter[str] = Counter()
    covered: Counter[str] = Counter()
    for path, file in report["files"].items():
        package, summary = package_of(path), file["summary"]
        lines[package] += summary["num_statements"]
        covered[package] += summary["covered_lines"]
    return {
        name: round(100 * covered[name] / count, 1)
        for name, count in sorted(lines.items())
        if name and count
    }


def fallen(found: Mapping[str, float], floors: Mapping[str, float]) -> list[str]:
    """One line for each package that fell, that has no floor yet, or that is not in the report."""
    said = [f"{name}: no floor; --write makes one" for name in found if name not in floors]
    for name, floor in floors.items():
        if name not in found:
            said.append(f"{name}: not in the report; take its floor out if it is gone")
        elif found[name] < floor - SLACK:
            said.append(f"{name}: {found[name]:.1f} %, its floor is {floor:.1f} %")
    return said


def raised(found: Mapping[str, float], floors: Mapping[str, float]) -> dict[str, float]:
    """The floors with what is higher now."""
    return {
        name: max(found.get(name, 0.0), floors.get(name, 0.0)) for name in sorted({*found, *floors})
    }


def main(arguments: list[str] | None = None) -> int:
    """Entry point; 1 when a package fell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", nargs="?", type=Path, default=Path("coverage.json"))
    parser.add_argument("--floors", type=Path, default=FLOORS)
    parser.add_argument("--write", action="store_true", help="raise floors to what was reached")
    args = parser.parse_args(arguments)
    found = by_package(json.loads(args.report.read_text(encoding="utf-8")))
    floors = json.loads(args.floors.read_text(encoding="utf-8"))
    if args.write:
        floors = raised(found, floors)
        args.floors.write_text(json.dumps(floors, indent=2) + "\n", encoding="utf-8")
    said = fallen(found, floors)
    print("\n".join(said) or f"{len(found)} packages are at their floors or above")
    return int(bool(said))


if __name__ == "__main__":
    sys.exit(main())
