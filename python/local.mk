# SPDX-License-Identifier: Apache-2.0
# The Python package perp: no compiled part, installed in the package folder that configure found.
perp_pythondir = $(pythondir)/perp
dist_perp_python_DATA = \
    %D%/perp/__init__.py \
    %D%/perp/_blocks.py \
    %D%/perp/_compare.py \
    %D%/perp/_errors.py \
    %D%/perp/_formulate.py \
    %D%/perp/_library.py \
    %D%/perp/_matrix.py \
    %D%/perp/_memory.py \
    %D%/perp/_problem.py \
    %D%/perp/_scene.py \
    %D%/perp/_solve.py \
    %D%/perp/_structs.py \
    %D%/perp/_structs_dynamics.py \
    %D%/perp/_version.py \
    %D%/perp/_wait.py \
    %D%/perp/_world.py \
    %D%/perp/py.typed
EXTRA_DIST += %D%/README.md %D%/pyproject.toml %D%/folder.py %D%/examples/first-steps.ipynb

# Remove compiled files of Python; an empty folder would still be imported.
uninstall-hook:
	rm -rf "$(DESTDIR)$(perp_pythondir)/__pycache__"
	rmdir "$(DESTDIR)$(perp_pythondir)" 2>/dev/null || :
