"""Quantised weights on a GPU: planes, kernels compiled beforehand, and who launches them."""
