"""Both transformers of the model, bound from one GGUF file (spec 03)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from engine.gguf.linear import QuantLinear
from engine.lm.compiled import CompiledStack
from engine.lm.config import ARConfig
from engine.lm.factory import WeightFactory
from engine.lm.fast_ar import FastAR
from engine.lm.graph_capture import GraphState
from engine.lm.slow_ar import SlowAR
from engine.types import Arithmetic

if TYPE_CHECKING:
    from engine.gguf.linear import KernelChooser
    from engine.gguf.reader import GGUFFile


# Names of the matrices that prompts are read with, which may round activations to 8 bits.
SLOW_LAYERS = "layers."


class DualAR(nn.Module):
    """The slow and the fast transformer.

    Attributes:
        config: sizes and flags of both.
        slow: time axis, one step a frame.
        fast: codebook axis, ``num_codebooks - 1`` passes a frame.
        graphs: its captured frames, on CUDA.
        identity: a token that no other model shares; keys of a prefix cache hold it.
        weight_bytes_per_frame: bytes of weights that one frame must read, as they are where they
            are read; 0 for a model that was not bound from a file.
    """

    def __init__(self, config: ARConfig, weights: WeightFactory, im_end: int) -> None:
        super().__init__()
        self.config = config
        self.slow = SlowAR(config, weights, im_end)
        self.fast = FastAR(config, weights)
        self.identity = object()
        self.graphs = GraphState()
        self.weight_bytes_per_frame = 0
        self._kernels: KernelChooser | None = None

    @classmethod
    def from_gguf(
        cls,
        file: GGUFFile,
        im_end: int,
        device: torch.device | str = "cpu",
        *,
        layers: int | None = None,
        dtype: torch.dtype | None = None,
        kernels: KernelChooser | None = None,
    ) -> DualAR:
        """Bind a model for inference; on the CPU matrices stay as the file stores them.

        Args:
            file: an open model; it must outlive the returned module.
            im_end: id of the end token, from the tokenizer.
            device: where the weights go; see :meth:`serve`.
            layers: how many slow layers go there; ``None`` is all of them.
            dtype: of dense matrices on another device than the CPU.
            kernels: chooses the CPU product of each matrix; ``None`` unpacks tiles always. The
                model closes it, if it can be closed.

        Raises:
            ModelFileError: inconsistent metadata, a missing tensor or a wrong shape; the
                message names it (spec 01, section 6).
        """
        from engine.gguf.weights import WeightSource

        config = ARConfig.from_gguf(file)
        weights = WeightSource(file, dtype=dtype, kernels=kernels)
        model = cls(config, weights, im_end)
        model._kernels = kernels
        model.serve(device, layers)
        model.weight_bytes_per_frame = _bytes_per_frame(model)
        return model

    @property
    def arithmetic(self) -> Arithmetic:
        """How prompts are read: ``fast`` rounds activations to 8 bits.

        Keys and values of a prefix depend on it: who keeps some beyond a model must keep it too.
        """
        compiled = self.slow.compiled
        return "fast" if compiled is not None and compiled.eight_bits else "exact"

    def close(self) -> None:
        """End the threads of the kernels, which a product would start again; drop the graphs."""
        self.graphs = GraphState()
        close = getattr(self._kernels, "close", None)
        if close is not None:
            close()

    def serve(
        self,
        device: torch.device | str = "cpu",
        layers: int | None = None,
    ) -> DualAR:
        """Freeze for inference: no gradients, restricted head gathered once.

        The last ``layers`` layers of the slow model (``None``: all) go to ``device`` with the
        head, and with them the whole fast model, which starts from what the head reads and is
        run most often. The rest, and the slow model's embeddings, stay on the CPU. There
        matrices become 16-bit numbers: unpacking them on each use would be slower than the CPU.
        """
        count = len(self.slow.layers) if layers is None else layers
        self.requires_grad_(False).eval().to("cpu")
        self.slow.place(device, count)
        if count:
            self.fast.to(device)
        self.slow.freeze_head(self._kernels)
        self.slow.compiled = CompiledStack.of(self.config, self.slow.layers)
        self.fast.compiled = CompiledStack.of(self.config.fast, self.fast.layers)
        return self


def _bytes_per_frame(model: DualAR) -> int:
    """Bytes that a slow step and the fast passes read; gathered rows are left out."""

    def size(part: nn.Module) -> int:
        matrices = sum(m.nbytes for m in part.modules() if isinstance(m, QuantLinear))
        return matrices + sum(p.nbytes for p in part.parameters())

    slow, fast = model.slow, model.fast
    once = size(slow.layers) + slow.head_bytes + size(fast.project_in)
    return once + (size(fast.layers) + size(fast.output)) * (model.config.num_codebooks - 1)
