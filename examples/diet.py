"""A small story: a hidden common cause, a selected sample, and what can still be known. Run by `make demo`."""

import ancestral as an
from ancestral.show import LEGEND

BEGINNING = """
A study asks what lowers blood pressure. What the scientists do not see: motivation drives both diet and sport. And only
people who answer the letter are in the sample: age and region decide who does. The whole truth, as a graph of causes:
"""

SEARCH = """
Nobody hands the scientists this graph. They can only ask: are two variables independent, given some others? ICD asks
with small sets first, and after every radius has a graph that is true. Here an oracle answers (with data, a test
would):
"""

ANSWER = """
What it found, and it is the most that anybody can find without experiments:
"""

MEANING = """
Each end of an edge has a mark. An arrowhead says: not a cause of the other. A tail says: a cause. A circle: it is open.
"""


def indented(text: object) -> str:
    """Moved to the right."""
    return "\n".join(f"    {line}" for line in str(text).splitlines())


def main() -> None:
    """Tell the story."""
    dag = an.DAG.parse(
        """
        motivation -> diet, motivation -> sport
        age -> diet, region -> sport, age -> answers, region -> answers
        diet -> weight, sport -> weight, weight -> pressure
        """,
        latent=["motivation"],
        selection=["answers"],
    )
    print(BEGINNING, indented(dag), SEARCH, sep="\n")
    for stage in an.stages(an.Oracle(dag)):
        edges = stage.pag.edges()
        print(
            f"    radius {stage.radius}: {stage.tests[stage.radius]:2} questions, {len(edges):2} edges left"
            + (", complete" if stage.complete else "")
        )
    found = an.discover(an.Oracle(dag))
    print(ANSWER, indented(found.pag), MEANING, sep="\n")
    for edge, meaning in LEGEND.items():
        if any(kind == edge for _, kind, _ in found.pag.edges()):
            print(f"    a {edge} b   {meaning}")
    print("\nWhy is there no edge between age and weight?\n")
    print(indented(found.why("age", "weight")))
    print("\nWhy does the graph say that sport does not cause diet, nor diet sport?\n")
    print(indented(found.why("diet", "sport")))
    print("\nDoes diet lower blood pressure? Does age change the diet?\n")
    for a, b in (("diet", "pressure"), ("age", "diet")):
        answer = found.causes(a, b)
        print(f"    {a} causes {b}: {answer} ({answer.reason})")
    same = "the same" if found.pag == an.pag_of(dag) else "NOT the same"
    print(f"\nThe graph computed from the truth itself, without any search, is {same}.")


if __name__ == "__main__":
    main()
