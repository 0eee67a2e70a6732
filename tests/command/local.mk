# SPDX-License-Identifier: Apache-2.0
command_tests_ldadd = tests/support/libsupport.la $(command_ldadd) $(CUNIT_LIBS)

check_PROGRAMS += \
    %D%/against \
    %D%/cli \
    %D%/condition \
    %D%/coordinates \
    %D%/csv \
    %D%/draw \
    %D%/exact \
    %D%/contradiction %D%/exact_infeasible \
    %D%/families \
    %D%/figures \
    %D%/hdf5_versions \
    %D%/film \
    %D%/journal \
    %D%/kinds_failures \
    %D%/kinds_paths \
    %D%/kinds_sets \
    %D%/kinds \
    %D%/looks \
    %D%/measures \
    %D%/motion \
    %D%/motion_contacts \
    %D%/motion_damage \
    %D%/orders \
    %D%/page_data \
    %D%/pairs \
    %D%/peers \
    %D%/race \
    %D%/recipe \
    %D%/report \
    %D%/runner \
    %D%/scenes \
    %D%/sequence \
    %D%/series \
    %D%/simulated \
    %D%/statistics \
    %D%/suite \
    %D%/table \
    %D%/terminal \
    %D%/trajectory \
    %D%/unresolved \
    %D%/vary \
    %D%/workers
%C%_against_SOURCES = %D%/against.c %D%/report.h $(scarce_sources)
%C%_against_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_against_LDADD = $(command_tests_ldadd)
%C%_cli_LDADD = $(command_tests_ldadd)
%C%_condition_LDADD = $(command_tests_ldadd)
%C%_coordinates_SOURCES = %D%/coordinates.c %D%/figures_of.h %D%/report.h
%C%_coordinates_LDADD = $(command_tests_ldadd) $(JANSSON_LIBS)
%C%_pairs_SOURCES = %D%/pairs.c %D%/report.h
%C%_pairs_LDADD = $(command_tests_ldadd)
%C%_csv_LDADD = $(command_tests_ldadd)
%C%_draw_SOURCES = %D%/draw.c %D%/samples.c %D%/samples.h $(scarce_sources)
%C%_draw_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_draw_LDADD = $(command_tests_ldadd)
%C%_exact_LDADD = $(command_tests_ldadd)
%C%_exact_infeasible_LDADD = $(command_tests_ldadd)
%C%_contradiction_LDADD = $(command_tests_ldadd)
%C%_families_SOURCES = %D%/families.c $(scarce_sources)
%C%_families_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/command/generate
%C%_families_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_families_LDADD = $(command_tests_ldadd)
%C%_figures_SOURCES = %D%/figures.c %D%/report.h
%C%_figures_LDADD = $(command_tests_ldadd)
%C%_film_LDADD = $(command_tests_ldadd)
%C%_journal_LDADD = $(command_tests_ldadd)
%C%_kinds_failures_SOURCES = %D%/kinds_failures.c %D%/figures_of.h %D%/report.h
%C%_kinds_failures_LDADD = $(command_tests_ldadd) $(JANSSON_LIBS)
%C%_kinds_paths_SOURCES = %D%/kinds_paths.c %D%/kinds.h %D%/report.h
%C%_kinds_paths_LDADD = $(command_tests_ldadd) $(JANSSON_LIBS)
%C%_kinds_sets_SOURCES = %D%/kinds_sets.c %D%/kinds.h %D%/report.h $(scarce_sources)
%C%_kinds_sets_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_kinds_sets_LDADD = $(command_tests_ldadd) $(JANSSON_LIBS)
%C%_kinds_SOURCES = %D%/kinds.c %D%/figures_of.h %D%/report.h $(scarce_sources)
%C%_kinds_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_kinds_LDADD = $(command_tests_ldadd) $(JANSSON_LIBS)
%C%_looks_LDADD = $(command_tests_ldadd) $(JANSSON_LIBS)
%C%_measures_SOURCES = %D%/measures.c $(scarce_sources)
%C%_measures_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_measures_LDADD = $(command_tests_ldadd)
%C%_motion_SOURCES = %D%/motion.c %D%/motions.h %D%/simulations.h $(scarce_sources)
%C%_motion_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_motion_LDADD = $(command_tests_ldadd)
%C%_motion_contacts_SOURCES = %D%/motion_contacts.c %D%/motions.h %D%/simulations.h
%C%_motion_contacts_LDADD = $(command_tests_ldadd)
%C%_hdf5_versions_SOURCES = %D%/hdf5_versions.c %D%/simulations.h tests/formats/files.h
%C%_hdf5_versions_LDADD = $(command_tests_ldadd)
%C%_motion_damage_SOURCES = %D%/motion_damage.c %D%/simulations.h
%C%_motion_damage_LDADD = $(command_tests_ldadd)
%C%_page_data_SOURCES = %D%/page_data.c %D%/report.h $(scarce_sources)
%C%_page_data_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_page_data_LDADD = $(command_tests_ldadd) $(JANSSON_LIBS)
%C%_orders_LDADD = $(command_tests_ldadd)
%C%_peers_SOURCES = %D%/peers.c %D%/report.h
%C%_peers_LDADD = $(command_tests_ldadd)
%C%_race_SOURCES = %D%/race.c %D%/report.h
%C%_race_LDADD = $(command_tests_ldadd)
%C%_recipe_SOURCES = %D%/recipe.c $(scarce_sources)
%C%_recipe_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_recipe_LDADD = $(command_tests_ldadd)
%C%_report_SOURCES = %D%/report.c %D%/report.h
%C%_report_LDADD = $(command_tests_ldadd)
%C%_runner_LDADD = $(command_tests_ldadd)
%C%_scenes_LDADD = $(command_tests_ldadd)
%C%_sequence_SOURCES = %D%/sequence.c %D%/report.h
%C%_sequence_LDADD = $(command_tests_ldadd)
%C%_series_LDADD = $(command_tests_ldadd) $(JANSSON_LIBS)
%C%_simulated_SOURCES = %D%/simulated.c %D%/simulations.h $(scarce_sources)
%C%_simulated_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_simulated_LDADD = $(command_tests_ldadd)
%C%_statistics_SOURCES = %D%/statistics.c %D%/report.h $(scarce_sources)
%C%_statistics_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_statistics_LDADD = $(command_tests_ldadd)
%C%_suite_LDADD = $(command_tests_ldadd)
%C%_table_SOURCES = %D%/table.c $(scarce_sources)
%C%_table_LDFLAGS = $(tests_ldflags) $(tests_scarce)
%C%_table_LDADD = $(command_tests_ldadd) $(JANSSON_LIBS)
%C%_terminal_LDADD = $(command_tests_ldadd)
%C%_trajectory_LDADD = $(command_tests_ldadd)
%C%_unresolved_LDADD = $(command_tests_ldadd)
%C%_vary_LDADD = $(command_tests_ldadd)
%C%_workers_LDADD = $(command_tests_ldadd)

# The command itself, from outside.
dist_check_SCRIPTS += %D%/campaign.sh %D%/command.sh %D%/compare_scenes.sh %D%/contradictions.sh %D%/verify_exact.sh %D%/export.sh %D%/fair.sh %D%/force.sh \
    %D%/gradient.sh %D%/kinds_drawn.sh %D%/local_measure.sh %D%/measures_page.sh %D%/mpi.sh %D%/names.sh %D%/page.sh %D%/paper.sh %D%/quickstart.sh \
    %D%/results.sh %D%/robots.sh %D%/same_bits.sh %D%/warnings.sh \
    %D%/simulate.sh %D%/singular.sh %D%/compare_statistics.sh %D%/studies.sh %D%/suites.sh %D%/view.sh

dist_noinst_DATA += %D%/view_page.py %D%/names.py

# Solvers of one's own, compiled by the test.
dist_check_SCRIPTS += %D%/plugin.sh

# Each command of the tutorial.
dist_check_SCRIPTS += %D%/tutorial.sh

# The pages of the solvers, and the man pages.
dist_check_SCRIPTS += %D%/pages.sh %D%/manual.sh

# The command on terminals of several widths and locales, and the completion of words in shells.
dist_check_SCRIPTS += %D%/terminal_widths.sh %D%/completion.sh

# After all others: libtool moves the libraries of the build folder while it installs them.
dist_check_SCRIPTS += %D%/install.sh
%D%/install.log: $(filter-out %D%/install.log,$(TEST_LOGS))


# Proofs need FLINT and Arb.
if FLINT
check_PROGRAMS += %D%/krawczyk
%C%_krawczyk_LDADD = $(command_tests_ldadd)
endif
