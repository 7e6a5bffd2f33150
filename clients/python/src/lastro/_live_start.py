"""Begins live updates where their package is installed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable

from ._core import Core
from ._live import Feed, LiveOptions
from .live import LiveUpdate


def begin(
    core: Core, options: LiveOptions, access_token: Callable[[str | None], Awaitable[str]]
) -> AsyncGenerator[LiveUpdate, None]:
    """Returns the updates. Raises ImportError, which says what to install, and ValueError or TypeError for options."""
    try:
        from ._live_socket import follow
    except ImportError as error:
        raise ImportError("Live updates need websockets of version 15 or later: pip install 'lastro[live]'") from error
    return follow(Feed(core.live_options(options)), core.live_settings(), access_token)
