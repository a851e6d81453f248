"""CPU kernels, compiled for the processor at hand: products over stored blocks, attention."""
