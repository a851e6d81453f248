"""The command line's commands, one module for each family."""
