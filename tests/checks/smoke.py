"""What must work in an environment that holds only the installed wheel and its dependencies; run by `make wheel`."""

import ancestral as an
from ancestral._cython import compiled_kernels


def main() -> None:
    """Orient a random graph with compiled kernels."""
    assert all(compiled_kernels().values()), compiled_kernels()
    dag = an.simulate.random_dag(nodes=15, degree=2, seed=1)
    pag = an.pag_of(dag)
    assert pag == an.PAG.parse(str(pag))
    print(f"ancestral {an.__version__}: {len(compiled_kernels())} kernels compiled, {len(pag.edges())} edges oriented")


if __name__ == "__main__":
    main()
