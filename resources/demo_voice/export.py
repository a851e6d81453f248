"""The trained voice as a model file in the layout of S2 Pro (step ``export``)."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from engine.codec.config import CodecConfig
from engine.codec.model import CodecModel
from engine.lm.config import TEXT_LIMIT_KEY, ARConfig
from engine.lm.dual_ar import DualAR

TEXT_CHARACTERS = 90
"""Text that surely fits into :data:`resources.demo_voice.sizes.TEXT_FRAMES` frames."""

KEPT = 2
"""Checkpoints of the language model whose mean is shipped."""

NAME = "Demo voice"
DESCRIPTION = "A small robot voice, trained on flite's speech; not S2 Pro"


def file_name_of(parameter: str) -> str:
    """Tensor name in the file for a parameter of :class:`DualAR`."""
    stack, _, rest = parameter.partition(".")
    if stack == "slow":
        return rest
    return "fast_" + rest


def ar_tensors(model: DualAR) -> dict[str, Tensor]:
    """All tensors of the language model by their names in the file."""
    return {file_name_of(name): value.detach() for name, value in model.named_parameters()}


def _ar_metadata(writer: object, c: ARConfig) -> None:
    w, f, arch = writer, c.fast, "fish-speech."
    put = w.add_uint32  # type: ignore[attr-defined]
    put(arch + "context_length", c.context_length)
    put(arch + "vocab_size", c.vocab_size)
    put(arch + "embedding_length", c.dim)
    put(arch + "feed_forward_length", c.ffn)
    put(arch + "block_count", c.n_layers)
    put(arch + "attention.head_count", c.n_heads)
    put(arch + "attention.head_count_kv", c.n_kv_heads)
    real, flag = w.add_float32, w.add_bool  # type: ignore[attr-defined]
    real(arch + "rope.freq_base", c.rope_base)
    real(arch + "attention.layer_norm_rms_epsilon", c.eps)
    w.add_string("fish_speech.model_type", "dual_ar")  # type: ignore[attr-defined]
    put(TEXT_LIMIT_KEY, TEXT_CHARACTERS)
    put("fish_speech.codebook_size", c.codebook_size)
    put("fish_speech.num_codebooks", c.num_codebooks)
    put("fish_speech.semantic_begin_id", c.semantic_begin)
    put("fish_speech.semantic_end_id", c.semantic_end)
    flag("fish_speech.scale_codebook_embeddings", c.scale_codebooks)
    flag("fish_speech.norm_fastlayer_input", c.norm_fast_input)
    flag("fish_speech.tie_word_embeddings", c.tie_embeddings)
    flag("fish_speech.attention_qk_norm", c.qk_norm)
    fast = "fish_speech.fast_"
    put(fast + "context_length", f.context_length)
    put(fast + "embedding_length", f.dim)
    put(fast + "feed_forward_length", f.ffn)
    put(fast + "block_count", f.n_layers)
    put(fast + "head_count", f.n_heads)
    put(fast + "head_count_kv", f.n_kv_heads)
    put(fast + "head_dim", f.head_dim)
    real(fast + "rope_freq_base", f.rope_base)
    real(fast + "layer_norm_rms_eps", f.eps)
    flag(fast + "tie_word_embeddings", f.tie)
    flag(fast + "attention_qk_norm", f.qk_norm)
    flag(fast + "attention_qkv_bias", False)
    flag(fast + "attention_o_bias", False)
    flag(fast + "project_in", f.project_in)


def _codec_metadata(writer: object, c: CodecConfig) -> None:
    w, key = writer, "fish_speech.codec."
    put, real = w.add_uint32, w.add_float32  # type: ignore[attr-defined]
    array, signed = w.add_array, w.add_int32  # type: ignore[attr-defined]
    for name in ("sample_rate", "hop_length", "encoder_dim", "decoder_dim", "latent_dim"):
        put(key + name, getattr(c, name))
    put(key + "frame_length", c.hop_length)
    array(key + "encoder_rates", list(c.encoder_rates))
    array(key + "decoder_rates", list(c.decoder_rates))
    layers = [0 if t is None else t.layers for t in c.encoder_transformers]
    array(key + "encoder_transformer_layers", layers)
    array(key + "decoder_transformer_layers", [0] * len(c.decoder_rates))
    kind = "downsample_residual_vector_quantize"
    w.add_string(key + "quantizer_type", kind)  # type: ignore[attr-defined]
    put(key + "quantizer_input_dim", c.latent_dim)
    put(key + "quantizer_codebook_dim", c.codebook_dim)
    put(key + "quantizer_residual_codebooks", c.residual_codebooks)
    put(key + "quantizer_residual_codebook_size", c.residual_size)
    put(key + "quantizer_semantic_codebook_size", c.semantic_size)
    array(key + "quantizer_downsample_factor", list(c.downsample))
    put(key + "transformer.block_size", 8192)
    signed(key + "transformer.n_local_heads", -1)
    put(key + "transformer.head_dim", 64)
    real(key + "transformer.rope_freq_base", 10000.0)
    real(key + "transformer.layer_norm_rms_eps", 1e-5)
    r, rvq = c.rvq, key + "rvq_transformer."
    put(rvq + "window_size", r.window)
    put(rvq + "block_size", 2048)
    put(rvq + "n_layer", r.layers)
    put(rvq + "n_head", r.heads)
    signed(rvq + "n_local_heads", -1)
    put(rvq + "head_dim", r.head_dim)
    put(rvq + "dim", r.dim)
    put(rvq + "feed_forward_length", r.ffn)
    real(rvq + "rope_freq_base", r.rope_base)
    real(rvq + "layer_norm_rms_eps", r.eps)


def _add(writer: object, name: str, value: Tensor, small: bool) -> None:
    """Q8_0 for matrices of the language model, F16 for other weights, F32 for vectors.

    A matrix whose values are too large for F16 stays F32 too.
    """
    import gguf

    data = np.ascontiguousarray(value.float().numpy())
    if data.ndim < 2:
        writer.add_tensor(name, data)  # type: ignore[attr-defined]
    elif small and data.shape[-1] % 32 == 0:
        kind = gguf.GGMLQuantizationType.Q8_0
        writer.add_tensor(  # type: ignore[attr-defined]
            name, gguf.quants.quantize(data, kind), raw_dtype=kind
        )
    else:
        fits = np.abs(data).max() < np.finfo(np.float16).max
        writer.add_tensor(name, data.astype(np.float16) if fits else data)  # type: ignore[attr-defined]


def averaged(paths: list[Path]) -> dict[str, Tensor]:
    """Mean of the weights of several checkpoints of one training: less noise than the last."""
    states = [torch.load(path, weights_only=True)["model"] for path in paths]
    return {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}


def export(work: Path, model_path: Path, tokenizer_path: Path) -> None:
    """Write the model file and put the tokenizer beside it."""
    import gguf

    from resources.demo_voice.codes import fresh_codec
    from resources.demo_voice.train_ar import fresh_ar

    codec: CodecModel = fresh_codec()
    codec.load_state_dict(torch.load(work / "codec.pt", weights_only=True)["model"])
    ar = fresh_ar(work / "tokenizer.json")
    kept = sorted(work.glob("ar_[0-9]*.pt"))[-KEPT:]
    ar.load_state_dict(averaged(kept or [work / "ar.pt"]))
    part = model_path.with_suffix(".part")
    writer = gguf.GGUFWriter(str(part), "fish-speech")
    writer.add_name(NAME)
    writer.add_description(DESCRIPTION)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    _ar_metadata(writer, ar.config)
    _codec_metadata(writer, codec.config)
    for name, value in ar_tensors(ar).items():
        _add(writer, name, value, small=True)
    for name, value in codec.named_parameters():
        _add(writer, codec.config.tensor_prefix + name, value.detach(), small=False)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.rename(model_path)
    if tokenizer_path.resolve() != (work / "tokenizer.json").resolve():
        shutil.copyfile(work / "tokenizer.json", tokenizer_path)
