"""The studio: a page on this machine to load data, say what is known, search, ask and compare, without programming.

`serving` starts it. The server keeps a project in a folder as the very files that the command line and Python read, and
has no search logic of its own: every answer comes from a public function of the package, called in another process.
"""
