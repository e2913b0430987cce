"""Runs calls on the main thread: one after the other, and on an event loop as soon as there is something to await."""

import os
import sys
from _thread import allocate_lock, get_ident, start_new_thread
from time import monotonic, sleep

from .failures import Aborted, named, traceback_of
from .machine import end_all, memory_bytes
from .output import during, given_up

try:
    from _queue import Empty, SimpleQueue
except ImportError:
    from queue import Empty, SimpleQueue

RECHECK_S = 30
PATIENCE_S = 1
PAUSES_S = (0.05, 0.1, 0.2, 0.5, 1, 1, 1, 1)


class Job:
    """One call. `aborted`: when it was given up, by the clock; None while it is wanted."""

    __slots__ = ("id", "call", "aborted", "task")

    def __init__(self, id, call):
        self.id = id
        self.call = call
        self.aborted = None
        self.task = None


class Worker:
    """The reading thread is in `read`; everything else here runs on the main thread, where plugin code runs."""

    def __init__(self, wire, output):
        self._wire = wire
        self._output = output
        self._main = get_ident()
        self._queue = SimpleQueue()
        self._lock = allocate_lock()
        self._jobs = {}
        self._loop = None
        self._running = None
        self._answers = None
        self._signal = _listen(self)

    # The reading thread.

    def read(self, messages):
        """Reads what Patchbay says until it is gone, and then ends the process with all that it started."""
        try:
            for message in messages:
                kind = message.get("t")
                if kind == "call":
                    job = Job(message["id"], message["call"])
                    self._jobs[job.id] = job
                    self._put(job)
                elif kind == "abort":
                    self._abort(message["id"])
                elif kind == "ping":
                    self._ping(message["id"])
                elif kind == "stop":
                    self._put(None)
                    for id in list(self._jobs):
                        self._abort(id)
        finally:
            end_all()

    def _put(self, job):
        with self._lock:
            if self._loop is None:
                self._queue.put(job)
            else:
                self._loop.call_soon_threadsafe(self._begin, job)

    def _ping(self, id):
        late = [job for job in list(self._jobs.values()) if job.aborted and monotonic() - job.aborted > PATIENCE_S]
        if not late:
            self._pong(id)
        elif self._loop is not None:
            # Is answered when the loop turns, which a handler that does not let go prevents.
            self._loop.call_soon_threadsafe(self._pong, id)
        elif self._running not in late:
            self._pong(id)

    def _pong(self, id):
        self._wire.send({"t": "pong", "id": id, "memoryBytes": memory_bytes()})

    def _abort(self, id):
        job = self._jobs.get(id)
        if job is None or job.aborted is not None:
            return
        job.aborted = monotonic()
        given_up.add(id)
        start_new_thread(self._insist, (job,))

    def _insist(self, job):
        """Ends a call, more than once: what comes before a sleep begins does not end it, and some do not want to."""
        is_cancelled = False
        for wait in PAUSES_S:
            loop, task = self._loop, job.task
            if loop is not None and task is not None:
                if not is_cancelled:
                    is_cancelled = True
                    loop.call_soon_threadsafe(task.cancel)
                turns = []
                loop.call_soon_threadsafe(turns.append, True)
                sleep(wait)
                # A loop that turns gives the call time to clean up. One that does not is blocked, by this call perhaps.
                if not turns and job.id in self._jobs:
                    self._interrupt()
            else:
                self._interrupt()
                sleep(wait)
            if job.id not in self._jobs:
                return

    def _interrupt(self):
        if self._signal is not None:
            self._signal()

    # The main thread.

    def interrupted(self, _signal, _frame):
        """Runs between two steps of the main thread's code. Ends the call that runs, when nobody waits for it."""
        job = self._jobs.get(during.get())
        if job is None or job.aborted is None:
            return
        if self._wire.sending:
            self._wire.interrupted = Aborted()
        else:
            raise Aborted()

    def begin(self, opening):
        """Opens the plugin by the coroutine that `opening` makes, and answers calls. Never returns."""
        try:
            self._drive(self._open(opening))
            while True:
                job = self._next()
                if job is None:
                    self._stop()
                elif job is not False:
                    self._begin(job)
        finally:
            os._exit(1)

    async def _open(self, opening):
        try:
            self._answers = await opening()
        except BaseException as error:
            text = "The host itself failed: %s" % named(error)
            details = {"error": named(error), "traceback": traceback_of(error, whole=True)}
            self._wire.send({"t": "failed", "problem": {"code": "START_FAILED", "message": text, "details": details}})

    def _drive(self, coroutine):
        """Runs a coroutine to its end. Without an event loop as long as nothing has to be awaited."""
        if "asyncio" in sys.modules and self._answers is not None:
            self._turn(coroutine)
        try:
            coroutine.send(None)
        except StopIteration:
            return
        except BaseException as error:
            self._output.log("error", named(error))
            return
        self._turn(coroutine)

    def _turn(self, coroutine):
        """Goes over to an event loop for good, with a coroutine that may have begun already."""
        import asyncio

        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        task = loop.create_task(coroutine)
        if self._running is not None:
            self._running.task = task
            self._running = None
        during.set(None)
        if self._answers is None:
            try:
                loop.run_until_complete(task)
            except BaseException as error:
                self._output.log("error", named(error))
        with self._lock:
            self._loop = loop
        while True:
            try:
                self._begin(self._queue.get_nowait())
            except Empty:
                break
        loop.call_later(RECHECK_S, self._recheck)
        while True:
            try:
                loop.run_forever()
            except BaseException as error:
                if not isinstance(error, Aborted):
                    self._output.log("error", "A task of the plugin ended with %s" % named(error))

    def _recheck(self):
        self._look()
        self._loop.call_later(RECHECK_S, self._recheck)

    def _look(self):
        if self._answers is not None and self._answers.has_checks():
            self._answers.tell_news(look=True)

    def _next(self):
        if self._answers is None or not self._answers.has_checks():
            return self._queue.get()
        try:
            return self._queue.get(timeout=RECHECK_S)
        except Empty:
            self._look()
            return False

    def _begin(self, job):
        if job is None:
            self._stop()
        coroutine = self._answer(job)
        if self._loop is not None:
            job.task = self._loop.create_task(coroutine)
            # One that is cancelled before its first step never gets to its end.
            job.task.add_done_callback(lambda _task: self._forget(job))
            return
        self._running = job
        try:
            self._drive(coroutine)
        except Aborted:
            pass
        finally:
            self._running = None
            during.set(None)
            self._forget(job)

    async def _answer(self, job):
        during.set(job.id)
        answers = self._answers
        reply = None
        try:
            if job.aborted is not None:
                raise Aborted()
            reply = {"t": "result", "id": job.id, "value": await answers.run(job.call)}
        except BaseException as error:
            during.set(None)
            if job.aborted is not None and not isinstance(error, Aborted):
                error = Aborted()
            reply = {"t": "error", "id": job.id, "problem": type(answers).problem_of(error)}
        during.set(None)
        self._forget(job)
        self._output.end(job.id)
        try:
            self._wire.send(reply)
            answers.tell_news()
        except BaseException as error:
            problem = {"code": "TOOL_FAILED", "message": "The plugin's answer cannot be sent: %s" % named(error)}
            self._wire.send({"t": "error", "id": job.id, "problem": problem})

    def _forget(self, job):
        self._jobs.pop(job.id, None)
        given_up.discard(job.id)

    def _stop(self):
        """Lets the plugin's own exit handlers run, and ends."""
        try:
            import atexit

            atexit._run_exitfuncs()
        except BaseException as error:
            self._output.log("error", named(error))
        self._output.end(None)
        self._wire.send({"t": "stopped"})
        os._exit(0)


def _listen(worker):
    """A function that interrupts the main thread, or None where that cannot be done."""
    try:
        import _signal

        _signal.signal(_signal.SIGINT, worker.interrupted)
        main = get_ident()
        if hasattr(_signal, "pthread_kill"):
            return lambda: _signal.pthread_kill(main, _signal.SIGINT)
        from _thread import interrupt_main

        return interrupt_main
    except Exception:
        return None
