"""The scored search: the maximal ancestral graph with the lowest extended BIC that it can find, shown as its PAG."""
