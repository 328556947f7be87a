from ancestral._c cimport bit64
