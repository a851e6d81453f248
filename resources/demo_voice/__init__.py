"""Recipe of the demo voice: a tiny model in the layout of S2 Pro that speaks on any machine.

Run ``python -m resources.demo_voice --work DIR`` in the repository root; the README beside this
file tells what each step does, what it needs and which licences its sources have.
"""
