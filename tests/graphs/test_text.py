import pytest
from hypothesis import given
from hypothesis import strategies as st

from ancestral import DAG, MAG, PAG, GraphError, Knowledge
from ancestral.graphs.marks import SYMBOLS, flipped
from ancestral.graphs.names import quoted

#: Any names, and more often those made of the characters that mean something in the text of a graph.
NAMES = (st.text(min_size=1, max_size=6) | st.text(alphabet='ab-<>o*|,: "#\\', min_size=1, max_size=6)).filter(
    lambda name: bool(name.strip())
)


@st.composite
def pags(draw: st.DrawFn) -> PAG:
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    symbols = st.sampled_from([*SYMBOLS, *map(flipped, SYMBOLS)])
    return PAG.from_edges([(a, draw(symbols), b) for a, b in chosen], nodes=names)


@given(pags())
def test_reading_what_was_printed_gives_the_same_graph(pag: PAG) -> None:
    assert PAG.parse(str(pag)) == pag
    assert eval(repr(pag), {"PAG": PAG}) == pag


def nodes_read(token: str) -> tuple[str, ...] | None:
    """The nodes of a text that is a single name, or None if it cannot be read."""
    try:
        return PAG.parse(token).nodes
    except GraphError:
        return None


@given(NAMES)
def test_a_name_is_quoted_if_and_only_if_it_would_be_misread(name: str) -> None:
    assert nodes_read(quoted(name)) == (name,)
    misread = nodes_read(name) != (name,)
    if quoted(name).isprintable() and name.isprintable():
        assert (quoted(name) != name) == misread
    elif misread:
        assert quoted(name) != name


@given(st.lists(NAMES, min_size=4, max_size=4, unique=True))
def test_knowledge_and_sentences_quote_names_as_graphs_do(names: list[str]) -> None:
    a, b, c, d = names
    known = Knowledge(tiers=[[a], [b]], forbidden=[(c, a)], no_edge=[(c, d)], exogenous=[d])
    assert Knowledge.parse(str(known), "text") == known
    pag = PAG.from_edges([(a, "o->", b), (b, "<->", c), (c, "--o", d)])
    assert PAG.parse(pag.path_text([a, b, c, d])) == pag
    assert PAG.parse(pag.edge_text(c, b)) == PAG.from_edges([(c, "<->", b)])


@pytest.mark.parametrize(
    "name", ["husb-occ", "husb-educ", "video-output", "x-o", "o-x", "a-b", "a--b", "-a", "a-", "->b", "a<", "a>b", "<"]
)
def test_a_dash_alone_needs_no_quotes(name: str) -> None:
    assert quoted(name) == name
    assert PAG.parse(f"{name} o-> x").edges() == [(name, "o->", "x")]
    assert PAG.parse(f'"{name}" o-> x').edges() == [(name, "o->", "x")]


@pytest.mark.parametrize(
    "name", ["a->b", "a-->b", "a<-b", "a<->b", "bo->c", "a<-ob", "-->", "o-o", "-", "--", "a:", "a b"]
)
def test_what_reads_like_an_edge_or_a_heading_needs_quotes(name: str) -> None:
    assert quoted(name) == f'"{name}"'
    assert nodes_read(f'"{name}"') == (name,)


def test_printing_is_canonical() -> None:
    one = PAG.parse("x10 o-o x2, b <-- a, lonely, c --o d")
    two = PAG.parse("lonely; d o-- c; a --> b; x2 o-o x10".replace(";", "\n"))
    assert str(one) == str(two) == "a --> b\nd o-- c\nx2 o-o x10\nlonely"
    assert hash(one) == hash(two)


def test_short_forms_comments_and_blank_items() -> None:
    dag = DAG.parse("# a comment\na -> b,, b <- c  # another\n\n d")
    assert dag.edges() == [("a", "-->", "b"), ("c", "-->", "b")]
    assert dag.nodes == ("a", "b", "c", "d")


def test_a_node_is_listed_once_but_a_first_line_may_fix_the_order() -> None:
    for order in ("c, b, a\nb --> c\na", "# order\n\nc, b, a\na\nb\nc"):
        assert DAG.parse(order).nodes == ("c", "b", "a")
    for twice in ("a, a", "x\na\na", "a, b\na\na", "a, b\na, a", "a --> b\nc, d, e\nf, c, f"):
        with pytest.raises(
            GraphError, match=r"line \d: the node '[af]' is listed twice, first on line \d; list it once"
        ):
            DAG.parse(twice)


def test_roles_in_the_text_and_in_the_arguments() -> None:
    parsed = DAG.parse("L -> a, L -> b, a -> s\nlatent: L\nselection: s")
    assert parsed == DAG.parse("L -> a, L -> b, a -> s", latent=["L"], selection=["s"])
    assert DAG.parse(str(parsed)) == parsed
    assert eval(repr(parsed), {"DAG": DAG}) == parsed
    assert parsed != DAG.parse("L -> a, L -> b, a -> s", latent=["L"])


def test_names_that_need_quotes() -> None:
    pag = PAG.from_edges([("blood pressure, mean", "o->", 'the "risk"'), ("a:", "---", "o-o"), ("x->y", "---", "z")])
    assert str(pag).splitlines() == ['"a:" --- "o-o"', '"blood pressure, mean" o-> "the \\"risk\\""', '"x->y" --- z']
    assert PAG.parse(str(pag)) == pag


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a -> b\nb => c", "line 2: '=>' is not an edge"),
        ("a b", "line 1: 'a b' is neither a node nor an edge"),
        ("a -> b -> c", "is neither a node nor an edge"),
        ("a->b", "'a->b' looks like an edge; write an edge with spaces, like 'a -> b', or a name in double"),
        ("-->", "'-->' looks like an edge"),
        ("a->b -> c", "'a->b' looks like an edge"),
        ("a *-> b", "'*->' is a pattern"),
        ("a -> a", "joins 'a' to itself"),
        ("a -> b, b -> a", "two edges between 'b' and 'a': <-- and -->; keep one"),
        ('a -> "b', "line 1: the double quote at column 6 is not closed"),
        ("hidden: a", "unknown heading 'hidden:'"),
        ("latent: a b", "'a b' is not one name"),
    ],
)
def test_bad_text_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(GraphError) as error:
        PAG.parse(text)
    assert message in str(error.value)


@given(st.text(alphabet='ab-<>o*, \n"#:\\', max_size=40))
def test_any_text_is_a_graph_or_a_graph_error(text: str) -> None:
    try:
        graph = PAG.parse(text)
    except GraphError:
        return
    assert PAG.parse(str(graph)) == graph


def test_only_a_dag_has_roles() -> None:
    with pytest.raises(GraphError, match="a MAG has none"):
        MAG.parse("a -> b\nlatent: a")
