"""Valid models with random weights, for trials, tests and timings."""
