from ancestral._pulse_cy cimport Pulse
