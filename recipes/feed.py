"""Batches made ahead by other processes, for a graphics card that trains faster than one process can draw them."""

import collections
import itertools
import multiprocessing
import signal

AHEAD = 2  # parts in the making for each process
maker = None  # what the processes call: they are forked, so that all it holds is there and is not sent to them


def made(number):
    return maker(number)


def ahead(make, first, workers):
    """`make(first)`, `make(first + 1)` and so on without end, in order, each made by one of so many processes."""
    global maker
    maker = make
    numbers = itertools.count(first)
    with multiprocessing.get_context('fork').Pool(workers, signal.signal, (signal.SIGTERM, signal.SIG_DFL)) as pool:
        waiting = collections.deque(pool.apply_async(made, (next(numbers),)) for _ in range(AHEAD * workers))
        while True:
            found = waiting.popleft().get()
            waiting.append(pool.apply_async(made, (next(numbers),)))
            yield found
