"""What is known of a model that is elsewhere, in the form that a local one has."""

from __future__ import annotations

from engine.remote.dialects import ServerCapabilities
from engine.remote.options import RemoteOptions
from engine.types import ModelInfo

DEVICE = "remote"
FRAME = 2048


def remote_info(can: ServerCapabilities, options: RemoteOptions) -> ModelInfo:
    """Everything that is known of a model that is elsewhere."""
    return ModelInfo(
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
