"""`python -m ancestral` is the command line."""

from ancestral.cli import main

main()
