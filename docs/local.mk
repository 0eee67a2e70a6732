# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += %D%/arrays.md %D%/c.md %D%/campaigns.md %D%/capture.md %D%/codes.md \
    %D%/concepts.md %D%/coordinates.svg %D%/determined.md %D%/drawing.md %D%/exact.md %D%/exec.md %D%/exports.md \
    %D%/extend.md %D%/figures.md %D%/formats.md %D%/gyro.md %D%/index.md %D%/install.md \
    %D%/integrators.md %D%/joints.md %D%/labels.md %D%/large.md %D%/limits.md %D%/measures.md \
    %D%/paper.md %D%/peers.md %D%/peers_solved.svg %D%/peers_time.svg %D%/plugin.md %D%/profile.svg \
    %D%/python.md %D%/race.md %D%/reduced.md %D%/release.md %D%/report.md %D%/results.md \
    %D%/scene-members.md %D%/scenes.md %D%/siconos.md %D%/statistics.md %D%/studies.md %D%/suites.md \
    %D%/terminal.md %D%/trajectory.md %D%/tutorial.md %D%/urdf.md %D%/view.md
# The folder, whatever is in it: a page and a picture of each solver, by make pages.
EXTRA_DIST += %D%/solvers
# Programs that docs/c.md quotes; a test compiles and runs them.
EXTRA_DIST += %D%/examples
# One page per scene; tests read their numbers.
EXTRA_DIST += %D%/scenes

# Installed with README and CHANGELOG in the documentation folder of the prefix.
dist_doc_DATA = CHANGELOG.md CITATION.cff LICENSE README.md
documents = cd $(srcdir)/%D% && find . -type f ! -name local.mk ! -path './api/*' | sort
install-data-local:
	@($(documents)) | while read -r f; do \
	  $(MKDIR_P) "$(DESTDIR)$(docdir)/`dirname "$$f"`" && \
	  $(INSTALL_DATA) "$(srcdir)/%D%/$$f" "$(DESTDIR)$(docdir)/$$f" || exit 1; done
uninstall-local:
	@($(documents)) | while read -r f; do rm -f "$(DESTDIR)$(docdir)/$$f"; done
	@test ! -d "$(DESTDIR)$(docdir)" || find "$(DESTDIR)$(docdir)" -depth -type d -empty -delete

# Web pages of the C interface, from the comments of the public headers; warnings are errors.
EXTRA_DIST += %D%/api/README.md %D%/api/filter.awk %D%/api/mainpage.md
.PHONY: docs
docs:
if HAVE_DOXYGEN
	@rm -rf docs/api/html
	$(AM_V_GEN)$(DOXYGEN) docs/api/Doxyfile
	@echo "docs: docs/api/html/index.html"
else
	@echo "docs: skipped, doxygen is not installed (Debian: apt-get install doxygen; then configure again)"
endif

# The picture of README.md, from the points of paper/results.
EXTRA_DIST += build-aux/profile.gp
.PHONY: front-picture
front-picture:
	gnuplot -e "style='$(srcdir)/build-aux/figures.gp'; out='$(srcdir)/%D%/profile.svg'; \
	  data='$(srcdir)/paper/results/accuracy/profile_contact_1e-08.csv'" $(srcdir)/build-aux/profile.gp

if COMMAND
# perp(1) and a page for each verb, printed by the command itself.
manual_verbs = compare convert generate info paper plot simulate \
    solve verify view
man1_MANS = %D%/man/perp.1 $(manual_verbs:%=%D%/man/perp-%.1)
CLEANFILES += $(man1_MANS)
%D%/man/perp.1: perp$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./perp$(EXEEXT) manual >$@.tmp && mv $@.tmp $@
%D%/man/perp-%.1: perp$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./perp$(EXEEXT) manual $* >$@.tmp && mv $@.tmp $@

# Stills of the scenes and the table of the quick suite in docs/results.md: PICTURES='stack wall results'.
PICTURES =
dist_noinst_DATA += build-aux/pictures.py
pictures: perp$(EXEEXT)
	python3 $(srcdir)/build-aux/pictures.py ./perp$(EXEEXT) $(srcdir) $(PICTURES)

# Run perp verify --exact on all instances, or the folders in EXACT, and write docs/exact.md.
EXACT =
dist_noinst_DATA += build-aux/exact-table.py
exact-table: perp$(EXEEXT)
	python3 $(srcdir)/build-aux/exact-table.py ./perp$(EXEEXT) $(srcdir)/datasets \
	  $(srcdir)/docs/exact.md $(EXACT)

# Completion scripts, printed by the command, installed in the folders that the shells read.
bashcompletiondir = $(datadir)/bash-completion/completions
bashcompletion_DATA = %D%/completion/perp
zshcompletiondir = $(datadir)/zsh/site-functions
zshcompletion_DATA = %D%/completion/_perp
fishcompletiondir = $(datadir)/fish/vendor_completions.d
fishcompletion_DATA = %D%/completion/perp.fish
CLEANFILES += $(bashcompletion_DATA) $(zshcompletion_DATA) $(fishcompletion_DATA)
%D%/completion/perp: perp$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./perp$(EXEEXT) --completion bash >$@.tmp && mv $@.tmp $@
%D%/completion/_perp: perp$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./perp$(EXEEXT) --completion zsh >$@.tmp && mv $@.tmp $@
%D%/completion/perp.fish: perp$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./perp$(EXEEXT) --completion fish >$@.tmp && mv $@.tmp $@
endif
