"""Our graphs in DoWhy, and its estimates beside ours: `python -m tests.checks.dowhy_effects`.

DoWhy brings many packages with it, so the tests do not install it: install it beside this package, run this module,
and put what it prints into docs/users-of/dowhy.md. An estimate that differs ends the check.
"""

import logging
import sys
import warnings
from importlib.metadata import version

import networkx as nx
import numpy as np
import pandas as pd

import ancestral as an

DAG = an.DAG.parse(
    "age -> diet, u -> diet, u -> sport, region -> sport, diet -> weight, age -> weight, weight -> pressure",
    latent=["u"],
)
PAIRS = [("diet", "weight"), ("age", "weight"), ("diet", "pressure"), ("region", "sport")]


def forms(dag: an.DAG) -> dict[str, object]:
    """A DAG in each form in which DoWhy takes graphs."""
    graph = an.to_dowhy(dag)
    return {"networkx": graph, "GML": "\n".join(nx.generate_gml(graph)), "DOT": an.to_dot(dag)}


def estimate(rows: pd.DataFrame, x: str, y: str, graph: object) -> tuple[float, float, list[str]]:
    """DoWhy's effect of x on y by linear regression, its standard error, and what it adjusts for."""
    from dowhy import CausalModel

    model = CausalModel(rows, x, y, graph=graph)
    found = model.identify_effect()
    effect = model.estimate_effect(found, method_name="backdoor.linear_regression")
    return float(effect.value), float(np.ravel(effect.get_standard_error())[0]), sorted(found.get_backdoor_variables())


def main() -> int:
    """Print a table of effects; the result is 1 if one of them differs from ours."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    rows = an.simulate.linear_gaussian(DAG, rows=5000, seed=1).to_pandas()
    found = an.discover(rows, selection_bias=False)
    differ = 0
    print(f"DoWhy {version('dowhy')}, networkx {version('networkx')}, {len(rows):,} rows\n")
    print("| effect | ours, by the learned graph | adjusted for | DoWhy, by the true DAG | adjusted for | same in |")
    print("| --- | --- | --- | --- | --- | --- |")
    for x, y in PAIRS:
        adjustment = found.adjustment_set(x, y)
        theirs = {form: estimate(rows, x, y, graph) for form, graph in forms(DAG).items()}
        value, error, adjusted = theirs["networkx"]
        differ += sum(other != theirs["networkx"] for other in theirs.values())
        if adjustment.exists:
            effect = found.effect(x, y)
            ours = f"{effect.estimate:.3f} ± {effect.error:.3f}"
            differ += abs(effect.estimate - value) > 3 * (effect.error**2 + error**2) ** 0.5
            sets = ", ".join(sorted(adjustment.best or ())) or "nothing"
        else:
            ours, sets = "not identified", "–"
        print(
            f"| {x} on {y} | {ours} | {sets} | {value:.3f} ± {error:.3f} | {', '.join(adjusted) or 'nothing'} | "
            f"{', '.join(theirs)} |"
        )
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
