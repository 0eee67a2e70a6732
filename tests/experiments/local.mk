# SPDX-License-Identifier: Apache-2.0
tests_experiments_cppflags = $(experiments_cppflags) -I$(top_srcdir)/tests/support \
    $(CUNIT_CFLAGS)
tests_experiments_ldadd = tests/support/libsupport.la $(experiments_ldadd) $(CUNIT_LIBS)

check_PROGRAMS += tests/experiments/cli
tests_experiments_cli_SOURCES = tests/experiments/cli.c
tests_experiments_cli_CPPFLAGS = $(tests_experiments_cppflags)
tests_experiments_cli_LDFLAGS = $(tests_ldflags)
tests_experiments_cli_LDADD = $(tests_experiments_ldadd)

check_PROGRAMS += tests/experiments/suite
tests_experiments_suite_SOURCES = tests/experiments/suite.c
tests_experiments_suite_CPPFLAGS = $(tests_experiments_cppflags)
tests_experiments_suite_LDFLAGS = $(tests_ldflags)
tests_experiments_suite_LDADD = $(tests_experiments_ldadd)

check_PROGRAMS += tests/experiments/journal
tests_experiments_journal_SOURCES = tests/experiments/journal.c
tests_experiments_journal_CPPFLAGS = $(tests_experiments_cppflags)
tests_experiments_journal_LDFLAGS = $(tests_ldflags)
tests_experiments_journal_LDADD = $(tests_experiments_ldadd)

check_PROGRAMS += tests/experiments/runner
tests_experiments_runner_SOURCES = tests/experiments/runner.c
tests_experiments_runner_CPPFLAGS = $(tests_experiments_cppflags)
tests_experiments_runner_LDFLAGS = $(tests_ldflags)
tests_experiments_runner_LDADD = $(tests_experiments_ldadd)

# The command itself, from outside.
dist_check_SCRIPTS += tests/experiments/command.sh
