#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of this folder and prints one TAP line per test function.

    python3 tests/python/tap.py [test_solve.py …]

The environment names the libraries and the source: see python.sh. The same files run under pytest
and under python3 -m unittest.
"""

import signal
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def tests_of(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from tests_of(item)
        else:
            yield item


def sentence(test):
    name = test.id().rsplit(".", 1)[-1]
    return "python: " + name.replace("test_", "", 1).replace("_", " ")


def run(test, number):
    result = unittest.TestResult()
    test.run(result)
    for _, reason in result.skipped:
        print(f"ok {number} - {sentence(test)} # SKIP {reason}", flush=True)
        return
    faults = result.failures + result.errors
    for _, trace in faults:
        print("".join(f"#   {line}\n" for line in trace.splitlines()), end="")
    print(f"{'not ok' if faults else 'ok'} {number} - {sentence(test)}", flush=True)


def main(words):
    # A shell that runs this in the background has it ignore Ctrl-C, which tests send.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.path.insert(0, str(HERE))
    files = words or sorted(file.name for file in HERE.glob("test_*.py"))
    names = [Path(file).stem for file in files]
    tests = list(tests_of(unittest.defaultTestLoader.loadTestsFromNames(names)))
    print(f"1..{len(tests)}")
    for number, test in enumerate(tests, 1):
        run(test, number)


if __name__ == "__main__":
    main(sys.argv[1:])
