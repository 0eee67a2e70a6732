# SPDX-License-Identifier: Apache-2.0
# libFuzzer targets, one per reader; `make fuzz` builds and runs them in a folder of its own.
# What they start from (seeds) and what they found (finds) is replayed by every `make check`.
# The report asks the command, which stands before it, where its scripts are.
fuzz_runs_ldflags = -Wl,-u,data_find -Wl,-u,output_cell

.PHONY: fuzzers
if FUZZING
fuzz_programs = \
    %D%/fuzz_exec \
    %D%/fuzz_csv \
    %D%/fuzz_fclib \
    %D%/fuzz_fclib_bytes \
    %D%/fuzz_golden \
    %D%/fuzz_instances \
    %D%/fuzz_json \
    %D%/fuzz_lock \
    %D%/fuzz_matrix_market \
    %D%/fuzz_mesh \
    %D%/fuzz_npy \
    %D%/fuzz_meta \
    %D%/fuzz_npz \
    %D%/fuzz_paper \
    %D%/fuzz_quantity \
    %D%/fuzz_runs \
    %D%/fuzz_scene \
    %D%/fuzz_sequence \
    %D%/fuzz_siconos \
    %D%/fuzz_solution \
    %D%/fuzz_suite \
    %D%/fuzz_trajectory \
    %D%/fuzz_urdf \
    %D%/fuzz_words
if MATIO
fuzz_programs += %D%/fuzz_mat
endif
EXTRA_PROGRAMS += $(fuzz_programs)
fuzzers: $(fuzz_programs)

fuzz_ldflags = -static -fsanitize=fuzzer
%C%_fuzz_exec_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_csv_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_fclib_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_fclib_bytes_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_golden_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_json_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_mat_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_matrix_market_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_mesh_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_npy_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_meta_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_npz_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_npz_LDADD = $(tests_ldadd) $(LIBZIP_LIBS)
%C%_fuzz_runs_LDFLAGS = $(fuzz_ldflags) $(fuzz_runs_ldflags)
%C%_fuzz_runs_LDADD = $(command_ldadd)
%C%_fuzz_scene_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_sequence_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_siconos_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_solution_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_solution_LDADD = $(command_ldadd)
%C%_fuzz_suite_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_suite_LDADD = $(command_ldadd)
%C%_fuzz_urdf_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_instances_LDFLAGS = $(fuzz_ldflags) $(fuzz_runs_ldflags)
%C%_fuzz_instances_LDADD = $(command_ldadd)
%C%_fuzz_paper_LDFLAGS = $(fuzz_ldflags) $(fuzz_runs_ldflags)
%C%_fuzz_paper_LDADD = $(command_ldadd)
%C%_fuzz_words_LDFLAGS = $(fuzz_ldflags) $(fuzz_runs_ldflags)
%C%_fuzz_words_LDADD = $(command_ldadd)
%C%_fuzz_trajectory_LDFLAGS = $(fuzz_ldflags) $(fuzz_runs_ldflags)
%C%_fuzz_trajectory_LDADD = $(command_ldadd)
%C%_fuzz_quantity_LDFLAGS = $(fuzz_ldflags)
%C%_fuzz_lock_LDFLAGS = $(fuzz_ldflags) $(fuzz_runs_ldflags)
%C%_fuzz_lock_LDADD = $(command_ldadd)
endif

check_PROGRAMS += \
    %D%/replay_exec \
    %D%/replay_csv \
    %D%/replay_fclib \
    %D%/replay_fclib_bytes \
    %D%/replay_golden \
    %D%/replay_json \
    %D%/replay_matrix_market \
    %D%/replay_mesh \
    %D%/replay_npy \
    %D%/replay_meta \
    %D%/replay_npz \
    %D%/replay_quantity \
    %D%/replay_scene \
    %D%/replay_sequence \
    %D%/replay_siconos \
    %D%/replay_urdf
# Those that link parts of the command.
if COMMAND
check_PROGRAMS += \
    %D%/replay_instances \
    %D%/replay_lock \
    %D%/replay_paper \
    %D%/replay_runs \
    %D%/replay_solution \
    %D%/replay_suite \
    %D%/replay_trajectory \
    %D%/replay_words
endif
if MATIO
check_PROGRAMS += %D%/replay_mat
endif
%C%_replay_exec_SOURCES = %D%/replay.c %D%/fuzz_exec.c
%C%_replay_csv_SOURCES = %D%/replay.c %D%/fuzz_csv.c
%C%_replay_fclib_SOURCES = %D%/replay.c %D%/fuzz_fclib.c
%C%_replay_fclib_bytes_SOURCES = %D%/replay.c %D%/fuzz_fclib_bytes.c
%C%_replay_golden_SOURCES = %D%/replay.c %D%/fuzz_golden.c
%C%_replay_json_SOURCES = %D%/replay.c %D%/fuzz_json.c
%C%_replay_mat_SOURCES = %D%/replay.c %D%/fuzz_mat.c
%C%_replay_matrix_market_SOURCES = %D%/replay.c %D%/fuzz_matrix_market.c
%C%_replay_mesh_SOURCES = %D%/replay.c %D%/fuzz_mesh.c
%C%_replay_npy_SOURCES = %D%/replay.c %D%/fuzz_npy.c
%C%_replay_meta_SOURCES = %D%/replay.c %D%/fuzz_meta.c
%C%_replay_npz_SOURCES = %D%/replay.c %D%/fuzz_npz.c
%C%_replay_npz_LDADD = $(tests_ldadd) $(LIBZIP_LIBS)
%C%_replay_runs_SOURCES = %D%/replay.c %D%/fuzz_runs.c
%C%_replay_runs_LDFLAGS = $(tests_ldflags) $(fuzz_runs_ldflags)
%C%_replay_runs_LDADD = $(command_tests_ldadd)
%C%_replay_scene_SOURCES = %D%/replay.c %D%/fuzz_scene.c
%C%_replay_sequence_SOURCES = %D%/replay.c %D%/fuzz_sequence.c
%C%_replay_siconos_SOURCES = %D%/replay.c %D%/fuzz_siconos.c
%C%_replay_solution_SOURCES = %D%/replay.c %D%/fuzz_solution.c
%C%_replay_solution_LDADD = $(command_tests_ldadd)
%C%_replay_suite_SOURCES = %D%/replay.c %D%/fuzz_suite.c
%C%_replay_suite_LDADD = $(command_tests_ldadd)
%C%_replay_urdf_SOURCES = %D%/replay.c %D%/fuzz_urdf.c
%C%_replay_instances_SOURCES = %D%/replay.c %D%/fuzz_instances.c
%C%_replay_instances_LDFLAGS = $(tests_ldflags) $(fuzz_runs_ldflags)
%C%_replay_instances_LDADD = $(command_tests_ldadd)
%C%_replay_paper_SOURCES = %D%/replay.c %D%/fuzz_paper.c
%C%_replay_paper_LDFLAGS = $(tests_ldflags) $(fuzz_runs_ldflags)
%C%_replay_paper_LDADD = $(command_tests_ldadd)
%C%_replay_words_SOURCES = %D%/replay.c %D%/fuzz_words.c
%C%_replay_words_LDFLAGS = $(tests_ldflags) $(fuzz_runs_ldflags)
%C%_replay_words_LDADD = $(command_tests_ldadd)
%C%_replay_trajectory_SOURCES = %D%/replay.c %D%/fuzz_trajectory.c
%C%_replay_trajectory_LDFLAGS = $(tests_ldflags) $(fuzz_runs_ldflags)
%C%_replay_trajectory_LDADD = $(command_tests_ldadd)
%C%_replay_quantity_SOURCES = %D%/replay.c %D%/fuzz_quantity.c
%C%_replay_lock_SOURCES = %D%/replay.c %D%/fuzz_lock.c
%C%_replay_lock_LDFLAGS = $(tests_ldflags) $(fuzz_runs_ldflags)
%C%_replay_lock_LDADD = $(command_tests_ldadd)

EXTRA_DIST += %D%/finds %D%/fuzz_files.h %D%/fuzz_folder.h %D%/readers.txt %D%/run.sh %D%/merge.sh %D%/seeds \
    %D%/time.tsv
