"""Builds the folder that runs on a machine without Python: ``python -m resources.packaging``.

The recipe for PyInstaller lies in ``resources/packaging``; what goes in and what stays out is
said here, where tests can read it. Nothing of this package is inside the folder.
"""
