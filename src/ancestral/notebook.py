"""Answers in notebooks: what printing shows, as HTML, with a picture below it. Names are text and cannot be markup.

Colours are those of the notebook, so that text can be read on light and on dark pages; pictures bring their own ground.
"""

import re
from html import escape

from ancestral.printing import visible

__all__ = ["MOST_BESIDE", "answer_html"]

#: Nodes up to which the graph is drawn below an answer; a larger picture would push the answer aside.
MOST_BESIDE = 40

_TEXT = "margin: 0; padding: 0; border: 0; background: none; color: inherit; line-height: 1.5; overflow-x: auto"
_SENTENCES = f"{_TEXT}; white-space: pre-wrap; font-family: inherit"
_COLUMNS = f"{_TEXT}; white-space: pre"


def answer_html(text: str, *, picture: str | None = None, columns: bool = False, formula: str | None = None) -> str:
    """The text of an answer as HTML; `picture` is an SVG document that stands below it.

    Long lines are wrapped, but not those of paragraphs with columns of numbers, which only a text with `columns` has.
    `formula`, in LaTeX, is set by notebooks that have MathJax, which is told to leave the text alone.

    >>> print(answer_html("a <b> causes c"))  # doctest: +ELLIPSIS
    <div><pre class="mathjax_ignore tex2jax_ignore" style="...">a &lt;b&gt; causes c</pre></div>
    """
    shown = escape(visible(text, keep="\n"))
    parts = []
    for paragraph in re.split(r"(?<=\n\n)", shown) if columns else [shown]:  # it keeps its end, which is an empty line
        style = _COLUMNS if columns and "  " in paragraph else _SENTENCES
        parts.append(f'<pre class="mathjax_ignore tex2jax_ignore" style="{style}">{paragraph}</pre>')
    if formula is not None:
        parts.append(f'<div style="margin: 0.5em 0">$\\displaystyle {escape(formula)}$</div>')
    if picture is not None:
        parts.append(f'<div style="margin: 0.5em 0; overflow-x: auto">{picture.strip()}</div>')
    return f"<div>{''.join(parts)}</div>"
