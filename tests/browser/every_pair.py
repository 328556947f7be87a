"""What a report says about many pairs, asked inside of the page: one call instead of a dozen for each pair."""

from collections.abc import Iterable
from dataclasses import dataclass

from playwright.sync_api import Page

__all__ = ["Told", "told_about"]

_ASKED = """
pairs => pairs.map(([a, b]) => {
  for (const [id, value] of [["first", ""], ["second", ""], ["first", a], ["second", b]]) {
    const select = document.getElementById(id);
    select.value = value;
    for (const event of ["input", "change"]) select.dispatchEvent(new Event(event, { bubbles: true }));
  }
  const depth = (step) => {
    let lists = -1;
    for (let e = step; !e.id; e = e.parentElement) lists += e.tagName === "UL";
    return lists;
  };
  const all = (wanted) => [...document.querySelectorAll(wanted)];
  const named = (kind) => all(`.node.${kind}`).map((node) => node.getAttribute("aria-label"));
  return [
    all(".why .step").map((step) => [depth(step), step.textContent]),
    ...["chosen", "set", "witness"].map(named),
    document.getElementById("answer").innerText,
  ];
})
"""


@dataclass(frozen=True)
class Told:
    """What stands there after two variables are chosen: steps with their depths, nodes that stand out, the answer."""

    steps: list[tuple[int, str]]
    chosen: set[str]
    separating: set[str]
    witness: set[str]
    answer: str


def told_about(page: Page, pairs: Iterable[tuple[int, int]]) -> list[Told]:
    """Choose each pair, by the numbers of its variables, as the two lists of the page do it, and read what is told."""
    return [
        Told([(depth, text) for depth, text in steps], set(chosen), set(separating), set(witness), answer)
        for steps, chosen, separating, witness, answer in page.evaluate(_ASKED, [[str(a), str(b)] for a, b in pairs])
    ]
