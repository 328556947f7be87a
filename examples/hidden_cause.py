"""A small story: a hidden common cause, a selected sample, and what can still be known. Run by `make demo`."""

import ancestral as an
from ancestral.show import LEGEND, edge_in_words

STORY = """
A study asks what lowers blood pressure. What the scientists do not see: motivation drives both diet and sport. And only
people who answer the letter are in the sample: age and region decide who does.

The whole truth, a DAG in which motivation is latent and answering is selection:
"""

MAG_TEXT = """
What of this can be seen in the measured variables at all is its MAG, the maximal ancestral graph. An arrowhead at a
variable says that it does not cause the other end; a tail says that it does (or that it causes the selection):
"""

PAG_TEXT = """
Different truths leave the same traces in data. What all of them share is the PAG, the partial ancestral graph; a circle
is a mark on which they differ. This is the most that any method can find out without experiments:
"""


def indented(graph: object) -> str:
    """The graph's text, moved to the right."""
    return "\n".join(f"    {line}" for line in str(graph).splitlines())


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
    mag, pag = an.mag_of(dag), an.pag_of(dag)
    print(STORY.strip(), indented(dag), sep="\n\n")
    print(MAG_TEXT, indented(mag), sep="\n")
    print(PAG_TEXT, indented(pag), sep="\n")
    print("\nThe edges in words:\n")
    for edge, meaning in LEGEND.items():
        if any(kind == edge for _, kind, _ in pag.edges()):
            print(f"    a {edge} b   {meaning}")
    print("\nAnd each mark that is certain:\n")
    for a, edge, b in pag.edges():
        said = edge_in_words(a, edge, b)
        print(f"    {a} {edge} {b}: {'; '.join(said) if said else 'nothing more is known than that they depend'}")
    apart = "independent" if an.is_separated(dag, "diet", "pressure", given={"weight"}) else "dependent"
    print(f"\nThe same graph tells what to expect of data: given weight, diet and pressure are {apart}.")


if __name__ == "__main__":
    main()
