"""Graphs for other programs, and from them: one module a format. docs/interop.md has the table of what each can carry.

A graph, or what `discover()` found, goes out with `to_…` and comes back with `from_…`. Other packages are imported
where they are used. What a format cannot express is refused with the reason, never left out silently. `texts` is the
registry of the formats that are texts.
"""
