"""The parts of scripts/scale-check."""
