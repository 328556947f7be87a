"""`ancestral demo`: a small example with a hidden cause and a selected sample, from data to report."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["EXAMPLES", "demo"]

EXAMPLES = """Examples:

ancestral demo

ancestral demo --report story.html

ancestral demo --data answers.csv
"""

DAG_TEXT = """
motivation --> diet, motivation --> sport
age --> diet, region --> sport, age --> answers, region --> answers
diet --> weight, sport --> weight, weight --> pressure
latent: motivation
selection: answers
"""

BEGINNING = """A study asks what lowers blood pressure. What it does not see: motivation drives both diet and sport. And
only people who answer the letter are in the sample: age and region decide who does. The whole truth, which the
scientists do not know:"""

SEARCH = """{rows:,} answers come back, with the columns {columns}. That only some people answer is known, so the search
is told to allow for it (--selection-bias), and ICD is chosen. It asks which of the columns are independent, given
some others, with small sets first; if every answer is right, the graph after every radius is true:"""

COMPARED = """Observations alone cannot tell age --> diet from a hidden cause of both; so the estimate is compared with
what can be learned of the truth at best:"""

SEE = """The same as a page, with the graph as a picture that grows stage by stage; click an edge to read why it is
there. One file, no network needed:

    {report}"""

NEXT = """Now with a file of your own, csv or parquet, a row for each case and a column for each variable:

    ancestral discover study.csv --save run.json --report run.html
    ancestral why run.json diet sport

If your sample may have been selected, as this one was, add --selection-bias; a search of numbers assumes otherwise that
it was not. ancestral discover --help lists the options for columns, missing values, tests and time."""


def demo(
    rows: Annotated[int, typer.Option(help="The number of rows that are simulated.")] = 5000,
    seed: Annotated[int, typer.Option(help="Another seed gives other data; a mark or two may then differ.")] = 7,
    report: Annotated[Path, typer.Option(help="The file for the report.")] = Path("ancestral-demo.html"),
    data: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the rows into a new file, too, to search them yourself."),
    ] = None,
) -> None:
    """Tell a small story: simulate data, learn a graph, compare it with the truth, ask it why, write a report."""
    from io import StringIO

    from rich.console import Console

    import ancestral as an
    from ancestral.cli.output import print_result
    from ancestral.cli.places import check_new, check_places
    from ancestral.cli.simulate import writer_for
    from ancestral.io.files import write_atomically
    from ancestral.show.report import check_report

    page = StringIO()
    here = Console()
    console = Console(
        file=page,
        highlight=False,
        markup=False,
        emoji=False,
        force_terminal=here.is_terminal,
        no_color=here.no_color,
        width=min(here.width, 120) if here.is_terminal else 120,
    )

    def tell(text: str) -> None:
        console.print(text if "\n\n" in text else " ".join(text.split()), soft_wrap="\n\n" in text)
        console.print()

    def title(text: str) -> None:
        console.print(text, style="bold")
        console.print()

    def show(thing: object) -> None:
        for line in str(thing).splitlines():
            console.print(f"    {line}".rstrip(), style="cyan", soft_wrap=True)
        console.print()

    check_places(writes={"--report": report, "--data": data}, reads={})
    check_new("--data", data, holds="data of yours")
    write = None if data is None else writer_for(data)
    check_report(report, "report")
    dag = an.DAG.parse(DAG_TEXT)
    answers = an.simulate.linear_gaussian(dag, rows=rows, seed=seed)
    if data is not None and write is not None:
        write_atomically(data, write(answers))
    found = an.discover(answers, selection_bias=True, progress=False)

    title("The truth")
    tell(BEGINNING)
    show(dag)
    title("The search")
    tell(SEARCH.format(rows=rows, columns=", ".join(answers.columns)))
    show(found)
    title("How good is it?")
    tell(COMPARED)
    show(an.compare(found, dag))
    title("Why does it say that neither of diet and sport causes the other?")
    show(found.why("diet", "sport"))
    title("Does diet change the pressure? Does age change the diet?")
    show("\n".join(f"{a} causes {b}: {x} ({x.reason})" for a, b in _QUESTIONS for x in [found.causes(a, b)]))
    found.report(report)
    title("See it")
    tell(SEE.format(report=report))
    title("Your turn")
    tell(NEXT)
    print_result("\n".join(line.rstrip() for line in page.getvalue().rstrip("\n").split("\n")), styled=True)


_QUESTIONS = (("diet", "pressure"), ("age", "diet"))
