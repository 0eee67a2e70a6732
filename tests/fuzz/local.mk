# SPDX-License-Identifier: Apache-2.0
# Readers under any bytes. What the fuzzers start from (an archive of seeds per target) and what they
# found (finds) is a test; `make fuzz` makes each target a program of libFuzzer.
test_files += \
    %D%/fuzz_csv.c \
    %D%/fuzz_exec.c \
    %D%/fuzz_fclib.c \
    %D%/fuzz_fclib_bytes.c \
    %D%/fuzz_json.c \
    %D%/fuzz_matrix_market.c \
    %D%/fuzz_mesh.c \
    %D%/fuzz_meta.c \
    %D%/fuzz_npy.c \
    %D%/fuzz_npz.c \
    %D%/fuzz_quantity.c \
    %D%/fuzz_scene.c \
    %D%/fuzz_sequence.c \
    %D%/fuzz_siconos.c \
    %D%/fuzz_urdf.c
if COMMAND
test_files += \
    %D%/fuzz_instances.c \
    %D%/fuzz_lock.c \
    %D%/fuzz_paper.c \
    %D%/fuzz_runs.c \
    %D%/fuzz_solution.c \
    %D%/fuzz_suite.c \
    %D%/fuzz_trajectory.c \
    %D%/fuzz_words.c
endif
if MATIO
test_files += \
    %D%/fuzz_mat.c
endif
test_helpers += \
    %D%/fuzz_files.h \
    %D%/fuzz_folder.h \
    %D%/replay.c

# In a build with FUZZ_CC: tests/fuzz/fuzz-NAME.
fuzz_names = $(patsubst $(srcdir)/%D%/seeds/%.zip,%,$(wildcard $(srcdir)/%D%/seeds/*.zip))
.PHONY: fuzzers
fuzzers: $(fuzz_names:%=%D%/fuzz-%)
%D%/fuzz-%: $(srcdir)/%D%/fuzz_%.c $(tests_perp_tests_DEPENDENCIES)
	$(AM_V_CCLD)$(CC) $(DEFS) $(DEFAULT_INCLUDES) $(tests_perp_tests_CPPFLAGS) -DFUZZ_ALONE $(CPPFLAGS) \
	    $(AM_CFLAGS) $(CFLAGS) -c -o $@.o $< && \
	$(LIBTOOL) --silent --tag=CC --mode=link $(CC) $(AM_CFLAGS) $(CFLAGS) $(tests_perp_tests_LDFLAGS) \
	    -fsanitize=fuzzer $(LDFLAGS) -o $@ $@.o $(tests_perp_tests_LDADD) $(LIBS)

EXTRA_DIST += %D%/finds %D%/merge.sh %D%/readers.txt %D%/run.sh %D%/seeds %D%/time.tsv
