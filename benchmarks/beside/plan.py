"""What is compared: the data sets by the law that draws them, and the searches that see each of them.

The seeds begin at 770,000; no method or option of this package was chosen on such a seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

import ancestral as an
from ancestral.classes.equivalence import cpdag_of
from ancestral.graphs.marks import ARROW, CIRCLE, TAIL
from benchmarks.accuracy import KINDS
from benchmarks.beside.scores import Truth
from benchmarks.beside.worker import Rows
from benchmarks.designs import DESIGNS, Model

FIRST_SEED = 770_000

#: CPU seconds after which a search is stopped.
PATIENCE = 10.0


@dataclass(frozen=True)
class Method:
    """A search of a program, what it is called on the page, and what its graph is: a PAG, a CPDAG or a DAG."""

    program: str
    search: str
    label: str
    aims: str = "PAG"

    @property
    def ours(self) -> bool:
        """Whether it is a search of this package."""
        return self.program == "ancestral"


def _ours(search: str, label: str, aims: str = "PAG") -> Method:
    return Method("ancestral", search, label, aims)


def _theirs(program: str, search: str, label: str, aims: str = "PAG") -> Method:
    return Method(program, search, f"{label} ({program})", aims)


DEFAULT = _ours("discover", "`discover(data)`, its default")
SCORED = _ours("scored", '`algorithm="scored"`')
BOSS = _ours("boss", '`algorithm="boss"`', "CPDAG")
PC = _ours("pc", '`algorithm="pc"`', "CPDAG")
FCI = _ours("fci", '`algorithm="fci"`')
ICD = _ours("icd", '`algorithm="icd"`')
HYBRIDS = tuple(_ours(name, f'`algorithm="{name}"`') for name in ("rfci", "gfci", "boss-fci"))
REGRESSION, BASIS, KERNEL = (
    _ours(f"icd {test}", f'`algorithm="icd"`, `test="{test}"`') for test in ("regression", "basis", "kernel")
)
PC_KERNEL = _ours("pc kernel", '`algorithm="pc"`, `test="kernel"`', "CPDAG")

CL = "causal-learn"
THEIR_FCI, THEIR_PC = _theirs(CL, "fci fisherz", "FCI"), _theirs(CL, "pc fisherz", "PC", "CPDAG")
THEIR_BOSS = _theirs(CL, "boss", "BOSS", "CPDAG")
THEIR_GES = _theirs(CL, "ges", "GES", "CPDAG")
GRASP = _theirs(CL, "grasp", "GRaSP", "CPDAG")
AT_05 = (
    _theirs(CL, "fci fisherz .05", "FCI, alpha = 0.05, its default"),
    _theirs(CL, "pc fisherz .05", "PC, alpha = 0.05, its default", "CPDAG"),
)
LABELS_FCI, LABELS_PC = _theirs(CL, "fci gsq", "FCI, G test"), _theirs(CL, "pc gsq", "PC, G test", "CPDAG")
KCI_FCI, KCI_PC = _theirs(CL, "fci kci", "FCI, KCI"), _theirs(CL, "pc kci", "PC, KCI", "CPDAG")
PGMPY_PC = _theirs("pgmpy", "pc pearsonr", "PC", "CPDAG")
PGMPY_GES = _theirs("pgmpy", "ges", "GES", "CPDAG")
PGMPY_LABELS = _theirs("pgmpy", "pc chi_square", "PC, chi-square", "CPDAG")
PGMPY_MIXED = _theirs("pgmpy", "pc pillai", "PC, Pillai's trace", "CPDAG")
LINGAM = _theirs("lingam", "DirectLiNGAM", "DirectLiNGAM", "DAG")
RCD = _theirs("lingam", "RCD", "RCD", "ADMG")

#: The searches for each kind of data; the first is what a user of this package begins with.
METHODS: dict[str, tuple[Method, ...]] = {
    "gaussian": (
        DEFAULT, ICD, FCI, *HYBRIDS, PC, BOSS,
        THEIR_FCI, THEIR_PC, *AT_05, THEIR_BOSS, THEIR_GES, GRASP, PGMPY_PC, PGMPY_GES,
    ),
    "uniform noise": (DEFAULT, ICD, BOSS, THEIR_FCI, THEIR_BOSS, LINGAM, RCD),
    "discrete, 3 levels": (
        DEFAULT, SCORED, FCI, PC, BOSS,
        LABELS_FCI, LABELS_PC, _theirs(CL, "fci gsq .05", "FCI, G test, alpha = 0.05, its default"),
        _theirs(CL, "ges BDeu", "GES, BDeu", "CPDAG"), _theirs(CL, "boss BDeu", "BOSS, BDeu", "CPDAG"),
        _theirs("pyagrum", "miic", "MIIC", "MIIC"), PGMPY_LABELS, PGMPY_GES,
    ),
    "mixed, 3 levels": (
        DEFAULT, ICD, REGRESSION, FCI,
        _theirs(CL, "fci fisherz", "FCI, labels read as numbers"), PGMPY_MIXED, PGMPY_GES,
    ),
    "curves": (
        DEFAULT, ICD, BASIS, KERNEL, PC_KERNEL,
        THEIR_FCI, KCI_FCI, KCI_PC, _theirs(CL, "fci rcit", "FCI, RCIT"), _theirs("lingam", "CAM-UV", "CAM-UV", "ADMG"),
    ),
}  # fmt: skip

#: The same algorithm in two programs: ours and theirs.
SAME = (
    (FCI, THEIR_FCI),
    (PC, THEIR_PC),
    (PC, PGMPY_PC),
    (BOSS, THEIR_BOSS),
    (FCI, LABELS_FCI),
    (PC, LABELS_PC),
    (PC, PGMPY_LABELS),
    (PC_KERNEL, KCI_PC),
)

#: What the laws are, as the page says it.
LAWS = {
    "paper": "random DAGs of mean degree 2; of the parentless nodes with two children half are latent "
    "(the law of the ICD paper, rho = 2)",
    "bidir": "random graphs of mean degree 2, in which latent causes of the two ends take the place of 70 % of edges",
    "nothing latent": "random DAGs of mean degree 2, all nodes observed",
    "nothing latent, dense": "random DAGs of mean degree 4, all nodes observed",
}


@dataclass(frozen=True)
class Cell:
    """Data sets of one law, kind and size."""

    law: str
    kind: str
    nodes: int
    rows: int
    graphs: int

    @property
    def name(self) -> str:
        """What the cell is called."""
        return f"{self.law}, {self.kind}, {self.nodes} nodes, {self.rows:,} rows"

    @property
    def folder(self) -> str:
        """What the cell is called in files."""
        return self.name.replace(", ", "-").replace(",", "").replace(" ", "_")

    @property
    def seeds(self) -> range:
        """The seeds of its data sets."""
        return range(FIRST_SEED, FIRST_SEED + self.graphs)

    @property
    def family(self) -> tuple[str, str, int]:
        """What cells that differ in size alone have in common."""
        return self.law, self.kind, self.rows

    @cached_property
    def reference(self) -> Method:
        """Our search that others are compared with: the default, or BOSS where it is known that nothing is latent."""
        return BOSS if self.law.startswith("nothing latent") else METHODS[self.kind][0]

    def draw(self, seed: int) -> tuple[Rows, Truth]:
        """The rows of a data set, and the truth about it."""
        model = self._model(seed)
        dag = model.dag
        if self.kind == "curves":
            frame = an.simulate.nonlinear(dag, rows=self.rows, seed=seed)
        else:
            frame = KINDS[self.kind](model, self.rows, seed)
        return coded(frame.select(dag.observed)), truth_of(dag, model.truth)

    def _model(self, seed: int) -> Model:
        if self.law in DESIGNS:
            return DESIGNS[self.law](self.nodes, seed)
        rng = np.random.default_rng(seed)
        dag = an.simulate.random_dag(self.nodes, 4 if "dense" in self.law else 2, seed=rng, latent=0)
        return Model(an.simulate.gaussian_model(_shuffled(dag, rng), seed=rng))


def _shuffled(dag: an.DAG, rng: np.random.Generator) -> an.DAG:
    """The DAG with its columns in a random order."""
    order = rng.permutation(dag.nodes).tolist()
    return an.DAG(order, dag.arranged(order))


def coded(frame: pl.DataFrame) -> Rows:
    """The values of a frame as numbers; labels, which are all that is no float, are numbered in order."""
    labels = tuple(i for i, name in enumerate(frame.columns) if not frame[name].dtype.is_float())
    columns = [
        np.unique(frame[name].to_numpy(), return_inverse=True)[1] if i in labels else frame[name].to_numpy()
        for i, name in enumerate(frame.columns)
    ]
    return Rows(np.column_stack(columns).astype(np.float64), labels)


def truth_of(dag: an.DAG, pag: an.PAG) -> Truth:
    """The graphs that can be learned of a DAG, in the order of its observed nodes, and who causes whom in it."""
    where = [dag.index(name) for name in dag.observed]
    arrows = np.asarray(dag.marks == ARROW)
    causes = arrows.copy()
    for middle in range(len(causes)):
        causes |= np.outer(causes[:, middle], causes[middle])
    graphs = {"PAG": pag.arranged(dag.observed)}
    if not dag.latent:
        cpdag = cpdag_of(dag).arranged(dag.observed)
        undirected = (cpdag == TAIL) & (cpdag.T == TAIL)
        graphs["CPDAG"] = np.where(undirected, CIRCLE, cpdag)
        graphs["DAG"] = dag.marks[np.ix_(where, where)]
    return Truth(graphs, causes[np.ix_(where, where)])


def cells() -> Iterator[Cell]:
    """All cells, small ones of a family first."""
    for nodes, graphs in ((10, 10), (20, 10), (35, 5), (70, 3)):
        yield Cell("paper", "gaussian", nodes, 2000, graphs)
    for nodes, graphs in ((10, 10), (20, 10)):
        yield Cell("paper", "gaussian", nodes, 500, graphs)
    for nodes, graphs in ((10, 10), (20, 10), (35, 5)):
        yield Cell("bidir", "gaussian", nodes, 2000, graphs)
    for nodes, graphs in ((10, 10), (20, 10), (35, 5)):
        yield Cell("nothing latent", "gaussian", nodes, 2000, graphs)
    yield Cell("nothing latent", "gaussian", 20, 500, 10)
    yield Cell("nothing latent, dense", "gaussian", 15, 2000, 5)
    yield Cell("nothing latent", "uniform noise", 10, 2000, 10)
    yield Cell("paper", "uniform noise", 10, 2000, 10)
    for nodes in (10, 20):
        yield Cell("paper", "discrete, 3 levels", nodes, 2000, 5)
    yield Cell("paper", "mixed, 3 levels", 10, 500, 5)
    yield Cell("paper", "mixed, 3 levels", 10, 2000, 5)
    yield Cell("paper", "curves", 8, 300, 3)
