# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/against.c \
    %D%/cli.c \
    %D%/condition.c \
    %D%/contradiction.c \
    %D%/coordinates.c \
    %D%/csv.c \
    %D%/draw.c \
    %D%/exact.c \
    %D%/exact_infeasible.c \
    %D%/families.c \
    %D%/figures.c \
    %D%/film.c \
    %D%/hdf5_versions.c \
    %D%/journal.c \
    %D%/kinds.c \
    %D%/kinds_failures.c \
    %D%/kinds_paths.c \
    %D%/kinds_sets.c \
    %D%/looks.c \
    %D%/measures.c \
    %D%/mjcf.c \
    %D%/motion.c \
    %D%/motion_contacts.c \
    %D%/motion_damage.c \
    %D%/orders.c \
    %D%/page_data.c \
    %D%/pairs.c \
    %D%/peers.c \
    %D%/race.c \
    %D%/recipe.c \
    %D%/report.c \
    %D%/runner.c \
    %D%/scenes.c \
    %D%/sequence.c \
    %D%/series.c \
    %D%/simulated.c \
    %D%/statistics.c \
    %D%/suite.c \
    %D%/table.c \
    %D%/terminal.c \
    %D%/trajectory.c \
    %D%/unresolved.c \
    %D%/vary.c \
    %D%/workers.c
if FLINT
test_files += \
    %D%/krawczyk.c
endif
test_helpers += \
    %D%/figures_of.h \
    %D%/kinds.h \
    %D%/motions.h \
    %D%/report.h \
    %D%/samples.c \
    %D%/samples.h \
    %D%/simulations.h

# Scripts that run the command.
dist_check_SCRIPTS += \
    %D%/command.sh \
    %D%/compare_scenes.sh \
    %D%/compare_statistics.sh \
    %D%/contradictions.sh \
    %D%/export.sh \
    %D%/fair.sh \
    %D%/force.sh \
    %D%/gradient.sh \
    %D%/forces.sh \
    %D%/kinds_drawn.sh \
    %D%/local_measure.sh \
    %D%/measures_page.sh \
    %D%/names.sh \
    %D%/page.sh \
    %D%/paper.sh \
    %D%/quickstart.sh \
    %D%/results.sh \
    %D%/robots.sh \
    %D%/same_bits.sh \
    %D%/simulate.sh \
    %D%/singular.sh \
    %D%/suites.sh \
    %D%/verify_exact.sh \
    %D%/view.sh \
    %D%/warnings.sh
full_scripts += %D%/campaign.sh %D%/mpi.sh %D%/studies.sh

dist_noinst_DATA += %D%/view_page.py %D%/names.py

# Plugins, compiled by the test.
dist_check_SCRIPTS += %D%/plugin.sh

# Each command of the tutorial.
dist_check_SCRIPTS += %D%/tutorial.sh

# The pages of the solvers, and the man pages.
dist_check_SCRIPTS += %D%/pages.sh %D%/manual.sh

# The command on terminals of several widths and locales, and the completion of words in shells.
dist_check_SCRIPTS += %D%/terminal_widths.sh %D%/completion.sh

# Runs after all others: libtool moves the libraries of the build folder while it installs them.
full_scripts += %D%/install.sh
%D%/install.log: $(filter-out %D%/install.log,$(TEST_LOGS))
