from ancestral.orientation._judge_cy cimport Sepsets
