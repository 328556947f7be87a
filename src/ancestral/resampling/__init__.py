"""Bootstrap: the same search on many resamples of the rows, and how often each answer comes back."""

from ancestral.resampling.bootstrap import Bootstrap, Reliability, RepeatsProgress, bootstrap, load_bootstrap

__all__ = ["Bootstrap", "Reliability", "RepeatsProgress", "bootstrap", "load_bootstrap"]
