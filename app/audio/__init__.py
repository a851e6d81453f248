"""Sound in and out: devices, player, recorder, and their real-time callbacks."""
