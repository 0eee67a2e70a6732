# SPDX-License-Identifier: Apache-2.0
# The command. All but its main function is a library of its own, for the tests.

command_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir) -I$(top_builddir) $(OPENBLAS_CFLAGS) \
    $(LAPACKE_CFLAGS) $(JANSSON_CFLAGS) $(HDF5_CFLAGS) $(GSL_CFLAGS) \
    -DPERP_DATA_DIR='"$(pkgdatadir)"'
command_ldadd = command/libcommand.la command/generate/libgenerate.la \
    libdynamics/libperp-dynamics.la \
    libsolvers/libperp-solvers.la libsolvers/base/libbase.la \
    libsolvers/base/libbasehdf5.la \
    libdynamics/libperp-dynamics.la libsolvers/libperp-solvers.la \
    libsolvers/base/libbase.la libsolvers/base/libbasehdf5.la \
    $(LAPACKE_LIBS) $(OPENBLAS_LIBS) $(HDF5_LIBS) $(JANSSON_LIBS) $(GSL_LIBS) $(ZLIB_LIBS) $(FLINT_LIBS) $(DL_LIBS) -lm

noinst_LTLIBRARIES += %D%/libcommand.la
command_libcommand_la_CPPFLAGS = $(command_cppflags)
command_libcommand_la_LIBADD = $(JANSSON_LIBS) $(GSL_LIBS)
command_libcommand_la_SOURCES = \
    %D%/cli/answer.c %D%/cli/answer.h %D%/cli/args.c %D%/cli/args.h %D%/cli/csv.c %D%/cli/csv.h %D%/cli/data.c \
    %D%/cli/data.h %D%/cli/heap.h %D%/cli/help.c %D%/cli/help.h \
    %D%/cli/holder.c %D%/cli/holder.h %D%/cli/machine.c \
    %D%/cli/machine.h %D%/cli/machine_state.c %D%/cli/manual.c %D%/cli/output.c \
    %D%/cli/output.h %D%/cli/output_format.c %D%/cli/output_format.h %D%/cli/output_table.c %D%/cli/page.c %D%/cli/page.h %D%/cli/progress.c %D%/cli/progress.h \
    %D%/cli/completion.c %D%/cli/completion.h %D%/cli/plot.c %D%/cli/plot.h \
    %D%/cli/plot_curve.c %D%/cli/sparkline.c %D%/cli/sparkline.h \
    %D%/cli/standard.c %D%/cli/standard.h %D%/cli/replace.c %D%/cli/replace.h \
    %D%/cores/cores.c %D%/cores/cores.h \
    %D%/verbs/complete.c %D%/verbs/complete.h %D%/verbs/complete_values.c \
    %D%/verbs/convergence.c %D%/verbs/convergence.h %D%/verbs/facts.c %D%/verbs/facts.h \
    %D%/verbs/facts_print.c %D%/verbs/forces.c %D%/verbs/forces.h %D%/verbs/run_lines.c %D%/verbs/run_lines.h \
    %D%/campaign/blocks.c %D%/campaign/blocks.h %D%/campaign/command.c %D%/campaign/command.h \
    %D%/campaign/instances.c %D%/campaign/instances.h \
    %D%/campaign/call.c %D%/campaign/call.h %D%/campaign/certificates.c \
    %D%/campaign/certificates.h %D%/campaign/document.c %D%/campaign/document.h \
    %D%/campaign/instance.c %D%/campaign/instance.h %D%/campaign/journal.c %D%/campaign/journal.h \
    %D%/campaign/line.c %D%/campaign/line.h %D%/campaign/pinning.c %D%/campaign/pinning.h \
    %D%/campaign/policies.c %D%/campaign/policies.h %D%/campaign/queue.c %D%/campaign/queue.h \
    %D%/campaign/ranks.c %D%/campaign/ranks.h %D%/campaign/record.c %D%/campaign/record.h \
    %D%/campaign/repeat.c %D%/campaign/repeat.h %D%/campaign/runner.c %D%/campaign/runner.h \
    %D%/campaign/solution.c %D%/campaign/solution.h %D%/campaign/spectrum.c \
    %D%/campaign/spectrum.h %D%/campaign/subject.c %D%/campaign/subject.h \
    %D%/campaign/subject_instance.c %D%/campaign/subject_scene.c %D%/campaign/subject_sequence.c \
    %D%/campaign/suite.c %D%/campaign/suite.h %D%/campaign/suite_columns.c \
    %D%/campaign/suite_columns.h %D%/campaign/suite_entries.c %D%/campaign/suite_entries.h \
    %D%/campaign/suite_only.c %D%/campaign/suite_parts.h \
    %D%/campaign/suite_plan.c %D%/campaign/suite_quick.c %D%/campaign/suite_rules.c \
    %D%/campaign/suite_solvers.c %D%/campaign/suite_values.c %D%/campaign/suite_values.h \
    %D%/campaign/suite_vary.c %D%/campaign/suite_vary.h %D%/campaign/suite_vary_call.c \
    %D%/campaign/wire.c %D%/campaign/wire.h %D%/campaign/worker.c %D%/campaign/worker.h \
    %D%/campaign/workers.c %D%/campaign/workers.h %D%/verbs/against.c %D%/verbs/against.h \
    %D%/verbs/codes.c %D%/verbs/codes.h %D%/verbs/compare.c %D%/verbs/convert.c \
    %D%/cli/input.c %D%/cli/input.h %D%/verbs/entry.c %D%/verbs/entry.h %D%/verbs/dry_run.c %D%/verbs/dry_run.h %D%/verbs/dataset.c %D%/verbs/dataset.h %D%/verbs/generate.c \
    %D%/verbs/gradient.c %D%/verbs/gradient_check.c %D%/verbs/gradient_check.h \
    %D%/verbs/info.c %D%/verbs/list.c %D%/verbs/list.h %D%/verbs/measures.c \
    %D%/verbs/measures.h %D%/verbs/compare_merge.c %D%/verbs/compare_merge.h %D%/verbs/paper_new.c %D%/verbs/paper_new.h %D%/verbs/gradient.h %D%/verbs/paper.c \
    %D%/verbs/parts.c %D%/verbs/parts.h %D%/verbs/plot.c %D%/verbs/point.c %D%/verbs/point.h \
    %D%/simulate/robots.c %D%/simulate/robots.h %D%/verbs/scenes.c %D%/verbs/scene_facts.c %D%/verbs/scene_facts.h \
    %D%/verbs/scenes.h %D%/verbs/simulate.c %D%/verbs/slurm.c %D%/verbs/slurm.h \
    %D%/verbs/solutions.c %D%/verbs/solutions.h \
    %D%/verbs/solve.c %D%/verbs/solve_sequence.c %D%/verbs/suites.c %D%/verbs/suites.h \
    %D%/verbs/verbs.c %D%/verbs/verbs.h %D%/verbs/verify.c \
    %D%/verbs/view.c %D%/verbs/view_files.c %D%/verbs/view_files.h \
    %D%/campaign/contradiction.c %D%/campaign/contradiction.h \
    %D%/verbs/verify_answer.c %D%/verbs/verify_answer.h %D%/verbs/verify_exact.c \
    %D%/cli/plugin.c %D%/cli/plugin.h %D%/campaign/suite_plugin.c

# The pages of the solvers: the comments that open their files.
nodist_command_libcommand_la_SOURCES = %D%/cli/pages.c
CLEANFILES += %D%/cli/pages.c
dist_noinst_DATA += build-aux/pages.awk
%D%/cli/pages.c: $(libsolvers_libperp_solvers_la_SOURCES) build-aux/pages.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cd $(srcdir) && awk -f build-aux/pages.awk \
	    $(filter %.c,$(libsolvers_libperp_solvers_la_SOURCES)) >$(abs_top_builddir)/$@.tmp && \
	    mv $(abs_top_builddir)/$@.tmp $(abs_top_builddir)/$@

# Linked with the shared libraries where they are built; until the installation the program is then a
# script of libtool that finds them.
bin_PROGRAMS += perp
perp_SOURCES = %D%/main.c
perp_CPPFLAGS = $(command_cppflags)
# The functions that a plugin may call: all of libperp-solvers, also where it is linked statically.
perp_LDFLAGS = -Wl,@%D%/plugin.ld
EXTRA_perp_DEPENDENCIES = experiments/source-tree %D%/plugin.ld
CLEANFILES += %D%/plugin.ld %D%/plugin.list
%D%/plugin.ld: libsolvers/exports.txt
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	    { echo '{'; sed 's/$$/;/' $(srcdir)/libsolvers/exports.txt; echo '};'; } >%D%/plugin.list && \
	    { sed 's/^/--undefined=/' $(srcdir)/libsolvers/exports.txt; \
	      echo '--dynamic-list=%D%/plugin.list'; } >$@.tmp && mv $@.tmp $@
perp_LDADD = $(command_ldadd)
# Programs are linked again where the libraries are installed.
install-binPROGRAMS install-pkglibexecPROGRAMS: install-libLTLIBRARIES

# The commit of the build, for the record of every run: read at each make, written only when it has
# changed, so that nothing is compiled again without need.
BUILT_SOURCES += %D%/cli/build-commit.h
CLEANFILES += %D%/cli/build-commit.h
$(command_libcommand_la_OBJECTS): | %D%/cli/build-commit.h
commit-now:
%D%/cli/build-commit.h: commit-now
	@$(MKDIR_P) $(@D)
	@commit=`git -C $(srcdir) rev-parse --short=12 HEAD 2>/dev/null || echo unknown`; \
	test "$$commit" = unknown || git -C $(srcdir) diff-index --quiet HEAD -- 2>/dev/null \
	    || commit="$$commit-dirty"; \
	echo "#define PERP_BUILD_COMMIT \"$$commit\"" >$@.tmp; \
	if cmp -s $@.tmp $@; then rm -f $@.tmp; else mv $@.tmp $@; fi

# The schemas of problems and suites in JSON: perp info --schema problem.
schemasdir = $(pkgdatadir)/command/schemas
dist_schemas_DATA = %D%/schemas/problem.json %D%/schemas/suite.json

include web/local.mk
include command/view/local.mk
include interop/exact/local.mk
include command/paper/local.mk
include command/simulate/local.mk
include command/export/local.mk
include command/results/local.mk
include interop/capture/local.mk
include interop/codes/local.mk
