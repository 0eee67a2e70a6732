# SPDX-License-Identifier: Apache-2.0
"""Calls of C that Ctrl-C ends and that report their progress.

Python runs the handler of a signal in the main thread, and only between two of its own
instructions: a long call of C would be deaf to Ctrl-C. So the call is made in another thread while
the main thread waits; Ctrl-C sets the flag that the solver reads between two iterations, and raises
nothing until the call has returned its memory. Functions of the user are called in the thread that
waits, so that they may draw. Outside the main thread, where no signal arrives, the call is made at
once.
"""

from __future__ import annotations

import contextlib
import ctypes
import queue
import signal
import threading
from typing import Any, Callable, Iterator, Optional

#: progress(iteration, residual, seconds); False ends the solve
Progress = Callable[[int, float, float], Optional[bool]]


@contextlib.contextmanager
def on_ctrl_c(act: Callable[[], None]) -> Iterator[None]:
    """Meanwhile Ctrl-C calls `act` and raises nothing. A handler of the user stays in place."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, lambda _number, _frame: act())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class Call:
    """A call in progress. `work(call)` does it; it passes `call.flag` to C, and asks
    `call.report(…)` now and then whether to go on."""

    def __init__(
        self,
        progress: Optional[Callable[..., Optional[bool]]] = None,
        flag: Optional[ctypes.c_int] = None,
    ) -> None:
        self.flag = ctypes.c_int() if flag is None else flag
        self.flag.value = 0
        self.interrupted = False  # by Ctrl-C
        self._progress = progress
        self._error: Optional[BaseException] = None
        self._value: Any = None
        self._posts: Optional[queue.SimpleQueue] = None
        self._answers: queue.SimpleQueue = queue.SimpleQueue()

    def report(self, *numbers: Any) -> bool:
        """Called by the work: tell the user, and say whether to go on."""
        if self._progress is None or self.flag.value:
            return not self.flag.value
        if self._posts is None:
            return self._ask(numbers)
        self._posts.put(numbers)
        return self._answers.get()

    def run(self, work: Callable[["Call"], Any]) -> Any:
        """Do the work and return its value; an exception of the user's function is raised."""
        if threading.current_thread() is threading.main_thread():
            self._posts = queue.SimpleQueue()
            thread = threading.Thread(target=self._work, args=(work,), name="perp", daemon=True)
            with on_ctrl_c(self._interrupt):
                thread.start()
                self._wait()
                thread.join()
        else:
            self._work(work)
        if self._error is not None:
            raise self._error
        return self._value

    def _ask(self, numbers: Any) -> bool:
        """A function that raises or returns False stops the call."""
        assert self._progress is not None
        try:
            go_on = self._progress(*numbers) is not False
        except KeyboardInterrupt:
            self._interrupt()
            go_on = False
        except BaseException as error:
            self._error = self._error or error
            go_on = False
        if not go_on:
            self.flag.value = 1
        return go_on

    def _interrupt(self) -> None:
        self.interrupted = True
        self.flag.value = 1

    def _work(self, work: Callable[["Call"], Any]) -> None:
        try:
            self._value = work(self)
        except BaseException as error:
            self._error = self._error or error
        finally:
            if self._posts is not None:
                self._posts.put(None)

    def _wait(self) -> None:
        assert self._posts is not None
        while True:
            try:
                numbers = self._posts.get()
            except BaseException as error:  # of a handler of the user: the work must end first
                self._error = self._error or error
                self.flag.value = 1
                continue
            if numbers is None:
                return
            self._answers.put(self._ask(numbers))
