"""The types of responses, and of objects in requests."""

from ._generated.types import *  # noqa: F403
