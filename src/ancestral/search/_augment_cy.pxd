from libc.math cimport isnan
from ancestral._c cimport bit64
from ancestral._pulse_cy cimport Pulse
from ancestral.graphs._marks cimport ARROW
from ancestral.independence._questions_cy cimport Questions
from ancestral.orientation._judge_cy cimport Sepsets
