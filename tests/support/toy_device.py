"""A second device for machines that have none: its tensors are computed by the CPU.

``toy`` is a backend of torch's private-use kind, written in Python. As with a real accelerator,
an operation that mixes its tensors with the CPU's fails, a copy between the two is explicit,
and any operation can run out of memory or break (:func:`failing`). What it cannot show is the
rounding and the speed of a real one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils import backend_registration
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

NAME = "toy"
_COPIES = ("aten::copy_", "aten::_copy_from", "aten::index_put_", "aten::_index_put_impl_")
_libraries: list[torch.library.Library] = []
_lock = threading.Lock()


class ToyTensor(torch.Tensor):
    """A tensor on the device; ``raw`` is the CPU tensor that holds its numbers."""

    raw: torch.Tensor
    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def wrap(raw: torch.Tensor) -> ToyTensor:
        # A view of a weight is no inference tensor even in inference mode, so no wrapper is.
        with torch.inference_mode(False):
            made = torch.Tensor._make_wrapper_subclass(
                ToyTensor, raw.size(), strides=raw.stride(), storage_offset=raw.storage_offset(),
                dtype=raw.dtype, device=torch.device(NAME, 0),
            )  # fmt: skip
        made.raw = raw
        return made

    @classmethod
    def __torch_dispatch__(cls, op: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _compute(op, args, kwargs or {})


class _Trouble:
    """What operations on the device are to raise, and how many were done."""

    def __init__(self) -> None:
        self.check: Callable[[str, int], None] | None = None
        self.done = 0


_trouble = _Trouble()


def _compute(op: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Run one operation on the raw tensors and put the results where they belong."""
    name = op._schema.name
    flat, layout = tree_flatten((args, kwargs))
    target = next((a.type for a in flat if isinstance(a, torch.device)), NAME)
    if target == NAME:
        _trouble.done += 1
        if _trouble.check is not None:
            _trouble.check(name, _trouble.done)
    raw = [_raw(value, name) for value in flat]
    plain_args, plain_kwargs = tree_unflatten(raw, layout)
    result = op(*plain_args, **plain_kwargs)
    owners = {id(r): a for a, r in zip(flat, raw, strict=True) if isinstance(a, torch.Tensor)}

    def place(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        if target != NAME:
            return value.clone() if id(value) in owners else value
        return owners[id(value)] if id(value) in owners else ToyTensor.wrap(value)

    return tree_map(place, result)


def _raw(value: Any, name: str) -> Any:
    if isinstance(value, ToyTensor):
        return value.raw
    if isinstance(value, torch.device):
        return torch.device("cpu")
    if isinstance(value, torch.Tensor) and value.dim() and name not in _COPIES:
        raise RuntimeError(
            f"{name}: expected all tensors on the same device, not on {value.device} and {NAME}"
        )
    return value


def install() -> str:
    """Make the device known to torch, once a process; returns its name."""
    with _lock:
        if not _libraries:
            backend_registration._setup_privateuseone_for_python_backend(NAME)
            every, copy = (torch.library.Library(space, "IMPL") for space in ("_", "aten"))
            every.fallback(lambda op, *a, **k: _compute(op, a, k), "PrivateUse1")
            # torch.tensor(..., device=) copies from a place that a fallback cannot serve.
            op = torch.ops.aten.copy_.default
            copy.impl("copy_", lambda *a, **k: _compute(op, a, k), "PrivateUse1")
            _libraries.extend((every, copy))
    return NAME


@contextmanager
def failing(check: Callable[[str, int], None]) -> Iterator[_Trouble]:
    """Call ``check(operation, number)`` before each operation on the device; it may raise.

    Numbers start at 1 with the block.
    """
    _trouble.check, _trouble.done = check, 0
    try:
        yield _trouble
    finally:
        _trouble.check = None


def out_of_memory_at(number: int) -> Callable[[str, int], None]:
    """A check that fails from the ``number``-th operation on, as a full GPU would."""

    def check(_name: str, done: int) -> None:
        if done >= number:
            raise torch.OutOfMemoryError("toy out of memory. Tried to allocate 2.00 GiB.")

    return check
