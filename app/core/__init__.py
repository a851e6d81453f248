"""What every part of the window stands on: settings, paths, texts, actions, background work."""
