/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/memory.c: the k-th allocation fails, for every k, while files are read
 * and written; nothing breaks, leaks, or is left half written. */
#include <config.h>

#include <stdlib.h>

#include "files.h"
#include "scarce.h"

/* Read with the k-th allocation failing: a problem, or one line about memory. */
static perp_status read_once(const char *path, long k, perp_problem **p, bool *failed)
{
    perp_error err = {0};
    perp_status status = PERP_OK;

    scarce_begin(k);
    status = perp_problem_read(p, path, NULL, NULL, &err);
    *failed = scarce_end();
    if (*failed && !(status == PERP_OK || (err.status == status && err.text[0] && !*p))) {
        test_note("allocation %ld of %s: %d \"%s\"", k, path, (int)status, err.text);
        CU_FAIL("a failed allocation without a message");
    }
    return status;
}

static perp_status write_once(const perp_problem *p, const char *path, long k,
                              bool *failed)
{
    perp_error err = {0};
    perp_status status = PERP_OK;

    scarce_begin(k);
    status = perp_problem_write(p, path, NULL, NULL, &err);
    *failed = scarce_end();
    if (*failed && status == PERP_OK) {
        test_note("allocation %ld of %s was not missed", k, path);
    }
    CU_ASSERT_TRUE(!*failed || (status != PERP_OK && err.text[0]));
    CU_ASSERT_EQUAL(access(path, F_OK) == 0, status == PERP_OK);
    unlink(path);
    return status;
}

/* Every k until none fails any more; then write what was read in the same way. */
static void check_file(const char *file, const char *copy)
{
    char path[1024];
    const char *written = test_scratch(copy);
    perp_problem *p = NULL;
    perp_problem *good = NULL;
    long k = 0;
    bool failed = true;

    snprintf(path, sizeof path, "%s/%s", test_datasets(), file);
    OK(perp_problem_read(&good, path, NULL, NULL, NULL));
    for (failed = true; failed; k++) {
        if (read_once(path, k, &p, &failed) == PERP_OK) {
            CU_ASSERT_TRUE(files_same_problem(p, good)); /* it could do without */
            p = NULL;
        }
    }
    CU_ASSERT_TRUE(k > 3);
    k = 0;
    for (failed = true; failed; k++) {
        (void)write_once(good, written, k, &failed);
    }
    CU_ASSERT_TRUE(k > 3);
}

TEST(a_missing_allocation_is_reported_in_siconos_files)
{
    check_file("siconos-lcp/lcp_ortiz_block.dat", "memory.dat");
    check_file("siconos-mlcp/RCD_mlcp.dat", "memory.dat");
    check_file("siconos-relay/step_2x2.dat", "memory.dat");
    check_file("siconos-fc3d/FC3D_Example1_SBM.dat", "memory.dat");
    check_file("siconos-gfc3d/GFC3D_Example1.dat", "memory.dat");
    check_file("siconos-gmp/GMP5.dat", "memory.dat");
    check_file("siconos-rolling/rfc3d_sphere_from_grfc3d.dat", "memory.dat");
    check_file("../tests/formats/soclcp.dat", "memory.dat");
}

TEST(a_missing_allocation_is_reported_in_fclib_files)
{
    check_file("fclib/local_problem_test.hdf5", "memory.hdf5");
    check_file("fclib/Box_Stacks-i0122-82-5.hdf5", "memory.hdf5");
}

TEST(a_missing_allocation_is_reported_in_npz_archives)
{
    check_file("contactbench/sliding_cube.npz", "memory.contactbench.npz");
}

/* Golden instances through JSON and through a folder of Matrix Market files. */
static void check_golden(const char *file)
{
    char path[1024];
    char name[64];
    const char *folder = NULL;
    perp_problem *p = NULL;
    perp_problem *good = NULL;
    bool failed = true;

    snprintf(name, sizeof name, "memory-%.*s", (int)strcspn(file, "."), file);
    folder = test_scratch(name);
    snprintf(path, sizeof path, "%s/solvers/%s", test_golden(), file);
    OK(perp_problem_read(&good, path, NULL, NULL, NULL));
    for (long k = 0; failed; k++) {
        if (read_once(path, k, &p, &failed) == PERP_OK) {
            CU_ASSERT_TRUE(files_same_problem(p, good));
            p = NULL;
        }
    }
    failed = true;
    for (long k = 0; failed; k++) {
        perp_error err = {0};
        perp_status status = PERP_OK;

        scarce_begin(k);
        status = perp_problem_write(good, folder, NULL, NULL, &err);
        failed = scarce_end();
        CU_ASSERT_TRUE(!failed || (status != PERP_OK && err.text[0]));
        CU_ASSERT_EQUAL(access(folder, F_OK) == 0, status == PERP_OK);
    }
    failed = true;
    for (long k = 0; failed; k++) {
        if (read_once(folder, k, &p, &failed) == PERP_OK) {
            CU_ASSERT_TRUE(files_same_problem(p, good));
            p = NULL;
        }
    }
}

TEST(a_missing_allocation_is_reported_in_json_and_matrix_market)
{
    check_golden("boxed_int_0.json");
    check_golden("incline_slip.json");
    check_golden("ahn_16.json");
}
