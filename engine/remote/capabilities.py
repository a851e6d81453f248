"""What a server can do, as far as it or its public documents say."""

from __future__ import annotations

from dataclasses import dataclass

TITLES = {
    "studio": "S2 Voice Studio",
    "vllm": "vLLM-Omni",
    "sglang": "SGLang-Omni",
    "fish": "Fish Speech",
    "openai": "OpenAI API",
}
S2_PRO_RATE = 44_100
OPENAI_RATE = 24_000
SAMPLING = (
    "temperature",
    "top_p",
    "top_k",
    "max_new_tokens",
    "min_tokens_before_end",
    "seed",
)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Abilities of a server. No server hands out codes, so none stands here for them.

    Attributes:
        kind: one of :data:`TITLES`.
        model: name that requests carry; empty where the API has no field for it.
        models, voices: names that the server lists; empty when it lists none.
        sampling: names of :data:`SAMPLING` that it takes.
        cloning: a recording and its transcript can be sent along.
        streaming: sound comes while it is made.
        sample_rate: in Hz, of what is handed on; sound of another rate is converted.
        top_k_limit: largest top-k; 0 for no limit of its own.
        temperature_range, top_p_range: what it accepts.
    """

    kind: str
    model: str = ""
    models: tuple[str, ...] = ()
    voices: tuple[str, ...] = ()
    sampling: frozenset[str] = frozenset()
    cloning: bool = False
    streaming: bool = False
    sample_rate: int = S2_PRO_RATE
    top_k_limit: int = 0
    temperature_range: tuple[float, float] = (0.0, 2.0)
    top_p_range: tuple[float, float] = (0.0, 1.0)

    @property
    def title(self) -> str:
        """Name of the kind, for people."""
        return TITLES[self.kind]

    @property
    def seed(self) -> bool:
        """The same seed gives the same speech, as far as the server keeps to it."""
        return "seed" in self.sampling

    def describe(self) -> str:
        """One line of what is there and what is not."""
        has = {
            "cloning": self.cloning,
            "streaming": self.streaming,
            "seed": self.seed,
            **{name.replace("_", "-"): name in self.sampling for name in SAMPLING[:4]},
        }
        there = ", ".join(name for name, here in has.items() if here) or "speech only"
        absent = ", ".join([*(name for name, here in has.items() if not here), "codes"])
        return f"{self.title}: {there}; not: {absent}"
