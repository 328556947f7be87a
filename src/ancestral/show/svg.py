"""A picture as an SVG document, in which names are text and cannot be markup."""

from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import NDArray

from ancestral.graphs.marks import ARROW, CIRCLE
from ancestral.show.labels import FONT_SIZE, plain, text_width
from ancestral.show.picture import INK, THICK, THIN, Box, KeyLine, Line, Picture, Text, pointed_box
from ancestral.show.routes import MARK_SIZES

__all__ = ["svg"]

Points = NDArray[np.float64]

FONTS = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
#: The height in pixels of a row of the key below the picture.
KEY_ROW = 26.0


def svg(picture: Picture, title: str = "A causal graph") -> str:
    """The SVG document of a picture; screen readers read its `title`."""
    key, key_height = _key(picture)
    width, height = picture.high - picture.low + [0, key_height]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{_numbers(picture.low)} {_numbers((width, height))}" role="img" aria-label={_attribute(title)} '
        f'font-family="{FONTS}" font-size="{FONT_SIZE:g}">',
        f'<rect x="{picture.low[0]:.1f}" y="{picture.low[1]:.1f}" width="100%" height="100%" fill="#ffffff"/>',
        f'<g fill="none" stroke-width="{THIN:g}">',
        *(_curve(line) for line in picture.lines),
        "</g>",
        '<g stroke-width="1.2">',
        *(_box(box) for box in picture.boxes),
        "</g>",
        f'<g stroke-width="{THIN:g}" stroke-linejoin="round">',
        *(_marks(line) for line in picture.lines),
        "</g>",
        *(_words(text) for text in picture.texts),
        *key,
        "</svg>",
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _curve(line: Line) -> str:
    start, *others = (_numbers(point) for point in line.route.curve)
    dashes = ' stroke-dasharray="5 4"' if line.dashed else ""
    return (
        f'<path d="M{start}Q{" ".join(others)}" stroke="{line.ink}"{_width(line)}{dashes}{_opacity(line.opacity)}>'
        f"<title>{_text(str(line))}</title></path>"
    )


def _marks(line: Line) -> str:
    shapes = [_shape(mark, points, _opacity(opacity), line) for mark, points, opacity in line.shapes()]
    return f'<g fill="{line.ink}" stroke="{line.ink}">{"".join(shapes)}</g>' if shapes else ""


def _shape(mark: int, points: Points, opacity: str, line: Line) -> str:
    """A mark of an edge."""
    if mark == ARROW:
        return f'<path d="M{"L".join(map(_numbers, points))}Z"{opacity}/>'
    if mark == CIRCLE:
        radius = MARK_SIZES[CIRCLE] / 2 - 0.75
        return f'<circle cx="{points[0]:.1f}" cy="{points[1]:.1f}" r="{radius:g}" fill="#ffffff"{opacity}/>'
    return f'<path d="M{"L".join(map(_numbers, points))}"{_width(line)}{opacity}/>'


def _box(box: Box) -> str:
    x, y = box.centre - box.size / 2
    width, height = box.size
    if box.pointed:
        frame = (
            f'<path d="M{"L".join(map(_numbers, box.corners()))}Z" fill="{box.fill}" stroke="{box.ink}" '
            f'stroke-width="2"/>'
        )
        return f"<g><title>{_text(box.name)}</title>{frame}{_label(box)}</g>"
    dashes = ' stroke-dasharray="4 3"' if box.dashed else ""
    inner = ""
    if box.double:
        inner = (
            f'<rect x="{x + 3:.1f}" y="{y + 3:.1f}" width="{width - 6:.1f}" height="{height - 6:.1f}" rx="5" '
            f'fill="none" stroke="{box.ink}"/>'
        )
    return (
        f"<g><title>{_text(box.name)}</title>"
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{box.rounding:g}" '
        f'fill="{box.fill}" stroke="{box.ink}"{dashes}/>{inner}'
        f"{_label(box)}</g>"
    )


def _label(box: Box) -> str:
    return (
        f'<text x="{box.centre[0]:.1f}" y="{box.centre[1] + FONT_SIZE * 0.35:.1f}" text-anchor="middle" '
        f'fill="{box.ink}" style="unicode-bidi:plaintext">{_text(box.label)}</text>'
    )


def _words(text: Text) -> str:
    """A line of text beside the boxes."""
    style, ground = ' font-weight="600"' * text.bold, ""
    if text.halo:
        (x, y), (width, height) = text.low, text.size
        ground = f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="4" fill="#ffffff"/>'
    return (
        f'{ground}<text x="{text.at[0]:.1f}" y="{text.at[1] + FONT_SIZE * 0.35:.1f}" text-anchor="{text.anchor}" '
        f'fill="{text.ink}"{style} style="unicode-bidi:plaintext">{_text(text.text)}</text>'
    )


def _key(picture: Picture) -> tuple[list[str], float]:
    """What shapes mean and the key of fills, in rows below the picture, and their height."""
    left, right = picture.low[0] + 14, picture.high[0]
    x, y = left, picture.high[1] + KEY_ROW / 2
    out = []
    for line in picture.explained:
        out.append(_sample(line, x, y) + _key_text(line.words, x + 30, y))
        y += KEY_ROW
    y -= KEY_ROW if out and not picture.key else 0.0
    if picture.key and picture.heading:
        out.append(_key_text(f"{picture.heading}:", x, y))
        x += 12 + text_width(f"{picture.heading}:")
    for group, fill in picture.key.items():
        width = 34 + text_width(group)
        if x > left and x + width > right:
            x, y = left, y + KEY_ROW
        out.append(
            f'<rect x="{x:.1f}" y="{y - 8:.1f}" width="16" height="16" rx="3" fill="{fill}" stroke="{INK}"/>'
            f"{_key_text(group, x + 22, y)}"
        )
        x += width
    return out, (y + KEY_ROW / 2 - picture.high[1]) if out else 0.0


def _key_text(words: str, x: float, y: float) -> str:
    return f'<text x="{x:.1f}" y="{y + FONT_SIZE * 0.35:.1f}" fill="{INK}">{_text(words)}</text>'


def _sample(line: KeyLine, x: float, y: float) -> str:
    """A small example of the shape that a line of the key explains."""
    if line.sample == "pointed":
        corners = pointed_box(np.array([x + 11, y]), np.array([24.0, 14.0]))
        return f'<path d="M{"L".join(map(_numbers, corners))}Z" fill="#ffffff" stroke="{INK}"/>'
    if line.sample == "square":
        return f'<rect x="{x:.1f}" y="{y - 7:.1f}" width="22" height="14" rx="1" fill="#ffffff" stroke="{INK}"/>'
    if line.sample == "thick":
        return f'<path d="M{x:.1f} {y:.1f}h22" stroke="{INK}" stroke-width="{THICK:g}"/>'
    return ""


def _width(line: Line) -> str:
    return "" if line.width == THIN else f' stroke-width="{line.width:g}"'


def _opacity(opacity: float) -> str:
    return "" if opacity >= 1 else f' opacity="{opacity:.2f}"'


def _numbers(point: Points | tuple[float, ...]) -> str:
    return " ".join(f"{value:.1f}" for value in point)


def _text(text: str) -> str:
    return escape(plain(text))


def _attribute(text: str) -> str:
    return quoteattr(plain(text))
