# SPDX-License-Identifier: Apache-2.0
# The command. All but its main function is a library of its own, for the tests.

experiments_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir) -I$(top_builddir) $(OPENBLAS_CFLAGS) \
    $(LAPACKE_CFLAGS) $(JANSSON_CFLAGS) $(HDF5_CFLAGS) $(GSL_CFLAGS) \
    -DPERP_DATA_DIR='"$(pkgdatadir)/experiments"'
experiments_ldadd = experiments/libexperiments.la experiments/families/libfamilies.la \
    libdynamics/libperp-dynamics.la \
    libsolvers/libperp-solvers.la libsolvers/base/libbase.la \
    libsolvers/base/libbasehdf5.la \
    libdynamics/libperp-dynamics.la libsolvers/libperp-solvers.la \
    libsolvers/base/libbase.la libsolvers/base/libbasehdf5.la \
    $(LAPACKE_LIBS) $(OPENBLAS_LIBS) $(HDF5_LIBS) $(JANSSON_LIBS) $(GSL_LIBS) $(ZLIB_LIBS) $(FLINT_LIBS) $(DL_LIBS) -lm

noinst_LTLIBRARIES += %D%/libexperiments.la
experiments_libexperiments_la_CPPFLAGS = $(experiments_cppflags)
experiments_libexperiments_la_LIBADD = $(JANSSON_LIBS) $(GSL_LIBS)
experiments_libexperiments_la_SOURCES = \
    %D%/cli/answer.c %D%/cli/answer.h %D%/cli/args.c %D%/cli/args.h %D%/cli/csv.c %D%/cli/csv.h %D%/cli/data.c \
    %D%/cli/data.h %D%/cli/emergency.c %D%/cli/emergency.h %D%/cli/heap.h %D%/cli/help.c %D%/cli/help.h \
    %D%/cli/holder.c %D%/cli/holder.h %D%/cli/machine.c \
    %D%/cli/machine.h %D%/cli/machine_state.c %D%/cli/manual.c %D%/cli/output.c \
    %D%/cli/output.h %D%/cli/output_format.c %D%/cli/output_format.h %D%/cli/output_table.c %D%/cli/page.c %D%/cli/page.h %D%/cli/progress.c %D%/cli/progress.h \
    %D%/cli/completion.c %D%/cli/completion.h %D%/cli/plot.c %D%/cli/plot.h \
    %D%/cli/plot_curve.c %D%/cli/sparkline.c %D%/cli/sparkline.h \
    %D%/cli/standard.c %D%/cli/standard.h %D%/cli/replace.c %D%/cli/replace.h \
    %D%/cores/cores.c %D%/cores/cores.h \
    %D%/verbs/complete.c %D%/verbs/complete.h %D%/verbs/complete_values.c \
    %D%/verbs/convergence.c %D%/verbs/convergence.h %D%/verbs/facts.c %D%/verbs/facts.h \
    %D%/verbs/facts_print.c %D%/verbs/run_lines.c %D%/verbs/run_lines.h \
    %D%/runner/blocks.c %D%/runner/blocks.h %D%/runner/command.c %D%/runner/command.h \
    %D%/runner/instances.c %D%/runner/instances.h \
    %D%/runner/call.c %D%/runner/call.h %D%/runner/certificates.c \
    %D%/runner/certificates.h %D%/runner/document.c %D%/runner/document.h \
    %D%/runner/instance.c %D%/runner/instance.h %D%/runner/journal.c %D%/runner/journal.h \
    %D%/runner/line.c %D%/runner/line.h %D%/runner/pinning.c %D%/runner/pinning.h \
    %D%/runner/policies.c %D%/runner/policies.h %D%/runner/queue.c %D%/runner/queue.h \
    %D%/runner/ranks.c %D%/runner/ranks.h %D%/runner/record.c %D%/runner/record.h \
    %D%/runner/repeat.c %D%/runner/repeat.h %D%/runner/runner.c %D%/runner/runner.h \
    %D%/runner/solution.c %D%/runner/solution.h %D%/runner/spectrum.c \
    %D%/runner/spectrum.h %D%/runner/subject.c %D%/runner/subject.h \
    %D%/runner/subject_instance.c %D%/runner/subject_scene.c %D%/runner/subject_sequence.c \
    %D%/runner/suite.c %D%/runner/suite.h %D%/runner/suite_columns.c \
    %D%/runner/suite_columns.h %D%/runner/suite_entries.c %D%/runner/suite_entries.h \
    %D%/runner/suite_misplaced.c %D%/runner/suite_only.c %D%/runner/suite_parts.h \
    %D%/runner/suite_plan.c %D%/runner/suite_quick.c %D%/runner/suite_rules.c \
    %D%/runner/suite_solvers.c %D%/runner/suite_values.c %D%/runner/suite_values.h \
    %D%/runner/suite_vary.c %D%/runner/suite_vary.h %D%/runner/suite_vary_call.c \
    %D%/runner/wire.c %D%/runner/wire.h %D%/runner/worker.c %D%/runner/worker.h \
    %D%/runner/workers.c %D%/runner/workers.h %D%/verbs/against.c %D%/verbs/against.h \
    %D%/verbs/codes.c %D%/verbs/codes.h %D%/verbs/compare.c %D%/verbs/convert.c \
    %D%/verbs/entry.c %D%/verbs/entry.h %D%/verbs/dry_run.c %D%/verbs/dry_run.h %D%/verbs/export.c %D%/verbs/generate.c \
    %D%/verbs/gradient.c %D%/verbs/gradient_check.c %D%/verbs/gradient_check.h \
    %D%/verbs/info.c %D%/verbs/list.c %D%/verbs/list.h %D%/verbs/measures.c \
    %D%/verbs/measures.h %D%/verbs/merge.c %D%/verbs/new_paper.c %D%/verbs/paper.c \
    %D%/verbs/parts.c %D%/verbs/parts.h %D%/verbs/plot.c \
    %D%/simulate/robots.c %D%/simulate/robots.h %D%/verbs/scenes.c %D%/verbs/scene_facts.c %D%/verbs/scene_facts.h \
    %D%/verbs/scenes.h %D%/verbs/simulate.c %D%/verbs/slurm.c %D%/verbs/slurm.h \
    %D%/verbs/solutions.c %D%/verbs/solutions.h \
    %D%/verbs/solve.c %D%/verbs/solve_sequence.c %D%/verbs/suites.c %D%/verbs/suites.h \
    %D%/verbs/verbs.c %D%/verbs/verbs.h %D%/verbs/verify.c \
    %D%/verbs/view.c %D%/verbs/view_files.c %D%/verbs/view_files.h \
    %D%/runner/contradiction.c %D%/runner/contradiction.h \
    %D%/verbs/verify_answer.c %D%/verbs/verify_answer.h %D%/verbs/verify_exact.c \
    %D%/cli/plugin.c %D%/cli/plugin.h %D%/runner/suite_plugin.c

# The pages of the solvers: the comments that open their files.
nodist_experiments_libexperiments_la_SOURCES = %D%/cli/pages.c
CLEANFILES += %D%/cli/pages.c
dist_noinst_DATA += build-aux/pages.awk
%D%/cli/pages.c: $(libsolvers_libperp_solvers_la_SOURCES) build-aux/pages.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cd $(srcdir) && awk -f build-aux/pages.awk \
	    $(filter %.c,$(libsolvers_libperp_solvers_la_SOURCES)) >$(abs_top_builddir)/$@.tmp && \
	    mv $(abs_top_builddir)/$@.tmp $(abs_top_builddir)/$@

# Links the shared libraries where they are built; libtool then puts a script that finds them
# in the place of the program until it is installed.
bin_PROGRAMS += perp
perp_SOURCES = %D%/main.c
perp_CPPFLAGS = $(experiments_cppflags)
# The functions that a plugin may call: those of libperp-solvers, all of them also where the library
# is linked statically.
perp_LDFLAGS = -Wl,@%D%/plugin.ld
EXTRA_perp_DEPENDENCIES = %D%/source-tree %D%/plugin.ld
CLEANFILES += %D%/plugin.ld %D%/plugin.list
%D%/plugin.ld: libsolvers/exports.txt
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	    { echo '{'; sed 's/$$/;/' $(srcdir)/libsolvers/exports.txt; echo '};'; } >%D%/plugin.list && \
	    { sed 's/^/--undefined=/' $(srcdir)/libsolvers/exports.txt; \
	      echo '--dynamic-list=%D%/plugin.list'; } >$@.tmp && mv $@.tmp $@
perp_LDADD = $(experiments_ldadd)
# Programs are linked again where the libraries are installed.
install-binPROGRAMS install-pkglibexecPROGRAMS: install-libLTLIBRARIES

# The commit that is built, for the record of every run: looked up at each make, written only
# when it has changed, so that nothing is compiled again for nothing.
BUILT_SOURCES += %D%/cli/build-commit.h
CLEANFILES += %D%/cli/build-commit.h
$(experiments_libexperiments_la_OBJECTS): | %D%/cli/build-commit.h
commit-now:
%D%/cli/build-commit.h: commit-now
	@$(MKDIR_P) $(@D)
	@commit=`git -C $(srcdir) rev-parse --short=12 HEAD 2>/dev/null || echo unknown`; \
	test "$$commit" = unknown || git -C $(srcdir) diff-index --quiet HEAD -- 2>/dev/null \
	    || commit="$$commit-dirty"; \
	echo "#define PERP_BUILD_COMMIT \"$$commit\"" >$@.tmp; \
	if cmp -s $@.tmp $@; then rm -f $@.tmp; else mv $@.tmp $@; fi

# Installed as they lie here, so that ../../datasets of a suite holds there too.
suitesdir = $(pkgdatadir)/experiments/suites
dist_suites_DATA = %D%/suites/coordinates.json %D%/suites/quick.json %D%/suites/full.json \
    %D%/suites/large.json %D%/suites/large-brief.json %D%/suites/peers.json \
    %D%/suites/warm.json
studiesdir = $(pkgdatadir)/experiments/suites/studies
dist_studies_DATA = \
    %D%/suites/studies/accuracy.json \
    %D%/suites/studies/collision.json \
    %D%/suites/studies/conditioning.json \
    %D%/suites/studies/convexity.json \
    %D%/suites/studies/coordinates.json \
    %D%/suites/studies/energy.json \
    %D%/suites/studies/facets.json \
    %D%/suites/studies/friction.json \
    %D%/suites/studies/mass-ratio.json \
    %D%/suites/studies/redundancy.json \
    %D%/suites/studies/runtime.json \
    %D%/suites/studies/tolerance.json \
    %D%/suites/studies/warm-start.json
dist_noinst_DATA += %D%/suites/race.sh

# Auto against every solver, on seeds that its table is learnt from and on others: hours with
# these values, and a run that was stopped goes on. RACE is the folder of the results, whose
# summary.txt ends with the table of docs/race.md.
RACE = race
RACE_SECONDS = 10
RACE_SIZES = 100 200 400 800
RACE_SEEDS = 3
RACE_SOLVERS = all
RACE_CAPTURED =
race: perp$(EXEEXT)
	$(MKDIR_P) $(RACE)
	for half in learn test; do \
	  $(SHELL) $(srcdir)/experiments/suites/race.sh $$half $(RACE_SECONDS) '$(RACE_SIZES)' \
	    $(RACE_SEEDS) '$(RACE_SOLVERS)' $(abs_top_srcdir) $(RACE_CAPTURED) \
	    >$(RACE)/$$half.json && \
	  ./perp$(EXEEXT) compare $(RACE)/$$half.json -o $(RACE)/$$half --resume || exit 1; \
	done

# The schemas of problems and suites in JSON: perp info --schema problem.
schemasdir = $(pkgdatadir)/experiments/schemas
dist_schemas_DATA = %D%/schemas/problem.json %D%/schemas/suite.json

include experiments/web/local.mk
include experiments/view/local.mk
include experiments/exact/local.mk
include experiments/paper/local.mk
include experiments/simulate/local.mk
include experiments/export/local.mk
include experiments/report/local.mk
include experiments/bench/local.mk
include experiments/capture/local.mk
include experiments/codes/local.mk
