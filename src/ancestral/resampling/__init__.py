"""Bootstrap: the same search on many resamples of the rows, and how often each answer comes back."""

from ancestral.certainty.progress import RepeatsProgress
from ancestral.resampling.bootstrap import bootstrap
from ancestral.resampling.effects import ResampledEffect
from ancestral.resampling.reliability import Reliability
from ancestral.resampling.result import Bootstrap, load_bootstrap

__all__ = ["Bootstrap", "Reliability", "RepeatsProgress", "ResampledEffect", "bootstrap", "load_bootstrap"]
