"""Awaitables. Code that never meets one runs without an event loop, and without the cost of importing asyncio."""

import sys

_ITERABLE_COROUTINE = 0x100


class _NeedLoop:
    """Awaited where the rest has to run on an event loop; whoever drives the coroutine then moves it there."""

    def __await__(self):
        yield NEED_LOOP


NEED_LOOP = "patchbay needs a loop"
"""What a coroutine yields when it has to be moved to an event loop. It is otherwise never suspended before."""


def is_awaitable(value):
    """Whether `await` takes the value. Generators and nested coroutines are values only."""
    kind = type(value)
    if getattr(kind, "__await__", None) is not None:
        return True
    code = getattr(value, "gi_code", None) if kind.__name__ == "generator" else None
    return code is not None and bool(code.co_flags & _ITERABLE_COROUTINE)


def _is_on_loop():
    events = sys.modules.get("asyncio.events")
    return events is not None and events._get_running_loop() is not None


async def settle(value):
    """The value, awaited once when it can be."""
    if not is_awaitable(value):
        return value
    if not _is_on_loop():
        await _NeedLoop()
    return await value
