from ancestral.graphs._marks cimport ARROW, CIRCLE, TAIL
from ancestral.orientation._board_cy cimport Board
from ancestral.orientation._judge_cy cimport Judge
