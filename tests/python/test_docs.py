# SPDX-License-Identifier: Apache-2.0
"""The tutorial and the notebook: every block runs, and prints what is shown."""

import contextlib
import io
import json
import os
import re
import unittest

from support import DATASETS, SOURCE, needs_scipy, scratch

NOTEBOOK = SOURCE / "python" / "examples" / "first-steps.ipynb"


def blocks_of_page(path):
    """(place, code, expected output) of each block of Python; "" where nothing is shown."""
    page = path.read_text(encoding="utf-8")
    pattern = r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```\n)?"
    for match in re.finditer(pattern, page, re.MULTILINE | re.DOTALL):
        line = page.count("\n", 0, match.start()) + 1
        yield f"{path.name}:{line}", match.group(1), match.group(2) or ""


def blocks_of_notebook(path):
    """The same of the cells of a notebook."""
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], 1):
        if cell["cell_type"] == "code":
            outputs = [out for out in cell["outputs"] if out["output_type"] == "stream"]
            expected = "".join("".join(out["text"]) for out in outputs)
            yield f"{path.name}, cell {number}", "".join(cell["source"]), expected


@contextlib.contextmanager
def folder_with_data():
    """A folder to run in, with the data sets in it."""
    before = os.getcwd()
    with scratch() as folder:
        os.symlink(DATASETS.resolve(), os.path.join(folder, "datasets"))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


class Docs(unittest.TestCase):
    def run_in_order(self, blocks, least=5):
        names = {"__name__": "__main__"}
        blocks = list(blocks)
        self.assertGreaterEqual(len(blocks), least)
        with folder_with_data():
            for place, code, expected in blocks:
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(compile(code, place, "exec"), names)
                self.assertEqual(printed.getvalue(), expected, place)

    @needs_scipy
    def test_every_block_of_the_tutorial_prints_what_is_shown(self):
        self.run_in_order(blocks_of_page(SOURCE / "docs" / "python.md"))

    def test_the_example_of_the_readme_prints_what_is_shown(self):
        self.run_in_order(blocks_of_page(SOURCE / "README.md"), least=1)

    def test_every_cell_of_the_notebook_prints_what_is_stored(self):
        self.run_in_order(blocks_of_notebook(NOTEBOOK))

    def test_the_notebook_has_the_form_that_jupyter_reads(self):
        book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
        self.assertEqual((book["nbformat"], book["nbformat_minor"]), (4, 5))
        identities = [cell["id"] for cell in book["cells"]]
        self.assertEqual(len(set(identities)), len(identities))
        for cell in book["cells"]:
            self.assertIn(cell["cell_type"], ("code", "markdown"))
            self.assertEqual("outputs" in cell, cell["cell_type"] == "code")


if __name__ == "__main__":
    unittest.main()
