"""Settings for all tests: hypothesis draws the same examples every time and knows no deadline."""

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")
