# SPDX-License-Identifier: Apache-2.0
# Targets for developers. Each further build lives in a folder of its own.

.PHONY: format lint posix-check asan-check valgrind-check coverage fuzz

sources_of_ours = cd $(srcdir) && git ls-files '*.c' '*.h'

no_layout = clang-format of version 14 is not installed
format:
	@test -n "$(CLANG_FORMAT)" || { echo "format: $(no_layout)"; exit 77; }
	$(sources_of_ours) | xargs $(CLANG_FORMAT) -i

# Check the layout, the rooms and the prose, and run cppcheck. Without cppcheck the exit status is 77,
# as of a skipped test; without clang-format 14 the layout is not checked.
lint:
	@test -n "$(CPPCHECK)" || { echo "lint: cppcheck is not installed"; exit 77; }
	@if test -n "$(CLANG_FORMAT)"; then $(sources_of_ours) | xargs $(CLANG_FORMAT) --dry-run -Werror; \
	  else echo "lint: the layout is not checked: $(no_layout)"; fi
	$(SHELL) $(srcdir)/build-aux/rooms.sh
	$(SHELL) $(srcdir)/build-aux/prose.sh $(srcdir)
	cd $(srcdir) && $(CPPCHECK) --quiet --error-exitcode=1 --inline-suppr --std=c11 \
	  --enable=warning,performance,portability --suppress=missingIncludeSystem \
	  --suppressions-list=build-aux/cppcheck.txt -j 2 \
	  -I. -Ilibsolvers -Ilibdynamics -Itests/support -Itests/reference \
	  $$(git ls-files 'libsolvers/*.c' 'libdynamics/*.c' 'command/*.c' 'interop/*.c' 'web/*.c' 'experiments/*.c' \
	    'tests/support/*.c' 'tests/fuzz/*.c')

# $(call other_build,FOLDER,CONFIGURE ARGUMENTS,MAKE ARGUMENTS)
other_build = mkdir -p $(1) && cd $(1) && \
  { test -f Makefile || $(abs_srcdir)/configure --quiet $(2); } && $(MAKE) $(3)

# Only the libraries and their tests, with the fallback for every call that is specific to Linux.
posix-check:
	+$(call other_build,build-posix,--disable-command --enable-werror \
	  CPPFLAGS=-DPERP_POSIX_ONLY,check)

sanitizers = -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all \
  -fno-omit-frame-pointer

# PERP_TEST_BRIEF skips what is too slow in such a build; lsan.txt lists leaks of other libraries.
asan-check:
	+export PERP_TEST_BRIEF=1; \
	  export LSAN_OPTIONS=suppressions=$(abs_srcdir)/build-aux/lsan.txt:print_suppressions=0; \
	  $(call other_build,build-asan,CFLAGS="-g -O1 $(sanitizers)" --disable-shared,check)

# The libraries, the command and the tests by each of COMPILERS, without a warning.
COMPILERS = gcc clang
.PHONY: compilers-check
compilers-check:
	+for cc in $(COMPILERS); do \
	  ( $(call other_build,build-$$cc,CC=$$cc --enable-werror --disable-shared,--silent check TESTS=) ) || exit 1; \
	  echo "compilers-check: $$cc: no warning"; done

valgrind-check:
	@test -n "$(VALGRIND)" || { echo "valgrind-check: valgrind is not installed"; exit 77; }
	PERP_TEST_BRIEF=1 $(MAKE) check C_LOG_COMPILER='$(LIBTOOL) --mode=execute $(VALGRIND) -q \
	  --error-exitcode=1 --leak-check=full --show-leak-kinds=definite \
	  --errors-for-leak-kinds=definite tests/perp-tests$(EXEEXT)'

coverage:
	+export PERP_TEST_BRIEF=1; $(call other_build,build-coverage,CFLAGS="-g -O0 --coverage" --disable-shared,check)
	$(SHELL) $(srcdir)/build-aux/coverage.sh build-coverage $(abs_srcdir)

# Each reader under libFuzzer, or those in FUZZ, FUZZ_JOBS at a time, until each has had FUZZ_SECONDS of
# processor time, which tests/fuzz/time.tsv records. Finds are in build-fuzz/finds; copy them to
# tests/fuzz/finds as tests. `make fuzz-seeds` replaces the seeds of FUZZ by the smallest inputs with
# the same coverage.
FUZZ_SECONDS = 3600
FUZZ_JOBS = 1
FUZZ =
FUZZ_CC = clang
.PHONY: fuzz-build fuzz-seeds
fuzz-build:
	+$(call other_build,build-fuzz,CC=$(FUZZ_CC) --disable-shared \
	  CFLAGS="-g -O1 -fsanitize=fuzzer-no-link $(sanitizers)",fuzzers)
fuzz: fuzz-build
	cd build-fuzz && $(SHELL) $(abs_srcdir)/tests/fuzz/run.sh $(abs_srcdir) $(FUZZ_SECONDS) \
	  $(FUZZ_JOBS) $(FUZZ)
fuzz-seeds: fuzz-build
	cd build-fuzz && $(SHELL) $(abs_srcdir)/tests/fuzz/merge.sh $(abs_srcdir) $(FUZZ)

EXTRA_DIST += %D%/cppcheck.txt %D%/lsan.txt %D%/coverage.sh %D%/rooms.sh %D%/rooms.txt %D%/prose.sh %D%/prose.txt

# The targets with a line each; a test compares the list with the makefiles.
EXTRA_DIST += %D%/help.txt %D%/compile-commands.awk
.PHONY: help
help:
	@sed 1d $(srcdir)/build-aux/help.txt

# The commands of the compiler for editors and clangd, in the root of the source tree. Nothing is
# built: make -n prints what it would do if every source had changed. (-B would also make the files
# of dependencies again, which are makefiles, and empty them.)
.PHONY: compile_commands.json
compile_commands.json:
	$(AM_V_GEN)$(MAKE) -nk V=1 `$(sources_of_ours) | sed 's/^/-W /'` all $(check_PROGRAMS) 2>/dev/null | \
	  $(AWK) -v folder='$(abs_builddir)' -f $(srcdir)/build-aux/compile-commands.awk \
	    >$(abs_srcdir)/$@.tmp && mv $(abs_srcdir)/$@.tmp $(abs_srcdir)/$@

# docs/solvers: a page and a picture of every solver, or of those in PAGES. Run pages-text, which is
# fast, when the opening comment or the options of a solver change.
PAGES =
.PHONY: pages pages-text
pages: perp$(EXEEXT)
	PAGES='$(PAGES)' $(SHELL) $(srcdir)/build-aux/pages.sh $(abs_builddir)/perp$(EXEEXT) \
	  $(abs_srcdir)
pages-text: perp$(EXEEXT)
	PAGES='$(PAGES)' $(SHELL) $(srcdir)/build-aux/pages.sh $(abs_builddir)/perp$(EXEEXT) \
	  $(abs_srcdir) text
EXTRA_DIST += %D%/pages.sh %D%/page.gp %D%/figures.gp
