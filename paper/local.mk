# SPDX-License-Identifier: Apache-2.0
# The paper. Its numbers and figures are files in results/, made from runs of the studies.
EXTRA_DIST += %D%/paper.json %D%/perp.tex %D%/references.bib %D%/results %D%/sections

# The folder of the runs, the number of processes, and options such as --quick.
PAPER_RUNS = paper-runs
PAPER_JOBS = 1
PAPER_FLAGS =

.PHONY: paper paper-runs paper-results paper-check
# The PDF, from the committed results; no solver runs.
paper:
	@command -v latexmk >/dev/null || { echo "paper: latexmk is missing (Debian: latexmk \
	texlive-latex-extra texlive-science lmodern)" >&2; exit 2; }
	$(MKDIR_P) paper
	builddir=`cd paper && pwd` && cd $(srcdir)/paper && \
	    latexmk -pdf -interaction=nonstopmode -halt-on-error -outdir="$$builddir" perp.tex
	@echo "paper: paper/perp.pdf"

# The studies, each in a folder of its own; a run that was stopped is continued.
paper-runs: perp$(EXEEXT)
	./perp$(EXEEXT) paper $(srcdir)/paper/paper.json --studies >paper-studies.tmp
	while read -r name suite; do \
	    ./perp$(EXEEXT) compare "$$suite" -o "$(PAPER_RUNS)/$$name" -j $(PAPER_JOBS) \
	        --resume --no-report $(PAPER_FLAGS) || exit 1; \
	done <paper-studies.tmp
	rm -f paper-studies.tmp

# Numbers, figures and the lock, made again from the runs.
paper-results: paper-runs
	./perp$(EXEEXT) paper $(srcdir)/paper/paper.json --from "$(PAPER_RUNS)"

# Report each number and curve that differs from the locked one, and by how much.
paper-check: paper-runs
	./perp$(EXEEXT) paper $(srcdir)/paper/paper.json --from "$(PAPER_RUNS)" --check

# The figures of the studies, from the same runs.
EXTRA_DIST += build-aux/studies.py
.PHONY: studies-figures
studies-figures: paper-runs
	python3 $(srcdir)/build-aux/studies.py ./perp$(EXEEXT) "$(PAPER_RUNS)" $(srcdir)/experiments
