"""Plants faults in the sources, one at a time, and wants the suite to catch each: `make faults`.

    python tests/faults.py [--only WORD ...] [--waiting] [--jobs 2]

Each fault is a small change of the text of a source file. It is made in a copy of the repository; what it touches is
compiled again, and the suite runs there until its first failure, beginning with the test that caught it last time and
those of the part that was touched. A fault that survives is listed, and the check fails.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from threading import Lock

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "faults.md"
#: The rooms with the quickest tests first: a run ends at its first failure.
ROOMS = [
    "orientation",
    "knowledge",
    "graphs",
    "search",
    "show",
    "effects",
    "independence",
    "kernels",
    "paper",
    "data",
    "agreement",
    "laws",
    "simulate",
    "io",
    "cli",
    "reproduce",
    "browser",
]
SUITE = [
    *(f"tests/{room}" for room in ROOMS),
    "tests/test_metrics.py",
    "tests/test_discovery.py",
    "tests/test_knowledge.py",
    "tests/test_bad_inputs.py",
    "tests/test_estimator.py",
    "tests/test_resampling.py",
    "tests/test_evidence.py",
    "tests/test_hostile_types.py",
]
#: A suite that has not ended after so many seconds hangs, and a fault that makes it hang is noticed.
PATIENCE = 1200
WAITING = "not run yet"
SRC = "src/ancestral/"
RULES = SRC + "orientation/_rules_cy.py"
PATH_RULES = SRC + "orientation/_path_rules_cy.py"
WALKS = SRC + "orientation/_walks_cy.py"
BOARD = SRC + "orientation/_board_cy.py"
ORIENT = SRC + "orientation/orient.py"
WALKER = SRC + "graphs/_separation_cy.py"
SEPARATION = SRC + "graphs/separation.py"
PROJECTION = SRC + "graphs/projection.py"
GAUSSIAN = SRC + "independence/_gaussian_cy.py"
ICD_SEP = SRC + "search/_icd_sep_cy.py"
DATA = SRC + "data/"
ICD = SRC + "search/icd.py"
VERIFY = SRC + "search/verify.py"
STATE = SRC + "search/state.py"
INQUIRY = SRC + "search/inquiry.py"
ASKING = SRC + "search/_asking_cy.py"
SUBSETS = SRC + "search/_subsets_cy.py"
AUGMENT = SRC + "search/_augment_cy.py"
ADJACENCY = SRC + "search/adjacency.py"
FCI = SRC + "search/fci.py"
FCI_PLUS = SRC + "search/fci_plus.py"
REASONS = SRC + "show/reasons.py"
CAUSES = SRC + "show/causes.py"
LAYOUT = SRC + "show/layout.py"
ROUTES = SRC + "show/routes.py"
PICTURE = SRC + "show/picture.py"
SVG = SRC + "show/svg.py"
REPEAT = SRC + "show/repeat.py"
LABELS = SRC + "show/labels.py"
REPORT = SRC + "show/report/"
CONTINGENCY = SRC + "independence/_discrete_cy.py"
BLOCKS = SRC + "independence/_blocks_cy.py"
GAPS = SRC + "independence/gaps.py"
PLANES = SRC + "independence/_planes_cy.py"
POPCOUNT = SRC + "_popcount.pxd"
METRICS = SRC + "metrics.py"
DOT = SRC + "io/dot.py"
KINDS = SRC + "io/kinds.py"
INTEROP = SRC + "io/interop/"
ESTIMATOR = SRC + "estimator.py"
RUN = SRC + "io/run.py"
RUN_3 = SRC + "io/run_v3.py"
COLUMNS = SRC + "io/columns.py"
BOUNDED = SRC + "io/bounded.py"
PARTS = SRC + "io/parts.py"
SAVED_BOOTSTRAP = SRC + "io/bootstrap.py"
FILES = SRC + "io/files.py"
OUTPUT = SRC + "cli/output.py"
PLACES = SRC + "cli/places.py"
DOCUMENT = SRC + "io/document.py"
DISCOVERY = SRC + "discovery.py"
FOUND = SRC + "found.py"
SETTINGS = SRC + "search/settings.py"
WATCH = SRC + "search/watch.py"
REPEATS = SRC + "search/repeats.py"
DISPATCH = SRC + "search/dispatch.py"
RESAMPLE = SRC + "independence/resample.py"
RESAMPLING = SRC + "resampling.py"
WEIGHTED = SRC + "data/weighted.py"
FREQUENCIES = SRC + "graphs/frequencies.py"
DECISIONS = SRC + "search/decisions.py"
FINGERPRINT = SRC + "data/fingerprint.py"
MOMENTS = SRC + "data/moments.py"
AUDIT = SRC + "data/audit.py"
FRAMES = SRC + "data/frames.py"
QUESTIONS = SRC + "independence/_questions_cy.py"
PULSE = SRC + "_pulse_cy.py"
CLI = SRC + "cli/"
DEFINITE = SRC + "graphs/definite.py"
VISIBLE = SRC + "graphs/visible.py"
STATUS = SRC + "graphs/status.py"
MEMBER = SRC + "graphs/member.py"
MEMBERS = SRC + "search/members.py"
EFFECTS = SRC + "effects/"
STATEMENTS = SRC + "knowledge/statements.py"
CLOSURE = SRC + "knowledge/closure.py"
TETRAD = SRC + "knowledge/tetrad.py"
JUDGE = SRC + "orientation/_judge_cy.py"
CONTRADICTIONS = SRC + "show/contradictions.py"
ELSEWHERE = SRC + "search/elsewhere.py"
SOURCES = SRC + "independence/sources.py"
ERRAND = SRC + "search/errand.py"


@dataclass(frozen=True)
class Fault:
    """What is wrong, and the change that makes it so."""

    what: str
    file: str
    old: str
    new: str
    also: tuple[tuple[str, str, str], ...] = ()

    @property
    def changes(self) -> tuple[tuple[str, str, str], ...]:
        """All changes as file, old text, new text."""
        return ((self.file, self.old, self.new), *self.also)


FAULTS = [
    # sources and their options
    Fault(
        "an option that a source does not take is ignored",
        SOURCES,
        "if option in kind.takes or (",
        "if True or (",
    ),
    Fault(
        "a test that is made already takes another alpha",
        SOURCES,
        "own_alpha is not None and value == own_alpha",
        "own_alpha is not None",
    ),
    Fault(
        "a frame with columns called like methods is taken for a test",
        SOURCES,
        '    if _is_frame(source):\n        return "frame"\n',
        "",
    ),
    Fault(
        "a decision may be any value",
        SRC + "independence/custom.py",
        "if not isinstance(said, bool | np.bool_):",
        "if said is None:",
    ),
    Fault(
        "repeats: a worker trusts its wall clock",
        REPEATS,
        "deadline = None if seconds is None else time.monotonic() + seconds",
        "deadline = None if seconds is None else time.time() + seconds",
    ),
    Fault(
        "graphml: graphs inside nodes are left out",
        INTEROP + "graphml.py",
        'if _tag(inner) == "graph":',
        "if False:",
    ),
    Fault(
        "tetrad: an empty line ends the edges",
        INTEROP + "tetrad.py",
        "        elif not line:\n            pass",
        '        elif not line:\n            section = ""',
    ),
    Fault(
        "groups of a text stand for any number of edges",
        INTEROP + "language.py",
        "if count > MOST_EDGES:",
        "if False:",
    ),
    Fault(
        "a list that comes as an iterator is used up before it is used",
        SOURCES,
        "object.__setattr__(self, option, optional(names_list, option, getattr(self, option)))",
        "optional(names_list, option, getattr(self, option))",
    ),
    # what is known
    Fault(
        "knowledge: selection is forgotten",
        CLOSURE,
        "return cls(stated & free[:, None], cause,",
        "return cls(stated, cause,",
    ),
    Fault(
        "knowledge: what the free cause is not free",
        CLOSURE,
        "free = np.asarray((causes & free[:, None]).any(axis=0))",
        "pass",
    ),
    Fault("knowledge: tiers forbid within", CLOSURE, "rank[:, None] > rank[None, :]", "rank[:, None] >= rank[None, :]"),
    Fault(
        "knowledge: contradictions of single edges only",
        STATEMENTS,
        "for y in self._reached(x):",
        "for y in self._steps[False][x]:",
    ),
    Fault("knowledge: Tetrad's star says nothing", TETRAD, "    if head[2]:\n", "    if head[2] and not words:\n"),
    Fault(
        "knowledge: what comes after one of a pair is left out",
        ASKING,
        "return self.no_cause[v, self.roots[0]] and self.no_cause[v, self.roots[1]]",
        "return self.no_cause[v, self.roots[0]] or self.no_cause[v, self.roots[1]]",
    ),
    Fault(
        "knowledge: a pair without an edge is an unshielded one",
        BOARD,
        "self.array[x, y] = self.array[y, x] = APART",
        "self.array[x, y] = self.array[y, x] = 0",
    ),
    Fault(
        "knowledge: a pair without an edge keeps a separating set",
        JUDGE,
        "        for x, y in pairs.tolist():\n            self.index[x, y] = self.index[y, x] = 0\n",
        "        pass\n",
    ),
    Fault(
        "knowledge: verification removes what is required",
        STATE,
        "                del false[pair]\n",
        "                pass\n",
    ),
    Fault(
        "knowledge: the search removes what is required",
        STATE,
        "            separated[self.licences.requires(pairs)] = 0\n",
        "            pass\n",
    ),
    Fault(
        "knowledge: R0 rests on a triple that is known to be no collider",
        RULES,
        "if board.marks[c, b] == TAIL:  # only",
        "if board.marks[c, b] == 7:  # only",
    ),
    Fault(
        "knowledge: R5 stops at known tails",
        PATH_RULES,
        "board.targets, True, board.knows)",
        "board.targets, True, False)",
    ),
    Fault(
        "knowledge: K4 with a collider",
        RULES,
        "if board.marks[a, d] == ARROW and board.marks[c, d] == ARROW:",
        "if board.marks[a, d] == 7:",
    ),
    Fault(
        "knowledge: K5 with a collider",
        RULES,
        "board.marks[a, c] == 0 and not (board.marks[a, b] == ARROW and board.marks[c, b] == ARROW)",
        "board.marks[a, c] == 0",
    ),
    Fault("knowledge: a directed path may deny it", STATE, "if not denying.any():", "if True:"),
    Fault(
        "knowledge: sets that were left out count as asked",
        ADJACENCY,
        "        if self.no_cause is not None:\n            asked &=",
        "        if self.no_cause is not None and self.n < 0:\n            asked &=",
    ),
    Fault(
        "knowledge: a run is resumed with another",
        SETTINGS,
        'return "other knowledge" if mine else "no knowledge"',
        "continue",
    ),
    Fault(
        "knowledge: colliders against the data are not told",
        CONTRADICTIONS,
        "if separation is not None and b in separation.given:",
        "if separation is not None and b not in separation.given:",
    ),
    Fault(
        "R9 and R10 without 'potentially directed'",
        WALKS,
        "self.may_step[e] = self.marks[v, u] != ARROW and self.marks[u, v] != TAIL",
        "self.may_step[e] = True",
    ),
    Fault(
        "R9 and R10 let an arrowhead point back",
        WALKS,
        "self.may_step[e] = self.marks[v, u] != ARROW and ",
        "self.may_step[e] = ",
    ),
    Fault(
        "R9 and R10 let a tail stand at the far end",
        WALKS,
        "= self.marks[v, u] != ARROW and self.marks[u, v] != TAIL",
        "= self.marks[v, u] != ARROW",
    ),
    Fault(
        "R5, R9 and R10 without 'uncovered'",
        WALKS,
        "return self.may_step[f] and u != w and self.marks[u, w] == 0",
        "return self.may_step[f] and u != w",
    ),
    Fault("R9 without b and c not adjacent", PATH_RULES, "if b != c and board.marks[b, c] == 0 and", "if b != c and"),
    Fault(
        "R10 without its second nodes not adjacent",
        PATH_RULES,
        "if board.marks[board.targets[e], board.targets[f]] == 0 and _reaches_any(",
        "if _reaches_any(",
    ),
    Fault(
        "R10 with parents that are no parents",
        PATH_RULES,
        "parents[board.targets[j]] = _is_parent(board, board.targets[j], c)",
        "parents[board.targets[j]] = board.marks[board.targets[j], c] == ARROW",
    ),
    Fault(
        "R5 with uncoveredness unchecked at a joint",
        PATH_RULES,
        "if walks.component[e] < 0 or walks.size[walks.component[e]] < 2:",
        "if walks.component[e] < 0:",
        also=(
            (
                WALKS,
                "                if not self.follows(e, f):\n                    continue\n                if f == start:",
                "                if f != start and not self.follows(e, f):\n                    continue\n                if f == start:",
            ),
        ),
    ),
    Fault("R4 never gives <->", PATH_RULES, "    elif verdict == 1:\n", "    elif verdict == 7:\n"),
    Fault("R4 gives <-> where the node separates", PATH_RULES, "    if verdict == 0:\n", "    if verdict == 7:\n"),
    Fault(
        "R4 gives b <-> c and forgets a <-> b", PATH_RULES, "        board.propose(4, a, b, ARROW, ARROW, since)\n", ""
    ),
    Fault(
        "R4 skipped when R1–R3 changed nothing",
        ORIENT,
        "        turn = 0 if board.settle() else turn + 1\n",
        "        wrote = board.settle()\n"
        "        last = turn if wrote else last\n"
        "        turn = 0 if wrote else turn + (2 if turn == 0 and last == 1 else 1)\n",
        also=((ORIENT, "    turn = 0\n    while", "    turn, last = 0, 0\n    while"),),
    ),
    Fault(
        "R4 with inner nodes that are no parents",
        PATH_RULES,
        "board.marks[v, u] == ARROW and _is_parent(board, v, c):",
        "board.marks[v, u] == ARROW and board.marks[v, c]:",
    ),
    Fault(
        "R4 with inner nodes that are no colliders",
        PATH_RULES,
        "if onward[v] < 0 and board.marks[u, v] == ARROW and",
        "if onward[v] < 0 and",
    ),
    Fault(
        "R4 whose path is no collider path at its end",
        PATH_RULES,
        "if onward[a] >= 0 and board.marks[b, a] == ARROW:",
        "if onward[a] >= 0:",
    ),
    Fault(
        "R4 along short paths only",
        PATH_RULES,
        "    while head < tail:\n        u = queue[head]",
        "    while head < 0:\n        u = queue[head]",
    ),
    Fault(
        "rules are not tried again after R4",
        ORIENT,
        "turn = 0 if board.settle() else turn + 1",
        "turn += not (board.settle() and turn == 0)",
    ),
    Fault("R0 on shielded triples", RULES, "if c != a and board.marks[a, c] == 0 and judge", "if c != a and judge"),
    Fault(
        "R0 where no separating set is known",
        SRC + "orientation/_judge_cy.py",
        "            return -1\n        return not",
        "            return 1\n        return not",
    ),
    Fault(
        "R1 on shielded triples",
        RULES,
        "if board.marks[a, b] == ARROW and a != c and board.marks[a, c] == 0:",
        "if board.marks[a, b] == ARROW and a != c:",
    ),
    Fault(
        "R1 sets the tail and forgets the arrowhead",
        RULES,
        "board.propose(1, b, c, TAIL, ARROW,",
        "board.propose(1, b, c, TAIL, 0,",
    ),
    Fault("R2 without a tail", RULES, "if board.marks[b, a] == TAIL or board.marks[c, b] == TAIL:", "if True:"),
    Fault(
        "R2 in its first form only",
        RULES,
        "if board.marks[b, a] == TAIL or board.marks[c, b] == TAIL:",
        "if board.marks[b, a] == TAIL:",
    ),
    Fault(
        "R3 on shielded triples",
        RULES,
        "board.marks[c, b] == ARROW and board.marks[a, c] == 0:",
        "board.marks[c, b] == ARROW:",
    ),
    Fault(
        "R3 without circles at d",
        RULES,
        "if board.marks[a, d] != CIRCLE or board.marks[a, b] != ARROW:",
        "if board.marks[a, b] != ARROW:",
    ),
    Fault(
        "R6 after any tail",
        RULES,
        "if board.marks[a, b] == TAIL and board.marks[b, a] == TAIL:",
        "if board.marks[b, a] == TAIL:",
    ),
    Fault(
        "R7 on shielded triples",
        RULES,
        "board.marks[a, b] == CIRCLE and a != c and board.marks[a, c] == 0:",
        "board.marks[a, b] == CIRCLE and a != c:",
    ),
    Fault(
        "R8 in its first form only",
        RULES,
        "board.marks[b, a] == TAIL and board.marks[a, b] != TAIL:",
        "board.marks[b, a] == TAIL and board.marks[a, b] == ARROW:",
    ),
    Fault(
        "R8 without the second tail",
        RULES,
        "if board.marks[b, c] == ARROW and board.marks[c, b] == TAIL:\n                    board.propose(8",
        "if board.marks[b, c] == ARROW:\n                    board.propose(8",
    ),
    Fault(
        "R8 without an arrowhead at c",
        RULES,
        "        if board.marks[a, c] != ARROW:\n            continue\n        for j in range(board.offsets[a], board.offsets[a + 1]):\n            b: cython.Py_ssize_t = board.targets[j]\n            if board.marks[b, a] == TAIL",
        "        for j in range(board.offsets[a], board.offsets[a + 1]):\n            b: cython.Py_ssize_t = board.targets[j]\n            if board.marks[b, a] == TAIL",
    ),
    Fault(
        "contested marks are written by whoever comes first",
        BOARD,
        "self.marks[x, y] == CIRCLE and self.votes[x, y] == 1 << mark",
        "self.marks[x, y] == CIRCLE",
    ),
    Fault(
        "votes are forgotten after each pass",
        BOARD,
        "        self.proposal_count = 0\n        self.witness_count = 0\n        if",
        "        self.proposal_count = 0\n        self.witness_count = 0\n        self.votes[:, :] = 0\n        if",
    ),
    Fault(
        "a mark that stands is written over",
        BOARD,
        "return self.marks[x, y] == CIRCLE and self.votes",
        "return self.marks[x, y] != CIRCLE or self.votes",
    ),
    Fault("a refused proposal is forgotten", BOARD, "                self.refuse(k)\n", "                continue\n"),
    Fault(
        "a mark is kept with the witnesses of another",
        BOARD,
        "self.written[row, 4] = self.keep_reasons(k)",
        "self.written[row, 4] = 0 * self.keep_reasons(k)",
    ),
    Fault(
        "R9 and R10 follow the walks of an earlier pass",
        PATH_RULES,
        "board.directed_walks is None or board.walked_at != board.written_count",
        "board.directed_walks is None",
    ),
    Fault(
        "a board that is gone on with writes into the last stage",
        BOARD,
        "        self.array = self.array.copy()\n        self.marks = self.array\n",
        "",
    ),
    Fault(
        "FCI: the second search takes neighbours for Possible-D-Sep",
        FCI,
        "pools: Marks = possible_d_sep_of_all(oriented, self.pulse, self.apart)",
        "pools: Marks = graph.copy()",
    ),
    Fault(
        "FCI: Possible-D-Sep without v-structures",
        FCI,
        'orient(circled(graph), self.sepsets, ["R0"]).marks',
        "circled(graph)",
    ),
    Fault(
        "FCI: the second search asks again what the first has asked",
        FCI,
        "self.pools_of(*earlier) if earlier in self.steps else None",
        "None",
    ),
    Fault(
        "FCI: Possible-D-Sep of what is left, not of where the second search began",
        FCI,
        "self.graphs[self.steps.index(first)].matrix(self.n) if first in self.steps else self.marks",
        "self.marks",
    ),
    Fault(
        "FCI: complete after one set size of the second search",
        FCI,
        "(not any_sets or radius == search.largest_set)",
        "True",
    ),
    Fault(
        "FCI: complete although max_radius cut the first search short",
        FCI,
        "complete = search.adjacencies_found and (",
        "complete = (",
    ),
    Fault(
        "FCI: a resumed run asks about one more set size",
        FCI,
        "start.radius > 0 and search.had_sets(), True",
        "start.radius > 0, True",
    ),
    Fault(
        "Possible-D-Sep: colliders only",
        SRC + "search/_pds_cy.py",
        "if side[t, v] or (at[t, u] == ARROW and at[v, u] == ARROW):",
        "if at[t, u] == ARROW and at[v, u] == ARROW:",
    ),
    Fault(
        "Possible-D-Sep: one arrowhead makes a collider",
        SRC + "search/_pds_cy.py",
        "(at[t, u] == ARROW and at[v, u] == ARROW)",
        "(at[t, u] == ARROW)",
    ),
    Fault(
        "subsets: those of the second pool that lie in the first come again",
        SUBSETS,
        "if side == 1 and self.all_in(self.roots[0], size, z):",
        "if side == 2:",
    ),
    Fault("subsets: of the first pool only", SUBSETS, "for side in range(2):", "for side in range(1):"),
    Fault(
        "subsets: what is known of one end counts for sets of both",
        SUBSETS,
        "self.all_known(self.roots[0], size, z) or self.all_known(self.roots[1], size, z)",
        "self.all_known(self.roots[0], size, z)",
    ),
    Fault(
        "subsets: the last of each pool is left out", SUBSETS, "self.pool_size - left + 1)", "self.pool_size - left)"
    ),
    Fault(
        "adjacencies: stop when no node has more neighbours than the size",
        ADJACENCY,
        "self.most_neighbours > radius",
        "self.most_neighbours > radius + 1",
    ),
    Fault(
        "adjacencies: pools of one end count as asked only",
        ADJACENCY,
        "for end in (x, y):",
        "for end in (x,):",
    ),
    Fault(
        "RFCI: triples that are no colliders are not looked at",
        SRC + "search/rfci.py",
        "search.judges_every_triple = True",
        "search.judges_every_triple = False",
    ),
    Fault(
        "RFCI: only triples of the last size are looked at",
        SRC + "search/rfci.py",
        "search.fresh = [search.separated]",
        "search.fresh = search.fresh[-1:]",
    ),
    Fault(
        "RFCI: b is asked about given itself",
        VERIFY,
        "tuple(z for z in self._sepsets.find(x, y) if z != b)",
        "self._sepsets.find(x, y)",
    ),
    Fault(
        "FCI+: arrowheads at the separated pair only",
        AUGMENT,
        "  # the data support the answer\n                    point_at(marks, base, size + 2, w)",
        "\n                    point_at(marks, base, size, w)",
    ),
    Fault(
        "FCI+: a node that keeps a pair independent gets an arrowhead",
        AUGMENT,
        "if questions.independent(ends[e, 0], ends[e, 1], given, size + 1):",
        "if not questions.independent(ends[e, 0], ends[e, 1], given, size + 1):",
    ),
    Fault(
        "FCI+: u and v of a link may be adjacent",
        AUGMENT,
        "if v == x or v == u or marks[u, v] or not both_ways(marks, y, v):",
        "if v == x or v == u or not both_ways(marks, y, v):",
    ),
    Fault(
        "FCI+: a link needs no way from u to y",
        AUGMENT,
        " or not before[y, u >> 6] & bit64(u):",
        ":",
    ),
    Fault(
        "FCI+: base sets are not closed",
        FCI_PLUS,
        "for z in self.sepsets.find(u, v) or ():",
        "for z in ():",
    ),
    Fault(
        "FCI+: base sets with neighbours of one end only",
        FCI_PLUS,
        "if of_x.isdisjoint(base) or of_y.isdisjoint(base):",
        "if not of_x.isdisjoint(base):",
    ),
    Fault(
        "FCI+: the first link that is found is the last",
        FCI_PLUS,
        "        while len(fresh):\n",
        "        if len(fresh):\n",
    ),
    Fault(
        "FCI+: complete although max_radius forbade a question",
        FCI_PLUS,
        "search.adjacencies_found and not search.cut_short",
        "search.adjacencies_found",
    ),
    Fault("FCI+: the set of a link is not made minimal", FCI_PLUS, "inquiry.minimal(x, y, given)", "given"),
    Fault(
        "PC: an arrowhead brings no tail",
        BOARD,
        "if self.sufficient and at_x == 0:",
        "if self.sufficient and at_x < 0:",
    ),
    Fault(
        "PC: rules under the names of others",
        BOARD,
        "self.proposals[k, 0] = self.first_rule + rule",
        "self.proposals[k, 0] = rule",
    ),
    Fault(
        "reproduce: every mark counts as right",
        SRC + "reproduce/accuracy.py",
        "if in_truth == found)",
        "if found)",
    ),
    Fault(
        "reproduce: questions relative to those of another data set",
        SRC + "reproduce/accuracy.py",
        'same = ["rho", "alpha", "seed", "rows"]',
        'same = ["rho", "alpha", "seed"]',
    ),
    Fault(
        "reproduce: a search that was given up counts as far as it came",
        SRC + "reproduce/asking.py",
        "counted[end.size] += most - counted.total()",
        "counted[end.size] += 0",
    ),
    Fault(
        "reproduce: the reading counts DAGs with more questions",
        SRC + "reproduce/reading.py",
        'pl.col("questions") < pl.col("questions_right")',
        'pl.col("questions") > pl.col("questions_right")',
    ),
    Fault(
        "PC: directed cycles",
        SRC + "orientation/orient.py",
        "contested |= doubtful | doubtful.T",
        "return oriented",
    ),
    Fault(
        "FCI: what fell while a size was asked counts as never asked about",
        ADJACENCY,
        "pools[x, y] = pools[y, x] = UNTIL_IT_FELL",
        "pools[x, y] = pools[y, x] = 0",
    ),
    Fault(
        "FCI: a run of radius 0 cannot be resumed", FCI, "start.radius > 0 and search.had_sets()", "search.had_sets()"
    ),
    Fault(
        "FCI+: the arrowheads of what was answered before are left out",
        AUGMENT,
        "if not known.independent and not isnan(known.statistic):",
        "if known.independent:",
    ),
    Fault(
        "PC: open edges stay circles",
        SRC + "search/stage.py",
        "if not (self.sufficient and self.complete):",
        "if True:",
    ),
    Fault(
        "PC: v-structures before the search is complete",
        SRC + "search/pc.py",
        "        if complete:  # steps C and D\n",
        "        if radius:\n",
    ),
    Fault(
        "run files: a rule with too many witnesses is taken",
        RUN,
        "(witnesses.sizes < _FEWEST[rules]) | (witnesses.sizes > _MOST[rules])",
        "witnesses.sizes < _FEWEST[rules]",
    ),
    Fault(
        "resume: a search in phases takes another largest radius",
        SETTINGS,
        "and self.chosen.may_grow):",
        "):",
    ),
    Fault("selection nodes are not conditioned on", SEPARATION, "for name in zs | always]", "for name in zs]"),
    Fault(
        "selection nodes are forgotten in the MAG's adjacencies",
        PROJECTION,
        "ancestors[a] | ancestors[b] | of_selection)",
        "ancestors[a] | ancestors[b])",
    ),
    Fault(
        "selection nodes are forgotten in the MAG's marks",
        PROJECTION,
        "has_bit(ancestors[y], x) or has_bit(of_selection, x)",
        "has_bit(ancestors[y], x)",
    ),
    Fault(
        "latent nodes block inducing paths",
        PROJECTION,
        "blocks = bits_of([*observed, *selection], walker.words)",
        "blocks = all_bits(walker.words)",
    ),
    Fault(
        "a collider needs one arrowhead only",
        WALKER,
        "if through_arrow and self.near[i] == ARROW:",
        "if through_arrow or self.near[i] == ARROW:",
    ),
    Fault(
        "a collider is not opened by a childless descendant",
        WALKER,
        "may_collide = through_arrow and opens[v >> 6] & bit64(v) != 0",
        "may_collide = through_arrow and opens[v >> 6] & bit64(v) != 0 and self.offsets[v + 1] - self.offsets[v] > 1",
    ),
    Fault(
        "colliders are always open",
        WALKER,
        "                    if not may_collide:\n                        continue\n",
        "                    pass\n",
    ),
    Fault("given nodes do not block", WALKER, "                elif not may_pass:\n                    continue\n", ""),
    Fault(
        "possible ancestors pass an arrowhead",
        SRC + "graphs/ancestry.py",
        "return (marks != NONE) & (marks.T != ARROW) & (marks != TAIL)",
        "return (marks != NONE) & (marks != TAIL)",
    ),
    Fault(
        "possible anteriors stop at a tail",
        SRC + "graphs/ancestry.py",
        "return (marks != NONE) & (marks.T != ARROW)\n",
        "return (marks != NONE) & (marks.T != ARROW) & (marks != TAIL)\n",
    ),
    Fault(
        "an almost directed cycle passes for ancestral",
        SRC + "graphs/kinds.py",
        "        for v, u in np.argwhere(arrow & arrow.T):",
        "        for v, u in np.argwhere(arrow & tail):",
    ),
    Fault(
        "maximality is not checked",
        SRC + "graphs/kinds.py",
        "if pair := inducing_pair(self.marks, self.ancestor_bits):",
        "if pair := None:",
    ),
    Fault(
        "a random graph need not be connected",
        SRC + "simulate/connected.py",
        "if (np.sort(finder) < visits).all():",
        "if (np.sort(finder) < visits).any():",
    ),
    Fault(
        "waiting vertices are never joined",
        SRC + "simulate/connected.py",
        "rng.random(np.count_nonzero(waiting)) < probability",
        "rng.random(np.count_nonzero(waiting)) < 0",
    ),
    Fault(
        "all that could be latent is latent",
        SRC + "simulate/graphs.py",
        "max(1, len(first) // 2)",
        "max(1, len(first))",
    ),
    Fault(
        "brute force forgets a kind of edge",
        SRC + "search/_equivalence_cy.py",
        "if self.choice[self.k] > 3:",
        "if self.choice[self.k] > 2:",
    ),
    Fault(
        "brute force lets almost directed cycles pass",
        SRC + "search/_equivalence_cy.py",
        "if self.marks[v, u] == ARROW and (self.reach[u] >> v) & 1:",
        "if False:",
    ),
    # -- ICD ----------------------------------------------------------------------------------------------------------
    Fault(
        "candidate sets for (x, y) only",
        ICD_SEP,
        "        for side in range(2):\n            self.reach(side)",
        "        self.within_count[1] = 0\n        for side in range(1):\n            self.reach(side)",
    ),
    Fault(
        "no triangles on PDS-walks",
        ICD_SEP,
        "return self.shields[t, v] != 0 or (self.marks[t, u] == ARROW and",
        "return (self.marks[t, u] == ARROW and",
    ),
    Fault(
        "no colliders on PDS-walks",
        ICD_SEP,
        "return self.shields[t, v] != 0 or (self.marks[t, u] == ARROW and self.marks[v, u] == ARROW)",
        "return self.shields[t, v] != 0",
    ),
    Fault(
        "a collider on a PDS-walk needs one arrowhead only",
        ICD_SEP,
        "(self.marks[t, u] == ARROW and self.marks[v, u] == ARROW)",
        "(self.marks[t, u] == ARROW or self.marks[v, u] == ARROW)",
    ),
    Fault(
        "a removed edge closes walks before R0 has spoken",
        ICD,
        '"keep_triangles": self.options.verify,',
        '"keep_triangles": False,',
    ),
    Fault(
        "walks no longer than the radius",
        ICD_SEP,
        "self.radius if self.radius < 4 else self.queue.shape[0]",
        "self.radius",
    ),
    Fault(
        "a set that both ends have is asked twice",
        ICD_SEP,
        "                if self.is_turn_of_other_side():\n                    continue\n",
        "",
    ),
    Fault(
        "a set that both ends have is never asked",
        ICD_SEP,
        "if total > self.level or (total == self.level and self.side == 0):",
        "if total > self.level:",
    ),
    Fault(
        "far sets first",
        ICD_SEP,
        "            if far + (left - 1) * farthest < self.level:\n                continue  # they are nearer\n",
        "",
    ),
    Fault(
        "a walk goes on from a node that is no possible ancestor",
        ICD_SEP,
        "return not self.filter_distant or self.in_pool(v)",
        "return True",
    ),
    Fault(
        "condition 3 for the first of the pair only",
        ICD_SEP,
        "(self.pools[self.roots[0], v >> 6] | self.pools[self.roots[1], v >> 6])",
        "self.pools[self.roots[0], v >> 6]",
    ),
    Fault(
        "possible ancestors over arrowheads",
        ICD_SEP,
        "if self.pools[x, u >> 6] & bit64(u) or self.marks[v, u] == ARROW:",
        "if self.pools[x, u >> 6] & bit64(u):",
    ),
    Fault(
        "a removed edge lingers in the pools",
        ICD_SEP,
        "self.shields = self._with_apart(self.array)\n        self.pool_known[:] = 0\n",
        "self.shields = self._with_apart(self.array)\n",
    ),
    Fault(
        "the pools of another graph linger",
        ICD_SEP,
        "        self.pool_known[:] = 0\n        if self.targets",
        "        if self.targets",
    ),
    Fault(
        "a level that has sets is passed over",
        ICD_SEP,
        "self.next_level = min(self.next_level, far + (left - 1))",
        "self.next_level = min(self.next_level, far + left)",
    ),
    Fault(
        "neighbours of both are asked twice at radius 1",
        ICD_SEP,
        "self.allowed(root, v) and (side == 0 or self.marks[other, v] == 0):",
        "self.allowed(root, v):",
    ),
    Fault(
        "questions keep a node that has left",
        ASKING,
        "            self.questions.pop()\n            self.pushed -= 1\n",
        "            self.pushed -= 1\n",
    ),
    Fault(
        "a batch that is not full is not asked",
        ICD_SEP,
        "        return self.ask_last(size) if self.last_count else 0\n",
        "        self.last_count = 0\n        return 0\n",
    ),
    Fault(
        "what is left of a node is taken from another stack",
        GAUSSIAN,
        "while j > 0 and self.stamps[v, j - 1] != self.stamp_of[j - 1]:",
        "while j > 0 and self.stamps[v, j - 1] == 0:",
    ),
    Fault(
        "a singular stack stays singular",
        GAUSSIAN,
        "        if self.singular_from == self.height:\n            self.singular_from = -1\n",
        "",
    ),
    Fault(
        "a singular stack is asked",
        GAUSSIAN,
        "            self.singular_from = j\n            return 0\n",
        "            return 0\n",
    ),
    Fault(
        "the first node that separates wins, preferred or not",
        GAUSSIAN,
        "(best == count or self.likings[i] > self.likings[best]):",
        "best == count:",
    ),
    Fault(
        "nodes whose turn does not come are counted",
        GAUSSIAN,
        "                    continue  # its turn does not come\n",
        "                    pass\n",
    ),
    Fault(
        "of nodes that came equally close the last is kept",
        GAUSSIAN,
        "return self.closest_at >= 0 and self.likings[i] > self.likings[self.closest_at]",
        "return True",
    ),
    Fault(
        "blocks of a row are passed over by their first entries",
        SRC + "graphs/_compressed_cy.py",
        "            for i in range(32):",
        "            for i in range(16):",
    ),
    Fault(
        "tiles below the first are not mirrored",
        SRC + "search/_every_pair_cy.py",
        "            for j in range(i, tiles):",
        "            for j in range(i, i + 1):",
    ),
    Fault(
        "removals within a radius are forgotten when its graph is made again",
        ICD,
        "            for x, y in self.sepsets.found_at(radius, FoundBy.SEARCH).tolist():\n                sets.remove(x, y)\n",
        "            pass\n",
    ),
    Fault(
        "stop one radius early",
        ICD,
        "complete = not any_sets or radius == search.largest_set",
        "complete = not any_sets or radius >= search.largest_set - 1",
    ),
    Fault(
        "stop when a radius removed nothing",
        STATE,
        "return heard.any_sets or any(asker.any_sets for asker in asking)",
        "return bool(self.fresh) or radius < 2",
    ),
    Fault(
        "orientation not reset when an edge goes",
        STATE,
        "Board(circled(self.marks), self.pulse, apart=self.apart)",
        "Board(self.marks.copy(), self.pulse)",
    ),
    Fault(
        "the last stage is oriented like any other",
        STATE,
        "self._allowed(ALL_RULES if complete else ANYTIME_RULES)",
        "self._allowed(ANYTIME_RULES)",
    ),
    Fault(
        "all rules at every stage",
        STATE,
        "self._allowed(ALL_RULES if complete else ANYTIME_RULES)",
        "self._allowed(ALL_RULES)",
    ),
    Fault(
        "a separating set recorded for the wrong pair",
        STATE,
        "self.sepsets.record_all(found[start:row], given",
        "self.sepsets.record_all(np.roll(found, 1, axis=0)[start:row], given",
    ),
    Fault(
        "separating sets are not made minimal",
        INQUIRY,
        "            if self.independent(x, y, rest):\n                return self.minimal(x, y, rest)\n",
        "",
    ),
    Fault(
        "colliders are not verified",
        STATE,
        "                if self.options.verify:\n                    self._verify_colliders(radius)\n",
        "",
    ),
    Fault(
        "colliders are verified on one side only",
        VERIFY,
        "        return asked\n",
        "        asked[:, 1] = True\n        return asked\n",
    ),
    Fault(
        "sets with a part that was never asked count as minimal",
        VERIFY,
        "doubtful |= ~self.has_asked(",
        "doubtful &= ~self.has_asked(",
    ),
    Fault(
        "colliders are verified for the first pairs only",
        STATE,
        "        while self.fresh:  # what falls here makes new triples\n",
        "        if self.fresh:\n",
    ),
    Fault(
        "discriminating paths are not verified",
        STATE,
        "        if not self.options.verify:\n            return True\n",
        "        return True\n",
    ),
    Fault(
        "discriminating paths are verified given the whole set only",
        VERIFY,
        "for size in range(1, len(others) + 1)",
        "for size in range(len(others), len(others) + 1)",
    ),
    Fault(
        "nobody knows what the search has asked",
        ICD,
        "return np.asarray(self._sets_searched(size).belong(pairs, sets) != 0)",
        "return np.zeros(len(pairs), dtype=bool)",
    ),
    Fault(
        "verification asks what the search has asked",
        INQUIRY,
        "            if key in self._known:\n                return False\n",
        "",
    ),
    Fault(
        "threads do not share what they prefer",
        STATE,
        "            helper.share(problem.questions)\n",
        "            pass\n",
    ),
    Fault(
        "threads leave out the ends of their shares",
        SRC + "search/share.py",
        "task(first, min(first + size, count))",
        "task(first, min(first + size - 1, count))",
    ),
    Fault(
        "the n-oracle knows no limit",
        SRC + "independence/_oracle_cy.py",
        "        if 0 <= self.most < size:\n            return 0\n",
        "",
    ),
    Fault(
        "the oracle forgets selection",
        SRC + "independence/_oracle_cy.py",
        "self.blocks[i] = self.always[i]",
        "self.blocks[i] = 0",
    ),
    Fault(
        "positions follow the columns, not the names",
        SRC + "discovery.py",
        "names = in_order(checked_names(test.names))",
        "names = test.names",
    ),
    Fault(
        "columns come back in the order of names",
        SRC + "search/stage.py",
        "pag = PAG(self.columns, PAG(self.names, self.oriented.marks).arranged(self.columns))",
        "pag = PAG(self.names, self.oriented.marks)",
    ),
    Fault(
        "an early stage knows later separations",
        SRC + "search/stage.py",
        "if number >= self.known_sets:",
        "if number > 10**9:",
    ),
    Fault(
        "`why` names another rule",
        REASONS,
        "pair, premises.text, rule.rule, rule.because)",
        'pair, premises.text, "R1", rule.because)',
    ),
    Fault(
        "`why` rests a mark on later ones",
        REASONS,
        "if m in self._turn and self._turn[m] < self._turn[x, y])",
        "if m in self._turn)",
    ),
    Fault(
        "`why` shows the separating set of another pair",
        REASONS,
        "        separation = self.reasons.trace.separation(a, b)\n        pair =",
        "        separation = self.reasons.trace.separation(a, self.reasons.pag.nodes[0])\n        pair =",
    ),
    Fault("`causes` forgets that a tail may mean selection", CAUSES, "    if not selection_bias:", "    if True:"),
    Fault(
        "`causes` says no against a possible anterior",
        CAUSES,
        "if a not in pag.possible_anteriors(b):",
        "if a not in pag.possible_ancestors(b):",
    ),
    Fault(
        "PDS-trees with paths that pass non-colliders",
        SRC + "search/possible_d_sep.py",
        "return collider or pag.edge(u, w) is not None",
        "return True",
    ),
    Fault(
        "orientation accuracy among common edges only",
        METRICS,
        "return int(self._ends[1:].sum())",
        "return int(self._ends[1:, 1:].sum())",
    ),
    Fault(
        "graphs are compared by position, not by name",
        METRICS,
        "return self.estimate.arranged(self._names), self.truth.arranged(self._names)",
        "return self.estimate.marks, self.truth.marks",
    ),
    Fault(
        "SHD looks at the mark at one end",
        METRICS,
        "np.triu(differs | differs.T)",
        "np.triu(differs)",
    ),
    Fault(
        "the table of marks has truth and estimate exchanged",
        METRICS,
        "(kinds * truth + estimate)",
        "(kinds * estimate + truth)",
    ),
    Fault(
        "a DAG with selection is compared as it stands",
        METRICS,
        "isinstance(graph, DAG) and (learned or graph.latent or graph.selection)",
        "isinstance(graph, DAG) and (learned or graph.latent)",
    ),
    Fault(
        "graphviz draws the marks at the wrong ends",
        DOT,
        "at_a, at_b = parse_symbol(edge)",
        "at_b, at_a = parse_symbol(edge)",
    ),
    Fault(
        "a backslash in a name is read by graphviz",
        DOT,
        """name.replace("\\\\", "\\\\\\\\").""",
        "name.",
    ),
    Fault(
        "a run that was interrupted ends like a complete one",
        CLI + "discover.py",
        """not in (None, "max_radius")""",
        """not in (None, "max_radius", "interrupt")""",
    ),
    Fault(
        "SIGTERM is left to the system",
        CLI + "app.py",
        "signal.signal(signal.SIGTERM, interrupt)",
        "signal.getsignal(signal.SIGTERM)",
    ),
    Fault(
        "the graph may overwrite the data",
        PLACES,
        'inputs += [("the data", file) for path in data for file in _files_of(path)]',
        "inputs += []",
    ),
    Fault(
        "an empty set is written as if there were none",
        CLI + "formats.py",
        "if names is None:",
        "if not names:",
    ),
    Fault(
        "a text with an edge --> is read as a DAG",
        CLI + "compare.py",
        "causal = all(",
        "causal = any(",
    ),
    Fault(
        "contingency: the last of two levels has the rows of both",
        PLANES,
        "for level in range(levels - 1):",
        "for level in range(1, levels - 1):",
    ),
    Fault(
        "contingency: missing values have the last level",
        PLANES,
        "np.where(few, sizes - complete, 0)",
        "np.where(few, sizes - 1, 0)",
    ),
    Fault(
        "contingency: a set of planes is taken for another one",
        PLANES,
        "if self.known[slot] != key:",
        "if self.known[slot] == 0:",
    ),
    Fault(
        "contingency: the conditions of the first stratum hold in all",
        PLANES,
        "            self.masked = False\n",
        "            self.masked = cell > 0\n",
    ),
    Fault(
        "contingency: the conditions of the question before are taken for those of this one",
        CONTINGENCY,
        "while k < size and self.held[k] == given[k]:",
        "while k < size and self.held[k] >= 0:",
    ),
    Fault(
        "contingency: a row without a condition falls into the first stratum",
        CONTINGENCY,
        "if (stratum[i] | values[i]) >= 0 else -1",
        "if (stratum[i] | values[i]) >= 0 else 0",
    ),
    Fault(
        "contingency: empty margins have degrees of freedom",
        CONTINGENCY,
        "present_x += margin > 0",
        "present_x += 1",
    ),
    Fault(
        "contingency: G without the margins of y",
        CONTINGENCY,
        "for i in range(lx + ly):",
        "for i in range(lx):",
    ),
    Fault(
        "contingency: tables too large for the rows are asked",
        CONTINGENCY,
        "if count * full_df * self.rows_per_df > self.rows:",
        "if count * full_df > self.rows:",
    ),
    Fault(
        "contingency: the last words of a plane are not counted",
        POPCOUNT,
        "+ ancestral_common_by_words(out, a, b, c, whole, words);",
        "+ 0 * ancestral_common_by_words(out, a, b, c, whole, words);",
    ),
    Fault(
        "contingency: the sums of bytes overflow",
        POPCOUNT,
        "whole - i > 31 * 4 ? i + 31 * 4 : whole",
        "whole",
    ),
    Fault(
        "moments: only the last portion of rows counts",
        MOMENTS,
        "out = product if first == 0 else np.add(out, product, out=out)",
        "out = product",
    ),
    Fault(
        "moments: a matrix that no data have is taken",
        MOMENTS,
        "np.fill_diagonal(values, diagonal + TOLERANCE)",
        "np.fill_diagonal(values, diagonal + 1)",
    ),
    Fault(
        "moments: the diagonal of a given matrix is left as it was lifted",
        MOMENTS,
        "        np.fill_diagonal(values, diagonal)\n",
        "        pass\n",
    ),
    Fault(
        "audit: copies are looked for in the first rows of the matrix only",
        AUDIT,
        "                yield first + x, first + y",
        "                yield x, y",
    ),
    Fault(
        "a table shares its numbers with the user's arrays",
        FRAMES,
        "plain.to_numpy() if self._ours else np.array(plain.to_numpy())",
        "plain.to_numpy()",
    ),
    Fault(
        "writing: over the old file at once",
        FILES,
        "with _direct(target) if _is_stream(old) else _part_of(target, old) as file:",
        'with _direct(target) if _is_stream(old) else open(target, "wb") as file:',
    ),
    Fault(
        "writing: a link is replaced, not followed",
        FILES,
        "    return Path(os.path.realpath(path)), old",
        "    return Path(path), old",
    ),
    Fault(
        "writing: a device is replaced",
        FILES,
        "return old is not None and (stat.S_ISCHR(old.st_mode) or stat.S_ISFIFO(old.st_mode))",
        "return old is not None and stat.S_ISFIFO(old.st_mode)",
        (
            (
                FILES,
                "if not (stat.S_ISREG(mode) or _is_stream(old)):",
                "if not (stat.S_ISREG(mode) or stat.S_ISCHR(mode) or _is_stream(old)):",
            ),
        ),
    ),
    Fault(
        "writing: all writers share one part file",
        FILES,
        'descriptor, name = tempfile.mkstemp(_ENDING, f".{target.name[:_STEM]}.", target.parent)',
        'name = f"{target}.part"\n        descriptor = os.open(name, os.O_CREAT | os.O_WRONLY, 0o600)',
    ),
    Fault(
        "writing: a file that others must not read can be read afterwards",
        FILES,
        "        mode = stat.S_IMODE(old.st_mode)",
        "        mode = 0o644",
    ),
    Fault(
        "writing: a part file that is being written is taken for abandoned",
        FILES,
        "fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)",
        "pass",
    ),
    Fault(
        "writing: a read-only file is replaced",
        FILES,
        "if not mode & 0o222 or not _may(path, os.W_OK):",
        "if False:",
    ),
    Fault(
        "writing: a pipe that nobody reads is waited for",
        FILES,
        "os.open(target, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)",
        "os.open(target, os.O_RDWR)",
    ),
    Fault(
        "a delivery that failed is told as done",
        OUTPUT,
        "        else:\n            if place is not None:",
        "        finally:\n            if place is not None:",
    ),
    Fault(
        "one command writes two things into one file",
        PLACES,
        "            seen[key] = option",
        "            seen[key, option] = option",
    ),
    Fault(
        "a complete run is not saved elsewhere",
        SRC + "discovery.py",
        "if target is not None and not (self.resumed is not None and _same_file(target, self.resumed)):",
        "if target is not None and not target.exists():",
    ),
    Fault(
        "names command a terminal",
        OUTPUT,
        "if sys.stdout.isatty() and not styled:",
        "if styled:",
    ),
    Fault(
        "run file: data are written over",
        PARTS,
        "and not begins_with(path, form):",
        "and begins_with(path, chr(0)):",
    ),
    Fault(
        "run file: an edge may be listed twice",
        PARTS,
        "if (steps == 0).any():",
        "if (steps < -1).all():",
    ),
    Fault("run file: p-values may be anything", DOCUMENT, "(block >= 0) & (block <= most)", "(block >= 0)"),
    Fault("run file: p-values of version 3 may be anything", RUN_3, "((values < 0) | (values > most)).any()", "False"),
    Fault("run file: marks need no reasons", RUN, "or not np.array_equal(marks[x, y], said)", ""),
    Fault(
        "run file: the length of a packed column is believed",
        COLUMNS,
        "if wanted.length is not None and length != wanted.length:",
        "if length < 0:",
    ),
    Fault(
        "run file: a line may be of any length",
        BOUNDED,
        "        if len(line) > limit:",
        "        if len(line) > 1 << 40:",
    ),
    Fault(
        "run file: as many values as fit on a line", BOUNDED, "if self.values_left < 0:", "if self.values_left is None:"
    ),
    Fault("run file: any depth", BOUNDED, "        if brackets:\n", '        if brackets == b"[":\n'),
    Fault("run file: a key may stand there twice", BOUNDED, "        if key in out:", "        if key in ():"),
    Fault(
        "run file: what cannot be read again is saved",
        PARTS,
        '    reader(Place(plain, None, "")).head()\n',
        "",
    ),
    Fault(
        "run file: counts that do not add up are let in",
        RUN,
        "if tests.total() != sum(questions for *_, questions in steps):",
        "if tests.total() < 0:",
    ),
    Fault("run file: any number of variables that were not asked", RUN, "and self.n > MOST_NOT_BEGUN:", "and False:"),
    Fault(
        "resume: the variables of the file are not looked at",
        DISCOVERY,
        " or tuple(before.stage.names) != self.names:",
        ":",
    ),
    Fault(
        "a search that goes on forgets the sets of later stages",
        STATE,
        "taken = start is not None and start.sepsets.count == start.known_sets",
        "taken = start is not None",
    ),
    Fault(
        "run file: edges read from the wrong end",
        PARTS,
        "ends[turned] = ends[turned][:, ::-1]",
        "ends[turned] = ends[turned]",
    ),
    Fault(
        "run file: marginal evidence in the order of names",
        RUN,
        "order = np.argsort(self.place)",
        "order = np.arange(len(self.place))",
    ),
    Fault(
        "run file: a set is numbered by names",
        RUN_3,
        "return tuple(sorted(self.at[np.array(values, dtype=np.intc)].tolist()))",
        "return tuple(sorted(values))",
    ),
    Fault(
        "run file: packed sets are numbered by names",
        RUN,
        "sets = Sets(sizes, self.variables(place.key(name), total)).renamed(np.arange(self.n))",
        "sets = Sets(sizes, place.key(name).ints(0, self.n - 1, total)).renamed(np.arange(self.n))",
    ),
    Fault("run file: infinite numbers are let in", DOCUMENT, "if np.isinf(values).any():", "if len(values) < 0:"),
    Fault(
        "run file: unknown keys are let in", DOCUMENT, "            if name not in names:", "            if name in ():"
    ),
    Fault(
        "resume: other data are taken",
        DISCOVERY,
        "if before.fingerprint != self.test.fingerprint or",
        'if before.fingerprint == "" or',
    ),
    Fault(
        "resume: other settings are taken",
        SETTINGS,
        'if mine != theirs and not (field.name == "max_radius"',
        'if mine != theirs and not (field.name != "alpha"',
    ),
    Fault("resume: one bit of one value does not count", FINGERPRINT, 'dtype="<f8" if', 'dtype="<f4" if'),
    Fault(
        "resume: what verification asked is forgotten",
        STATE,
        "dict(memory.answers())",
        "{}",
    ),
    Fault(
        "resume: unsupported questions are counted anew",
        STATE,
        "self.unsupported_before = Counter(stage.unsupported)",
        "self.unsupported_before = Counter()",
    ),
    Fault(
        "resume: a complete run is judged anew",
        DISCOVERY,
        "return self._as_it_was(self.start, target, library)",
        "pass",
    ),
    Fault("watch: the time limit is not looked at", WATCH, "now >= self.deadline", "now < self.started"),
    Fault(
        "watch: every edge counts as the same work",
        WATCH,
        "until[-1] - until[done]) / until[done]",
        "self._edges - done) / done",
    ),
    Fault(
        "watch: the questions of earlier radii are not told", WATCH, "return self._asked_before + sum(", "return sum("
    ),
    Fault(
        "watch: dear steps after cheap ones go unnoticed",
        PULSE,
        "LONGEST_STRIDE = cython.declare(cython.longlong, 64)",
        "LONGEST_STRIDE = cython.declare(cython.longlong, 1 << 40)",
    ),
    Fault(
        "decisions: the last question about an edge counts",
        DECISIONS,
        "nearer = (new > old) |",
        "nearer = (new >= 0) |",
    ),
    Fault(
        "decisions: what verification met does not count",
        DECISIONS,
        "    if checked:\n",
        "    if not checked and checked:\n",
    ),
    Fault(
        "decisions: the smallest p-value in place of the largest",
        QUESTIONS,
        "if self.statistic >= self.closest_statistic:",
        "if self.statistic <= self.closest_statistic:",
    ),
    Fault(
        "decisions: tails of different degrees of freedom are not compared",
        QUESTIONS,
        "<= log_tail(self.closest_statistic, self.closest_df)",
        "<= 0.0 * log_tail(self.closest_statistic, self.closest_df)",
    ),
    Fault("decisions: marginals count as questions", QUESTIONS, "        self.unsupported[:] = counted\n", ""),
    Fault(
        "blocks take what an earlier stack left of a column for that of this one",
        BLOCKS,
        "while s > 0 and self.stamps[c, s - 1] != self.stamp_of[s - 1]:",
        "while s > 0 and self.stamps[c, s - 1] == 0:",
    ),
    Fault(
        "a node that leaves the stack of blocks stays eliminated",
        BLOCKS,
        "        self.steps = self.steps_below[self.height]\n",
        "",
    ),
    Fault(
        "a column of the stack that others explain is divided by nothing",
        BLOCKS,
        "            if pivot < SINGULAR:\n                continue\n",
        "",
    ),
    Fault("columns of the stack are not counted in Z", BLOCKS, "self.compare(self.steps, in_z", "self.compare(0, in_z"),
    Fault(
        "a row with two gaps is taken out twice",
        BLOCKS,
        "if self.seen[t] != self.clock:\n                    self.seen",
        "if True:\n                    self.seen",
    ),
    Fault("sums of which little is left are trusted", BLOCKS, "cython.double, 1e-3)", "cython.double, -1.0)"),
    Fault(
        "rows without gaps are summed up and taken out",
        BLOCKS,
        "            self.list_complete()\n",
        "            pass\n",
    ),
    Fault("gaps of the first column stand for its block", GAPS, "missing[first:stop].any(axis=0)", "missing[first]"),
    Fault("boxes are not pushed apart", LAYOUT, "        if not len(first):\n            break", "        break"),
    Fault(
        "the picture follows the order of columns",
        LAYOUT,
        "names = tuple(in_order(graph.nodes))",
        "names = graph.nodes",
    ),
    Fault(
        "arrows lead from right to left",
        LAYOUT,
        "return np.column_stack([(left + widths / 2)[layers], across * ROW])",
        "return np.column_stack([-(left + widths / 2)[layers], across * ROW])",
    ),
    Fault("edges run through boxes", ROUTES, "            if not hits:\n                break", "            break"),
    Fault("a mark lies under its box", ROUTES, "(size / 2 + CLEARANCE).tolist()", "(size / 2 - 6).tolist()"),
    Fault(
        "the line runs through its mark",
        ROUTES,
        "starts.append(at_line if MARK_SIZES[mark] else at_tip)",
        "starts.append(at_tip)",
    ),
    Fault(
        "the marks of an edge are exchanged", PICTURE, "marks = int(at_a), int(at_b)", "marks = int(at_b), int(at_a)"
    ),
    Fault("a name is markup in an SVG", SVG, "return escape(plain(text))", "return plain(text)"),
    Fault("a character that XML forbids", LABELS, 'return _FORBIDDEN.sub("�", text)', "return text"),
    Fault("a wide character takes no room", LABELS, "        return 1.4", "        return 0.4"),
    Fault("a report that a name can end", REPORT + "__init__.py", '.replace("<", "\\\\u003c")', ""),
    Fault("a title is markup in a report", REPORT + "__init__.py", 'escape(said["title"])', 'said["title"]'),
    Fault(
        "a report shows the last graph at every stage",
        REPORT + "content.py",
        '"edges": _edges(graph, names)})',
        '"edges": _edges(run.pag, names)})',
    ),
    Fault(
        "a step of a reason is told twice in a report",
        REPORT + "script.js",
        "if (!reason || (before && depth > 1)) continue;",
        "if (!reason) continue;",
    ),
    Fault(
        "a report turns the direction of a mark",
        REPORT + "script.js",
        "symbol(row[2], row[3]) : symbol(row[3], row[2])",
        "symbol(row[3], row[2]) : symbol(row[2], row[3])",
    ),
    Fault(
        "a report fills what is filled in",
        REPORT + "script.js",
        "(_, name) => values[name]);",
        "(_, name) => filled(String(values[name]), values));",
    ),
    Fault("the separating set is not shown", REPORT + "script.js", "steps.flatMap((step) => step.given || [])", "[]"),
    Fault(
        "the table sorts numbers as text",
        REPORT + "script.js",
        "sign * (x < y ? -1 : x > y ? 1 : 0)",
        "sign * (String(x) < String(y) ? -1 : 1)",
    ),
    Fault("the command forgets a quote", REPEAT, "return shlex.join(words)", 'return " ".join(words)'),
    Fault("the command forgets how the data were read", REPEAT, "return out | reading.options()", "return out"),
    Fault(
        "a run file forgets the graphs of its stages",
        RUN,
        '"graph": None if last else self.edges(graph.pairs, graph.marks),',
        '"graph": None,',
    ),
    Fault(
        "interop: a PAG of arrows is taken for a DAG",
        KINDS,
        'return None if kind == kind_seen(graph.edges(), kind == "dag") else kind.upper()',
        "return None",
    ),
    Fault(
        "DOT: defaults for edges reach out of their braces",
        INTEROP + "language.py",
        "    defaults = dict(inherited)",
        "    defaults = inherited",
    ),
    Fault(
        "DOT: arrowtail counts also where dir does not ask for it",
        INTEROP + "dot.py",
        '_shape(edge.attributes, "arrowtail", edge.line) if at_tail else TAIL',
        '_shape(edge.attributes, "arrowtail", edge.line) if "arrowtail" in edge.attributes or at_tail else TAIL',
    ),
    Fault(
        "DOT: labels are not looked at",
        INTEROP + "dot.py",
        'if label and not label.startswith("<"):',
        'if label == "<":',
    ),
    Fault(
        "DOT: entities of HTML stay as they are",
        INTEROP + "dot.py",
        'return html5.get(entity + ";", found[0])',
        "return found[0]",
    ),
    Fault(
        "DOT and dagitty: groups may be nested without end",
        INTEROP + "language.py",
        "if self.depth > DEEPEST:",
        "if self.depth < 0:",
    ),
    Fault(
        "dagitty: a name may end in a backslash",
        INTEROP + "dagitty.py",
        'if name.endswith("\\\\"):',
        'if name.endswith("\\\\ "):',
    ),
    Fault(
        "dagitty: a <-> b in a dag has no hidden cause",
        INTEROP + "dagitty.py",
        'if edge == "<->" and said.kind == "dag":',
        'if edge == "<->" and said.kind == "":',
    ),
    Fault(
        "Tetrad: a name in parentheses is written as it is",
        INTEROP + "tetrad.py",
        "if (name[0], name[-1]) in _BRACKETS.values():\n            refuse",
        'if (name[0], name[-1]) == ("", ""):\n            refuse',
    ),
    Fault(
        "Tetrad: what follows an edge is part of it",
        INTEROP + "tetrad.py",
        '_SPACE.split(_NUMBER.sub("", line, count=1), 3)',
        '_SPACE.split(_NUMBER.sub("", line, count=1), 2)',
    ),
    Fault(
        "Tetrad: o-- is written as it is, which causal-learn drops",
        INTEROP + "tetrad.py",
        'if edge == "o--" else',
        'if edge == "" else',
    ),
    Fault(
        "Tetrad JSON: an edge may join nodes that are not listed",
        INTEROP + "tetrad_json.py",
        '            if name not in said.names:\n                raise GraphError(f"{where}: {name!r} is not among',
        '            if name == "":\n                raise GraphError(f"{where}: {name!r} is not among',
    ),
    Fault(
        "pcalg: amat.cpdag has its arrowheads in columns",
        INTEROP + "pcalg.py",
        "arrowheads = (written.marks == ARROW).T",
        "arrowheads = written.marks == ARROW",
    ),
    Fault(
        "pcalg: a symmetric matrix is taken for a CPDAG",
        INTEROP + "pcalg.py",
        "    if (matrix == matrix.T).all():",
        "    if not matrix.any():",
    ),
    Fault(
        "GraphML: entities are expanded",
        INTEROP + "graphml.py",
        '        raise GraphError("there is a document type declaration, which may define entities; delete <!DOCTYPE …>")',
        "        return",
    ),
    Fault(
        "GraphML: characters that XML has not are written",
        INTEROP + "graphml.py",
        "        if _NO_XML.search(name):",
        "        if not name:",
    ),
    Fault(
        "networkx: the mark of an arc is that at its other end",
        INTEROP + "networks.py",
        "return _mark(back, b, a), _mark(data, a, b)",
        "return _mark(data, a, b), _mark(back, b, a)",
    ),
    Fault(
        "causal-learn: o-- is added as it is, and dropped",
        INTEROP + "causal_learn.py",
        'if edge == "o--" else',
        'if edge == "" else',
    ),
    Fault(
        "pywhy-graphs: a circle is at the other end",
        INTEROP + "pywhy.py",
        "for u, v, mark in ((a, b, at_b), (b, a, at_a)):",
        "for u, v, mark in ((a, b, at_a), (b, a, at_b)):",
    ),
    Fault("DoWhy: latent nodes are observed", INTEROP + "dowhy.py", '"no" if name in graph.latent else "yes"', '"yes"'),
    Fault(
        "interop: roles that a format cannot say are dropped",
        INTEROP + "common.py",
        "        if names := sorted(getattr(graph, role, ()), key=by_name):",
        '        if names := sorted(getattr(graph, "", ()), key=by_name):',
    ),
    Fault(
        "convert: the content does not tell the format",
        CLI + "convert.py",
        'format_of_content(text, path.name.removesuffix(".gz"))',
        '"text"',
    ),
    Fault(
        "Discoverer: edges are confirmed by independence",
        ESTIMATOR,
        "confirmed.append((p <= LEVEL) == edge)",
        "confirmed.append(p > LEVEL)",
    ),
    Fault(
        "Discoverer: an edge is looked at given nothing",
        ESTIMATOR,
        "given = sepset if edge is None else closest",
        "given = sepset if edge is None else []",
    ),
    # resamples
    Fault(
        "bootstrap: the mean of a resample is not taken out",
        WEIGHTED,
        "products -= np.outer(sums, sums) / rows",
        "pass",
    ),
    Fault("bootstrap: an outlier that is not drawn costs digits", WEIGHTED, "NARROW = 1e-3", "NARROW = 1e-30"),
    Fault(
        "bootstrap: weights instead of their roots", WEIGHTED, "some *= roots[first:stop]", "some *= counts[first:stop]"
    ),
    Fault(
        "bootstrap: ties do not share their rank",
        RESAMPLE,
        "before = np.take_along_axis(upto - drawn, self.first, axis=1)",
        "before = upto - drawn",
    ),
    Fault(
        "bootstrap: a column that does not vary is asked about",
        RESAMPLE,
        "return len(column.levels) > 1",
        "return True",
    ),
    Fault("bootstrap: left-out variables shift the others", REPEATS, "Edges(where[found.pairs], found.marks)", "found"),
    Fault("bootstrap: all repeats draw the same rows", REPEATS, "spawn_key=(number,)", "spawn_key=(0,)"),
    Fault(
        "bootstrap: a subsample is drawn with replacement",
        REPEATS,
        "rng.permutation(rows)[:drawn]",
        "rng.integers(0, rows, drawn)",
    ),
    Fault(
        "bootstrap: what came after a gap is kept",
        DISPATCH,
        "        while some := self.back.get(len(kept)):\n            kept += some\n",
        "        for first in sorted(self.back):\n            kept += self.back[first]\n",
    ),
    Fault(
        "bootstrap: a chunk that is lost is not sent again",
        DISPATCH,
        "                self._send(first)\n\n    def _take",
        "\n    def _take",
    ),
    Fault(
        "bootstrap: an exception of the work is taken for a lost worker",
        DISPATCH,
        "        except Exception as error:\n            return Raised(error)\n",
        "        except Exception:\n            raise\n",
    ),
    Fault(
        "bootstrap: a level that was not drawn stays",
        RESAMPLE,
        "block = block[(there[block] > 0) & (block != usual)]",
        "block = block[block != usual]",
    ),
    Fault(
        "bootstrap: indicators are gathered like narrow numbers",
        WEIGHTED,
        "narrow if self.indicators is None else narrow & ~self.indicators",
        "narrow & False",
    ),
    Fault("bootstrap: threads work on when nobody waits", DISPATCH, "            watch.stop()", "            pass"),
    Fault(
        "bootstrap: the marks of an edge are turned",
        FREQUENCIES,
        "self.counts[k] if x < y else self.counts[k].T",
        "self.counts[k]",
    ),
    Fault(
        "bootstrap: half is a majority",
        RESAMPLING,
        "agreed = 2 * counts.max(axis=1, initial=0) > edges",
        "agreed = 2 * counts.max(axis=1, initial=0) >= edges",
    ),
    Fault("bootstrap file: a repeat may have two graphs", SAVED_BOOTSTRAP, "if number in found:", "if False:"),
    Fault(
        "bootstrap file: graphs in any order",
        SAVED_BOOTSTRAP,
        "or (np.diff(first) < 0).any():",
        "or len(first) < 0:",
    ),
    Fault(
        "bootstrap: a graph that was found twice counts once",
        FREQUENCIES,
        "if times is None else np.asarray(times, dtype=np.int64)",
        "if times is not None else np.asarray(times, dtype=np.int64)",
    ),
    Fault(
        "report: frequencies at the wrong end",
        REPORT + "script.js",
        "at: i === a ? [first, second]",
        "at: i === b ? [first, second]",
    ),
    Fault(
        "report: reliabilities of other data",
        REPORT + "content.py",
        " or reliabilities.fingerprint != run.test.fingerprint",
        "",
    ),
    Fault(
        "definite ancestors by walks that are covered",
        DEFINITE,
        "steps[:, u] & (marks[:, v] == NONE)",
        "steps[:, u]",
    ),
    Fault(
        "definite ancestors by two walks whose first nodes are adjacent",
        DEFINITE,
        "np.triu(marks[np.ix_(nodes, nodes)] == NONE, 1)",
        "np.triu(np.ones((len(nodes), len(nodes)), dtype=bool), 1)",
    ),
    Fault(
        "definite ancestors forget that an edge may be undirected",
        DEFINITE,
        "if selection_bias and not (marks[x, nodes] == ARROW).any():",
        "if False:",
    ),
    Fault(
        "an edge is visible by a neighbour of its head",
        VISIBLE,
        "into & (marks[:, y] == NONE)",
        "into",
    ),
    Fault("visible edges by a single edge only", VISIBLE, "            if w not in leads_to:", "            if False:"),
    Fault(
        "visible edges by collider paths over nodes that are no parents",
        VISIBLE,
        "(marks[v] == ARROW) & parents",
        "(marks[v] == ARROW) & (marks[:, y] != NONE)",
    ),
    Fault(
        "a collider is opened by itself only",
        STATUS,
        "may_pass = opens[v]",
        "may_pass = blocks[v]",
    ),
    Fault(
        "the circle of o-- becomes a tail",
        MEMBER,
        "    out[circle & (marks.T == TAIL)] = ARROW\n",
        "",
    ),
    Fault(
        "the circle component is oriented in any order",
        MEMBER,
        "        weight[loose[v]] += 1\n",
        "",
    ),
    Fault(
        "draws from a class leave it",
        MEMBERS,
        "return mag if np.array_equal(_class_marks(mag, self.directed), self.pag.class_marks) else None",
        "return mag",
    ),
    Fault(
        "amenability lets an invisible edge pass",
        EFFECTS + "criterion.py",
        "return visible_by(self.marks, x, v) is not None",
        "return bool(self.marks[v, x] == 3)",
    ),
    Fault(
        "only nodes on causal paths are forbidden, not their possible descendants",
        EFFECTS + "criterion.py",
        "return reached(self.steps, self.on_causal_paths)",
        "return self.on_causal_paths",
    ),
    Fault(
        "causal paths may meet the causes again",
        EFFECTS + "criterion.py",
        "        outside[:, list(self.xs)] = False  # no way leads back into X\n",
        "",
        also=((EFFECTS + "criterion.py", "        outside[list(self.xs)] = False\n", ""),),
    ),
    Fault(
        "latent variables are adjusted for",
        EFFECTS + "criterion.py",
        "return self.usable - self.forbidden",
        "return frozenset(range(len(self.marks))) - self.forbidden",
    ),
    Fault(
        "minimal sets: only the one nearest to the outcome",
        EFFECTS + "separators.py",
        "if further is not None and further not in seen:",
        "if False:",
    ),
    Fault(
        "nodes that must not be adjusted for cut a way",
        EFFECTS + "separators.py",
        "        out[np.ix_(around, around)] = True\n",
        "",
    ),
    Fault(
        "a moral graph without collider paths of more than one node",
        EFFECTS + "separators.py",
        "if into[v, w] and w not in seen:",
        "if False:",
    ),
    Fault(
        "the criterion does not see selection in o--",
        EFFECTS + "adjustment.py",
        "np.argwhere(tail & (self.graph.class_marks.T != ARROW))",
        "np.argwhere(tail & (self.graph.class_marks.T == TAIL))",
    ),
    Fault(
        "an effect in standard deviations",
        EFFECTS + "linear.py",
        "units = scale[-1] / scale[:k]",
        "units = np.ones(k)",
    ),
    Fault(
        "a confidence interval by the normal distribution",
        EFFECTS + "linear.py",
        "student.ppf((1 + confidence) / 2, left)",
        "student.ppf((1 + confidence) / 2, 1e9)",
    ),
    Fault(
        "an effect of a test that looks at ranks",
        FOUND,
        'or self.test.name != "fisher-z":',
        "or False:",
    ),
    Fault(
        "an incomplete graph answers by walks over edges that will go",
        FOUND,
        "return causes(self.pag, a, b, self.may_be_selected, self._closed)",
        "return causes(self.pag, a, b, self.may_be_selected)",
    ),
    Fault(
        "a walk through a class turns <-> where an ancestor forbids it",
        MEMBERS,
        "if (before & ~goes_on).any() or visible_by(arrow, v, u) is not None:",
        "if visible_by(arrow, v, u) is not None:",
    ),
    Fault(
        "what workers learned given nothing is only known above the diagonal",
        ELSEWHERE,
        "        if strength.shape == marks.shape:\n",
        "        if False:\n",
    ),
    Fault(
        "what a worker found is put where the next chunk begins",
        ELSEWHERE,
        "            out.sets[first:stop] = found.sets\n",
        "            out.sets[len(out.sets) - (stop - first) :] = found.sets\n",
    ),
    Fault(
        "questions that workers could not support are not counted",
        ELSEWHERE,
        "        questions.unsupported[:] += self._ask(errands, radius, watch, put)\n",
        "        self._ask(errands, radius, watch, put)\n",
    ),
    Fault(
        "workers do not know what was learned given nothing",
        ELSEWHERE,
        "        radius = Radius(questions.known_strength(), sets)\n",
        "        radius = Radius(np.zeros_like(questions.known_strength()), sets)\n",
    ),
    Fault(
        "a chunk that was lost is not sent again",
        ELSEWHERE,
        "                        to_send.append(number)\n",
        "",
    ),
    Fault(
        "a chunk is sent again only once",
        ELSEWHERE,
        "                        tries[number] += 1\n",
        "                        tries[number] += 3\n",
    ),
    Fault(
        "an exception of the user's function is taken for a broken line",
        ERRAND,
        "    except Exception as error:\n        return Raised.by(error)\n",
        "    except Exception:\n        raise\n",
    ),
    Fault(
        "a worker does not see the time limit",
        ERRAND,
        "        if time.monotonic() >= deadline:\n",
        "        if time.monotonic() >= deadline + 1000:\n",
    ),
    Fault(
        "a line of questions is asked to its end",
        ERRAND,
        "                if answer.independent:\n                    break\n",
        "",
    ),
    Fault(
        "a question asked ahead that the data do not support is not counted",
        INQUIRY,
        "        if not supported:\n",
        "        if False:\n",
    ),
    Fault(
        "an executor that is gone counts as an interruption",
        DISCOVERY,
        '            stopped = "executor"\n',
        '            stopped = "interrupt"\n',
    ),
    # -- rows past the memory
    Fault(
        "counts: weights of the same configuration are not added",
        DATA + "_merging_cy.py",
        "            if side >= 0:\n",
        "            if side > 0:\n",
    ),
    Fault(
        "counts: configurations are compared by their first word",
        DATA + "_merging_cy.py",
        "    for w in range(words.shape[1]):\n        if words[i, w] != other_words[j, w]:",
        "    for w in range(1):\n        if words[i, w] != other_words[j, w]:",
    ),
    Fault(
        "counts: what is on a file is forgotten",
        DATA + "segments.py",
        "            kept.append(segment)\n",
        "            pass\n",
    ),
    Fault(
        "counts: the last run of equal rows is a row short",
        DATA + "segments.py",
        "np.diff(starts, append=len(ordered))",
        "np.diff(starts, append=len(ordered) - 1)",
    ),
    Fault(
        "counts: levels of the second part keep their codes",
        DATA + "counts.py",
        "(part if part.levels == levels else part._recoded(",
        "(part if part is other else part._recoded(",
    ),
    Fault(
        "packing: a code runs over the end of a word",
        DATA + "packing.py",
        "if used + bits > 64:",
        "if used + bits > 66:",
    ),
    Fault(
        "deviations: third powers add up without the means",
        DATA + "deviations.py",
        " + 3 * gap * (m * b2 - n * a2) / count\n",
        "\n",
    ),
    Fault(
        "a part may call a column discrete that another calls continuous",
        DATA + "summary.py",
        "levels = None if self.levels is None or other.levels is None else self.levels | other.levels",
        "levels = (self.levels or frozenset()) | (other.levels or frozenset())",
    ),
    Fault(
        "eleven levels in two parts are discrete",
        DATA + "summary.py",
        "self.wanted is None and len(levels) > MOST_LEVELS:",
        "self.wanted is None and len(levels) > 99:",
    ),
    Fault(
        "a level that was not there was 1",
        DATA + "summary.py",
        "mean, comoments = np.zeros(len(keys)), np.zeros((len(keys), len(keys)))",
        "mean, comoments = np.ones(len(keys)), np.zeros((len(keys), len(keys)))",
    ),
    Fault(
        "the kind of a column is that of complete rows",
        DATA + "summary.py",
        "rows = batch.rows - dropped\n",
        "rows = batch.rows\n",
    ),
    Fault(
        "the fingerprint of a stream hangs on its cut",
        DATA + "summary.py",
        "contents = (parts[0].content + parts[1].content) % MODULUS",
        "contents = (3 * parts[0].content + parts[1].content) % MODULUS",
    ),
    Fault(
        "sums of a batch without the rest of the mean",
        DATA + "sums.py",
        "products -= np.outer(first, rest)",
        "products -= 0 * np.outer(first, rest)",
    ),
    Fault(
        "sums of a batch leave out every fourth row",
        DATA + "_sums_cy.py",
        "c * block[r + 2, j] + d * block[r + 3, j]",
        "c * block[r + 2, j]",
    ),
    Fault(
        "rows that a block does not have keep those of the block before",
        DATA + "_sums_cy.py",
        "            block[r, v] = 0.0\n",
        "            pass\n",
    ),
    Fault(
        "a number with levels is a step away from the smallest",
        DATA + "summary.py",
        "float(numbers[code] - numbers[usual])",
        "float(numbers[code] - numbers[0])",
    ),
    Fault(
        "the most frequent level has the sign of the others",
        DATA + "summary.py",
        "dict.fromkeys(others.values(), -1.0)",
        "dict.fromkeys(others.values(), 1.0)",
    ),
    Fault(
        "whole numbers may be a byte too far apart",
        DATA + "_steps_cy.py",
        "not high - low < GAP",
        "not high - low <= GAP",
    ),
    Fault(
        "a gap is a step",
        DATA + "_steps_cy.py",
        "steps[i] = GAP if values[i] != values[i] else ",
        "steps[i] = 0 if values[i] != values[i] else ",
    ),
    Fault(
        "words that are cleaned alike are two levels",
        DATA + "kinds.py",
        "(words if cleaned is None else cleaned(words))",
        "words",
    ),
    Fault(
        "a mark read as text is not read again",
        DATA + "delimited.py",
        "again |= numbers is None",
        "again |= False",
    ),
    Fault(
        "a parser that loses rows is believed",
        DATA + "delimited.py",
        "if frame.height != block.rows:",
        "if frame.height > block.rows:",
    ),
    Fault(
        "text after a quotation mark that closes is let pass",
        DATA + "_records_cy.py",
        "wrong |= after & valid & ~(cuts | feeds | returns | marks)",
        "wrong |= 0",
    ),
    Fault(
        "a quotation mark may open anywhere",
        DATA + "_records_cy.py",
        "wrong |= opening & ~(((cuts | feeds | marks) << 1) | may_open)",
        "wrong |= 0",
    ),
    Fault(
        "a carriage return at the end of a word is forgotten",
        DATA + "_records_cy.py",
        "must_feed = returns >> 63",
        "must_feed = 0",
    ),
    Fault(
        "the separators of the record before count",
        DATA + "_records_cy.py",
        "                cuts &= ~below\n",
        "",
    ),
    Fault(
        "blank lines are not left out",
        DATA + "records.py",
        "return bool(record.blank) and self.width > 1",
        "return False",
    ),
    Fault(
        "the decimal mark of the first rows is that of the file",
        DATA + "delimited.py",
        "        if decimal == self.decimal:\n            return",
        "        return",
    ),
    Fault(
        "a pipe is taken for a file",
        DATA + "paths.py",
        '(stat.S_ISFIFO, "a named pipe"),',
        "",
    ),
    Fault(
        "reading does not look at the clock",
        DATA + "deadline.py",
        "if limit is not None and time.monotonic() >=",
        "if limit is None and time.monotonic() >=",
    ),
    Fault(
        "tiny values are let pass",
        DATA + "deviations.py",
        "return self.square < SMALLEST and",
        "return False and",
    ),
    Fault(
        "configurations count as one row each",
        SRC + "independence/_configurations_cy.py",
        "+= cython.cast(cython.int, self.weights[i])",
        "+= 1",
    ),
]


def planted(copy: Path, fault: Fault) -> bool:
    """Make the changes; False if a text to be changed does not stand in its file exactly once."""
    for name, old, new in fault.changes:
        text = (copy / name).read_text(encoding="utf-8")
        if text.count(old) != 1:
            return False
        (copy / name).write_text(text.replace(old, new), encoding="utf-8")
    return True


def suite(fault: Fault, caught_by: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The files of the suite: those that are likeliest to notice, and the others."""
    parts = Path(fault.file).relative_to(SRC).with_suffix("").parts
    words = set(re.findall("[a-z]+", f"{parts[-1]} {fault.what.partition(':')[0] if ':' in fault.what else ''}"))
    if "bootstrap" in words:
        words |= {"resample", "resampling"}
    rooms = {parts[0], "kernels"} if parts[-1].endswith("_cy") else {parts[0]}

    def rank(file: Path) -> int:
        if f"{file}" == caught_by.get(fault.what):
            return 0
        return 1 if words & set(file.stem.removeprefix("test_").split("_")) else 2 if file.parent.name in rooms else 3

    found = [file for part in SUITE for file in sorted((ROOT / part).glob("test_*.py")) or [ROOT / part]]
    ranked = sorted((file.relative_to(ROOT) for file in found), key=rank)
    return [f"{file}" for file in ranked if rank(file) < 2], [f"{file}" for file in ranked if rank(file) >= 2]


def recorded() -> dict[str, str]:
    """The verdict on each fault that stands on the page."""
    lines = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    found = (re.match(r"\| (.*) \| `.*` \| (.*) \|$", line) for line in lines)
    return {match[1]: match[2] for match in found if match and match[2] != WAITING}


def caught_before() -> dict[str, str]:
    """The file with the test that caught each fault the last time."""
    found = {what: re.match(r"caught by `([^:]*\.py)::", said) for what, said in recorded().items()}
    return {what: match[1] for what, match in found.items() if match}


def run(copy: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run in the copy, with the copy's sources and nothing else in the way."""
    environment = os.environ | {
        "PYTHONPATH": str(copy / "src"),
        "ANCESTRAL_REQUIRE_COMPILED": "1",
        "ANCESTRAL_QUICK": "1",
    }
    with subprocess.Popen(
        command,
        cwd=copy,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with all that it started
            out, errors = process.communicate()
            out += f"\nFAILED to end in {PATIENCE} s\n"
    return subprocess.CompletedProcess(command, process.returncode, out, errors)


def verdict(copy: Path, fault: Fault, caught_by: Mapping[str, str]) -> str:
    """'caught by <test>', or what went wrong."""
    files = [copy / name for name, _, _ in fault.changes]
    original = [file.read_text(encoding="utf-8") for file in files]
    try:
        if not planted(copy, fault):
            return "NOT PLANTED: its text is not in the file exactly once"
        built = run(copy, sys.executable, "setup.py", "-q", "build_ext", "--inplace")
        if built.returncode:
            return "DOES NOT COMPILE: " + built.stderr.strip().splitlines()[-1]
        for tests in filter(None, suite(fault, caught_by)):  # to look through all tests takes longer than to run some
            done = run(copy, sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests)
            if done.returncode:
                failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
                said = failed[0].split(" - ")[0].split(" ", 1)[1] if failed else done.stdout[-200:]
                return f"caught by `{said}`"
        return "SURVIVED"
    finally:
        for file, text in zip(files, original, strict=True):
            file.write_text(text, encoding="utf-8")


def prepared(folder: Path) -> Path:
    """A copy of the repository, compiled."""
    ignored = shutil.ignore_patterns(".git", ".venv", "build", ".*_cache", "__pycache__")
    copy = Path(shutil.copytree(ROOT, folder, ignore=ignored))
    run(copy, sys.executable, "setup.py", "-q", "build_ext", "--inplace")
    return copy


def verdicts(faults: list[Fault], jobs: int) -> list[tuple[Fault, str]]:
    """The verdict on each fault; as many at a time as there are jobs, each in a copy of its own."""
    start = time.perf_counter()
    caught_by = caught_before()
    turn = Lock()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(jobs) as pool:
        copies: Queue[Path] = Queue()
        for copy in pool.map(prepared, [Path(scratch) / f"copy{i}" for i in range(jobs)]):
            copies.put(copy)

        def one(fault: Fault) -> str:
            copy = copies.get()
            try:
                said = verdict(copy, fault, caught_by)
            finally:
                copies.put(copy)
            with turn:  # what is known is kept if the rest is given up
                write_page({fault.what: said})
                print(f"{time.perf_counter() - start:6.0f} s  {fault.what}: {said}", flush=True)
            return said

        return list(zip(faults, pool.map(one, faults), strict=True))


def write_page(verdicts: Mapping[str, str]) -> None:
    """Write down these verdicts, and of the other faults those that stand there already."""
    known = {**recorded(), **verdicts}
    said = {fault.what: known.get(fault.what, WAITING) for fault in FAULTS}
    caught = sum(verdict.startswith("caught") for verdict in said.values())
    waiting = sum(verdict == WAITING for verdict in said.values())
    page = [
        "# Planted faults",
        "",
        "`make faults` makes each of these changes in a copy of the sources and runs the suite there; "
        "`python tests/faults.py --only WORD` does it for some of them.",
        "",
        f"{caught} of {len(FAULTS)} caught, {waiting} not run yet.",
        "",
        "| fault | file | verdict |",
        "| --- | --- | --- |",
        *(f"| {fault.what} | `{fault.file.removeprefix(SRC)}` | {said[fault.what]} |" for fault in FAULTS),
        "",
    ]
    PAGE.write_text("\n".join(page), encoding="utf-8")


def main() -> int:
    """Plant all faults; 0 if each was caught."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[""], help="only faults whose description or file contains this")
    parser.add_argument("--waiting", action="store_true", help="only faults that have no verdict on the page yet")
    parser.add_argument("--jobs", type=int, default=2, help="how many faults at a time")
    options = parser.parse_args()
    # what runs in the background ignores Ctrl-C, and its children would, too, where tests want to see what it does
    signal.signal(signal.SIGINT, signal.default_int_handler)
    chosen = [fault for fault in FAULTS if any(word in fault.what + fault.file for word in options.only)]
    if options.waiting:
        chosen = [fault for fault in chosen if fault.what not in recorded()]
    rows = verdicts(chosen, options.jobs)
    bad = [row for row in rows if not row[1].startswith("caught")]
    print(f"{len(rows) - len(bad)} of {len(rows)} faults caught")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
