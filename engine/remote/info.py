"""What is known of a model that is elsewhere, in the form that a local one has."""

from __future__ import annotations

from dataclasses import dataclass

from engine.remote.dialects import Capabilities
from engine.remote.options import RemoteOptions
from engine.types import ModelInfo

DEVICE = "remote"
FRAME = 2048


@dataclass(frozen=True, slots=True)
class RemoteInfo(ModelInfo):
    """A served model for display; it has no codes, so no codebooks.

    Attributes:
        capabilities: what the server can do.
        host: its host and port.
    """

    capabilities: Capabilities | None = None
    host: str = ""

    @property
    def seeded(self) -> bool:
        """A seed means something there."""
        return self.capabilities is not None and self.capabilities.seed

    @classmethod
    def of(cls, can: Capabilities, options: RemoteOptions) -> RemoteInfo:
        """Everything that is known of a model that is elsewhere."""
        return cls(
            path=options.url,
            name=f"{can.model or can.title} @ {options.host}",
            file_bytes=0,
            sample_rate=can.sample_rate,
            samples_per_frame=FRAME,
            num_codebooks=0,
            semantic_size=0,
            residual_size=0,
            context_length=0,
            ar_parameters=0,
            codec_parameters=0,
            types={},
            memory_bytes=0,
            codebook_size=0,
            codec_window=0,
            device=DEVICE,
            codec_device=DEVICE,
            capabilities=can,
            host=options.host,
        )
