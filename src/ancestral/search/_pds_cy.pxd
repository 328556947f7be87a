from ancestral._pulse_cy cimport Pulse
from ancestral.graphs._marks cimport ARROW
