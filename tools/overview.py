"""Draw the picture that explains all, docs/pictures/overview.svg: a table, questions, the graph, reasons and doubts.

Every word and number in it is what the package says of the rows of README.md:

    python -m tools.overview --out docs/pictures
"""

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

import polars as pl

import ancestral as an
from ancestral.show.picture import picture
from ancestral.show.svg import FONTS, svg

#: The study of README.md.
DAG_TEXT = "age -> diet, motivation -> diet, motivation -> sport, region -> sport, diet -> weight"
#: The size of the picture, in pixels.
WIDTH, HEIGHT = 1240, 640

INK, SOFT, EDGE, PANEL, CARD, ACCENT, RIGHT = (
    "#1f2937",
    "#5b6675",
    "#cbd5e1",
    "#f8fafc",
    "#ffffff",
    "#1d4ed8",
    "#15803d",
)
MONO = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"

#: Where the nodes stand, in the units of the graph, and how it is placed and scaled in the picture.
PLACES = {"age": (0, 0), "diet": (150, 0), "weight": (300, 0), "region": (0, 150), "sport": (150, 150)}
LEFT, TOP, SCALE = 402.0, 205.0, 1.2


def found_in_the_study() -> tuple[pl.DataFrame, an.Discovery]:
    """The rows of the study, and what is found in them."""
    rows = an.simulate.linear_gaussian(an.DAG.parse(DAG_TEXT, latent=["motivation"]), rows=5000, seed=1)
    return rows, an.discover(rows, progress=False)


def words(x: float, y: float, lines: Iterable[str], *, size: float = 14, ink: str = INK, more: str = "") -> str:
    """Lines of text below each other, the first with its base line at y."""
    return "".join(
        f'<text x="{x:g}" y="{y + i * size * 1.42:g}" font-size="{size:g}" fill="{ink}" {more}>{escape(line)}</text>'
        for i, line in enumerate(lines)
    )


def card(x: float, y: float, width: float, height: float) -> str:
    """A white box."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="10" fill="{CARD}" stroke="{EDGE}" '
        'stroke-width="1.2"/>'
    )


def heading(x: float, y: float, number: int, title: str) -> str:
    """The number and the title of a step, beside each other."""
    return (
        f'<circle cx="{x + 14:g}" cy="{y:g}" r="14" fill="{ACCENT}"/>'
        + words(x + 14, y + 5, [str(number)], size=15, ink="#ffffff", more='font-weight="700" text-anchor="middle"')
        + words(x + 38, y + 6, [title], size=18, more='font-weight="600"')
    )


def arrow(x: float, y: float) -> str:
    """A wide arrow to the next step."""
    return f'<path d="M{x:g} {y - 8:g}h14v-8l16 16-16 16v-8h-14z" fill="{EDGE}"/>'


def table(rows: pl.DataFrame) -> str:
    """The first rows, and how many there are."""
    out = [card(28, 76, 312, 182), words(44, 102, ["study.csv"], size=13, ink=SOFT, more=f'font-family="{MONO}"')]
    right = 'text-anchor="end"'
    for j, name in enumerate(rows.columns):
        x = 92 + j * 58
        out.append(words(x, 130, [name], size=13, more=f'{right} font-weight="600"'))
        values = [f"{value:.2f}".replace("-", "−") for value in rows[name][:4]]
        out.append(words(x, 154, values, size=13, ink=SOFT, more=f'{right} font-family="{MONO}"'))
    out.append(f'<path d="M44 137H324" stroke="{EDGE}"/>')
    out.append(words(44, 243, [f"… {len(rows):,} rows; motivation not measured"], size=13, ink=SOFT))
    return "".join(out)


def questions(found: an.Discovery) -> str:
    """Two questions about independence, their p-values, and what follows."""
    out = [card(28, 326, 312, 246)]
    y = 356.0
    for x, other, given, answer, ink in (
        ("age", "weight", ["diet"], "independent: no edge", RIGHT),
        ("age", "sport", [], "independent: no edge", RIGHT),
        ("diet", "sport", ["age", "region"], "dependent: an edge", ACCENT),
    ):
        p = found.evidence(x, other, given).p_value
        out.append(words(44, y, [f"{x}, {other}"], size=15, more='font-weight="600"'))
        if given:
            out.append(words(152, y, [f"given {', '.join(given)}"], size=15))
        shown = f"p = {p:.2f}" if p >= 0.01 else "p < 0.001"
        out.append(words(44, y + 22, [shown], size=13.5, ink=ink) + words(152, y + 22, [answer], size=13.5, ink=ink))
        y += 62
    out.append(
        words(44, 540, ["Asked one by one, or weighed together", "by a score of whole graphs."], size=13, ink=SOFT)
    )
    return "".join(out)


def graph(found: an.Discovery) -> str:
    """The learned graph, drawn by the package, with its marks explained."""
    drawn = picture(found.pag, positions=PLACES)
    low, size = drawn.low, drawn.high - drawn.low
    inside = re.sub(r"<rect [^>]*100%[^>]*/>", "", svg(drawn).split(">", 1)[1])
    out = [card(384, 76, 496, 496)]
    out.append(
        f'<svg x="{LEFT:g}" y="{TOP:g}" width="{size[0] * SCALE:.0f}" height="{size[1] * SCALE:.0f}" '
        f'viewBox="{low[0]:g} {low[1]:g} {size[0]:g} {size[1]:g}" font-size="13">{inside}'
    )

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + (x - low[0]) * SCALE, TOP + (y - low[1]) * SCALE

    def note(mark: tuple[float, float], x: float, y: float, lines: list[str], join: float) -> str:
        """Words at x, y, with a line from there to a mark; `join` is the height at which the line begins."""
        cx, cy = at(*mark)
        leader = (
            f'<g fill="none" stroke="{ACCENT}" stroke-width="1.4"><circle cx="{cx:.1f}" cy="{cy:.1f}" r="11"/>'
            f'<path d="M{cx:.1f} {cy - 11:.1f}V{join:g}"/></g>'
        )
        bold, *rest = lines
        return leader + words(x, y, [bold], more='font-weight="600"') + words(x, y + 20, rest, size=13, ink=SOFT)

    out.append(note((29.5, 0), 404, 108, ["circle: open", "age may cause diet, or", "both have a hidden cause"], 160))
    out.append(note((181, 0), 598, 108, ["tail: a cause", "diet causes weight"], 140))
    out.append(note((257, 0), 746, 108, ["arrow: no cause", "weight does not", "cause diet"], 160))
    x, y = at(150, 75)
    out.append(
        f'<path d="M{x + 12:.1f} {y:.1f}H{x + 34:.1f}" stroke="{ACCENT}" stroke-width="1.2"/>'
        + words(x + 42, y - 14, ["two arrows: neither"], more='font-weight="600"')
        + words(x + 42, y + 6, ["something unmeasured", "causes both of them:", "here, motivation"], size=13, ink=SOFT)
    )
    out.append(
        words(404, 522, ["no line"], more='font-weight="600"')
        + words(468, 522, ["independent, given what separates the two"], size=13, ink=SOFT)
    )
    out.append(
        words(404, 552, ["thick"], more='font-weight="600"')
        + words(468, 552, ["nothing hidden stands behind the two"], size=13, ink=SOFT)
    )
    return "".join(out)


def answers(found: an.Discovery) -> str:
    """A reason, a doubt and an effect."""
    x = 924.0
    claim, reason, *_ = (line.strip() for line in str(found.why("age", "weight")).splitlines())
    separated = re.search(r"p = [\d.]+", reason)
    assert claim.startswith("No edge between age and weight")
    assert separated is not None
    effect = found.effect("diet", "weight")
    assert effect.interval is not None
    low, high = effect.interval
    asked = [("diet", "weight"), ("sport", "diet"), ("age", "diet")]
    heads = 'font-weight="600"'
    out = [
        card(x, 76, 288, 140),
        words(x + 16, 106, ["Why is there no edge?"], size=14, ink=ACCENT, more=heads),
        words(x + 16, 134, ["age and weight are independent", f"given diet ({separated[0]} in the data)"], size=15),
        words(x + 16, 192, ["with the set, the test and the rule"], size=13, ink=SOFT),
        card(x, 232, 288, 178),
        words(x + 16, 262, ["Does it cause it, and how sure?"], size=14, ink=ACCENT, more=heads),
        words(x + 16, 290, [f"{a} causes {b}" for a, b in asked], size=15),
        words(x + 190, 290, [str(found.causes(a, b)) for a, b in asked], size=15, more=heads),
        words(x + 16, 368, ["firm: 30 resamples of the rows,", "searched anew, agree"], size=13, ink=SOFT),
        card(x, 426, 288, 146),
        words(x + 16, 456, ["How much?"], size=14, ink=ACCENT, more=heads),
        words(
            x + 16, 484, [f"{effect.estimate:.2f} weight for 1 diet", f"95 % interval {low:.2f} to {high:.2f}"], size=15
        ),
        words(x + 16, 542, ["or why it does not follow"], size=13, ink=SOFT),
    ]
    return "".join(out)


def draw(out: Path) -> None:
    """Draw the picture."""
    rows, found = found_in_the_study()
    title = "From a table by questions to a graph whose marks are explained, with a reason and a doubt for each answer"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-label="{title}" font-family="{FONTS}">',
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="16" fill="{PANEL}" stroke="{EDGE}"/>',
        heading(28, 42, 1, "Your table"),
        table(rows),
        heading(28, 296, 2, "Questions to it"),
        questions(found),
        heading(384, 42, 3, "The graph that answers them"),
        arrow(347, 324),
        graph(found),
        heading(924, 42, 4, "Reasons and doubts"),
        arrow(887, 324),
        answers(found),
        words(28, 614, ['found = an.discover("study.csv")'], size=15, more=f'font-family="{MONO}"'),
        words(384, 614, ['print(found)  found.plot("graph.svg")'], size=15, more=f'font-family="{MONO}"'),
        words(924, 614, ["found.why, .causes, .effect"], size=15, more=f'font-family="{MONO}"'),
        "</svg>",
    ]
    out.mkdir(parents=True, exist_ok=True)
    (out / "overview.svg").write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    draw(parser.parse_args().out)
