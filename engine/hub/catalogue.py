"""The S2 Pro files that are known, as data.

Sizes and SHA-256 of the pinned revision are those that several independent users of the
files have published. Where none was at hand (``sha256`` empty), the hash comes from the hub's
own metadata when a file is fetched (the LFS object id in ``X-Linked-ETag``) and is checked
then; ``exact`` is false where the size is only known roughly.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.gguf.inspect import MemoryNeeds

REPOSITORY = "rodrigomt/s2-pro-gguf"
PINNED = "a7320690b5585b03b20ed6484b55926f3015f48d"
NEWEST = "main"

# S2 Pro (spec 00, section 3): what a file of any quantisation unpacks to.
_LAYER_PARAMETERS = 100_925_000
_FAST_PARAMETERS = 493_000_000  # with the head and the rows of the tables
_CODEC_PARAMETERS = 391_398_385
_CODEC_STORED = 2 * _CODEC_PARAMETERS
_POSITION = 2 * 36 * 8 * 128 * 4
_PROCESS = 500 << 20


@dataclass(frozen=True, slots=True)
class License:
    """The license of the weights.

    Attributes:
        id: names the wording that a person accepted; another wording is asked about again.
        name, owner: as they are written.
        page: where the whole text stands.
        summary: what it says, in our words, one sentence each.
        notice: the line that goes with the weights.
    """

    id: str
    name: str
    owner: str
    page: str
    summary: tuple[str, ...]
    notice: str


@dataclass(frozen=True, slots=True)
class HubFile:
    """One file of the hub.

    Attributes:
        repository: owner and name.
        name: path inside the repository and name on this disk.
        size: in bytes, a guess unless ``exact``.
        sha256: hexadecimal, empty when only the hub knows it.
        revision: commit, or ``main`` for the newest.
    """

    repository: str
    name: str
    size: int
    sha256: str = ""
    exact: bool = True
    revision: str = PINNED

    @property
    def revisions(self) -> tuple[str, ...]:
        """Where to look, in this order: a history can be rewritten, a hash cannot."""
        return (self.revision,) if self.revision == NEWEST else (self.revision, NEWEST)


@dataclass(frozen=True, slots=True)
class Variant:
    """One model file with all that belongs to it.

    Attributes:
        id: short name, as in ``s2 models download q4_k_m``.
        title: for people.
        quantisation: how the weights are stored.
        use: what it is good for, one sentence.
        file: the model itself.
        companions: files that it needs or must carry; fetched first.
        license: to be accepted before the first download.
        advised: the one to name first.
    """

    id: str
    title: str
    quantisation: str
    use: str
    file: HubFile
    companions: tuple[HubFile, ...]
    license: License
    advised: bool = False

    @property
    def size(self) -> int:
        """Bytes of everything that a download fetches."""
        return self.file.size + sum(each.size for each in self.companions)

    @property
    def needs(self) -> MemoryNeeds:
        """What a synthesis needs, from the size of the file; its header tells it exactly."""
        return MemoryNeeds(
            process=_PROCESS,
            stored=max(0, self.file.size - _CODEC_STORED),
            layer=2 * _LAYER_PARAMETERS,
            fast=2 * _FAST_PARAMETERS,
            codec=4 * _CODEC_PARAMETERS,
            position=_POSITION,
            context=32768,
            layers=36,
        )


FISH_LICENSE = License(
    id="fish-audio-research-2026-03-07",
    name="Fish Audio Research License",
    owner="39 AI, INC. (Fish Audio)",
    page=f"https://huggingface.co/{REPOSITORY}/blob/{PINNED}/LICENSE.md",
    summary=(
        "Free of charge for research and for other uses that are not meant to earn money, such "
        "as private use and trying things out.",
        "Commercial use, also inside a company, needs a written license from Fish Audio "
        "(business@fish.audio).",
        "Whoever passes on the weights, or something made with them, hands over the license "
        "text, keeps its notice and shows “Built with Fish Audio”.",
        "The law and Fish Audio's rules of acceptable use apply to the weights and to what is "
        "made with them.",
        "What the model makes may not be used to make another foundation model. The sound that "
        "you make belongs to you.",
        "There is no warranty and no liability; breaking the terms ends the license.",
    ),
    notice="Built with Fish Audio. This model is licensed under the Fish Audio Research License, "
    "Copyright © 39 AI, INC. All Rights Reserved.",
)

TOKENIZER = HubFile(
    REPOSITORY, "tokenizer.json", 12_217_872,
    "f24e08099d45a8adf3f52f5f0b03276e433bb9d689bb15fcbcc48ce58744588b",
)  # fmt: skip
LICENSE_TEXT = HubFile(
    REPOSITORY, "LICENSE.md", 10_360,
    "aa7d9206e9d710590987a3636934f643529c00cd490323594e6206aaa0c32d80",
)  # fmt: skip
ADVISED = "q4_k_m"


def _variant(id: str, use: str, size: int, sha256: str = "") -> Variant:
    """A quantisation of S2 Pro; without a published hash its size is a guess."""
    revision = PINNED if sha256 else NEWEST
    return Variant(
        id=id,
        title=f"S2 Pro {id.upper()}",
        quantisation=id.upper(),
        use=use,
        file=HubFile(REPOSITORY, f"s2-pro-{id}.gguf", size, sha256, bool(sha256), revision),
        companions=(TOKENIZER, LICENSE_TEXT),
        license=FISH_LICENSE,
        advised=id == ADVISED,
    )


VARIANTS: tuple[Variant, ...] = (
    _variant("q4_k_m", "The smallest good choice, for most computers.", 3_566_165_088,
             "83963e1b7cec980b41eb2163d617e2b6241bfd1564dd880e5b43fc4834807bd9"),
    _variant("q5_k_m", "A little closer to the original than Q4.", 4_031_183_968,
             "e445b0c8f32ed0ff584b906098f0fe53a67c0691249bfcccde569544f7d72cb9"),
    _variant("q6_k", "A good balance of size and closeness.", 4_525_266_528,
             "84ac904172a2cadb84e8f7f14ea3f1acef0584987635e85f7207fd254eafa235"),
    _variant("q8_0", "Hardly to be told from the original.", 5_630_037_088,
             "e2043182234786e7b975547d3bbcb23ff02e4ff684b82f7fa851287e4cb4f267"),
    _variant("f16", "Not quantised at all, for comparing and for large memories.", 9_906_568_704),
    _variant("q3_k", "For little memory; short words may be drawn out.", 3_000_000_000),
    _variant("q2_k", "The smallest there is, for trials only.", 2_600_000_000),
)  # fmt: skip


def find_variant(name: str, variants: tuple[Variant, ...] = VARIANTS) -> Variant | None:
    """The variant of an id (``q4_k_m``, in any case) or of a file name."""
    wanted = name.lower().removesuffix(".gguf").removeprefix("s2-pro-").replace("-", "_")
    return next((each for each in variants if each.id == wanted), None)
