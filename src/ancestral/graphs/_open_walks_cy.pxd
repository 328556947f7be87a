from ancestral._c cimport bit64
from ancestral.graphs._marks cimport ARROW, CIRCLE, TAIL
