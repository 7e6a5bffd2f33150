"""The data of each event of webhooks."""

from ._generated.events import *  # noqa: F403
