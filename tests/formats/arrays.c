/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/arrays.c: problems as named arrays in MATLAB files and NumPy archives: every
 * set, global problems and points come back with their bits; arrays of others are read by
 * their names; what is refused. The other programs read them in tests/interop. */
#include <config.h>

#include <math.h>
#include <matio.h>
#include <string.h>

#include "files.h"
#include "scarce.h"

static const char *const formats[] = {"mat", "npz"};

enum { FORMATS = sizeof formats / sizeof *formats };

TEST(every_set_comes_back)
{
    static const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR};
    static const perp_law laws[] = {PERP_LAW_COULOMB, PERP_LAW_ASSOCIATED};

    for (size_t f = 0; f < FORMATS; f++) {
        for (size_t k = 0; k < 4; k++) {
            perp_problem *p = files_every_set(storages[k / 2], laws[k % 2]);

            files_come_back(p, test_scratch(formats[f]), formats[f], false);
        }
    }
}

TEST(data_sets_come_back)
{
    static const char *const files[] = {
        "fclib/CubeH8.hdf5",
        "fclib/Box_Stacks-i0122-82-5.hdf5",
        "siconos-lcp/lcp_ortiz.dat",
        "siconos-lcp/lcp_deudeu_block.dat",
        "siconos-relay/relay1.dat",
        "siconos-gfc3d/GFC3D_TwoRods1.dat",
        "siconos-mlcp/RCD_mlcp.dat",
        "siconos-rolling/RFC3D_cube_1.dat",
        "siconos-gmp/GMP5.dat",
        "siconos-fc2d/FrictionContactProblem00237.dat",
        "fclib/local_problem_test.hdf5",
    };

    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        char path[1024];
        perp_problem *p = NULL;

        snprintf(path, sizeof path, "%s/%s", test_datasets(), files[k]);
        CU_ASSERT_EQUAL_FATAL(perp_problem_read(&p, path, NULL, NULL, NULL), PERP_OK);
        for (size_t f = 0; f < FORMATS; f++) {
            files_come_back(p, test_scratch(formats[f]), formats[f], false);
        }
    }
}

/* A variable of a MATLAB file by its numbers, as matio stores them. */
static void mat_add(mat_t *mat, const char *name, enum matio_classes class,
                    enum matio_types type, size_t rows, size_t cols, void *numbers)
{
    size_t dims[2] = {rows, cols};
    matvar_t *v = Mat_VarCreate(name, class, type, 2, dims, numbers, 0);

    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    CU_ASSERT_EQUAL(Mat_VarWrite(mat, v, MAT_COMPRESSION_ZLIB), 0);
    Mat_VarFree(v);
}

static mat_t *mat_begin(const char *path)
{
    mat_t *mat = Mat_CreateVer(path, NULL, MAT_FT_MAT5);

    CU_ASSERT_PTR_NOT_NULL_FATAL(mat);
    return mat;
}

/* As `save` of MATLAB leaves them: a row instead of a column, single numbers, whole numbers,
 * another case, compressed. */
TEST(arrays_of_others_are_read_by_their_names)
{
    const char *path = test_scratch("others.mat");
    double M[4] = {2.0, 1.0, 0.5, 2.0}; /* by columns */
    float q[2] = {-1.5F, 0.25F};
    int32_t lo[2] = {-3, 0};
    double hi[2] = {INFINITY, 7.0};
    perp_problem *p = NULL;
    mat_t *mat = mat_begin(path);

    mat_add(mat, "m", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 2, M);
    mat_add(mat, "Q", MAT_C_SINGLE, MAT_T_SINGLE, 1, 2, q);
    mat_add(mat, "lo", MAT_C_INT32, MAT_T_INT32, 2, 1, lo);
    mat_add(mat, "hi", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 1, hi);
    Mat_Close(mat);
    CU_ASSERT_EQUAL_FATAL(perp_problem_read(&p, path, NULL, NULL, NULL), PERP_OK);
    CU_ASSERT_EQUAL(p->n, 2);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), 1.0);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 1), 0.5);
    CU_ASSERT_EQUAL(p->b[0], -1.5);
    CU_ASSERT_EQUAL(p->b[1], 0.25);
    CU_ASSERT_EQUAL(p->set->blocks[0].lo, -3.0);
    CU_ASSERT_EQUAL(p->set->blocks[0].hi, INFINITY);
    CU_ASSERT_EQUAL(p->set->blocks[1].hi, 7.0);
}

/* A file with M of `rows` x `cols` numbers and q of two. */
static void expect_refused(size_t rows, size_t cols, const double *M, const double *q,
                           const char *words)
{
    const char *path = test_scratch("refused.mat");
    double numbers[9] = {0.0};
    mat_t *mat = mat_begin(path);

    if (M) {
        memcpy(numbers, M, rows * cols * sizeof *M);
        mat_add(mat, "M", MAT_C_DOUBLE, MAT_T_DOUBLE, rows, cols, numbers);
    }
    if (q) {
        memcpy(numbers, q, 2 * sizeof *q);
        mat_add(mat, "q", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 1, numbers);
    }
    Mat_Close(mat);
    files_refused(path, "mat", words);
}

TEST(a_matlab_file_that_is_no_problem_is_refused)
{
    const double M[4] = {1.0, 0.0, 0.0, 1.0};
    const double bad[4] = {1.0, NAN, 0.0, 1.0};
    const double q[2] = {-1.0, -1.0};
    const double far[2] = {-1.0, INFINITY};

    expect_refused(2, 2, M, NULL, "refused.mat: b: missing");
    expect_refused(2, 2, NULL, q, "refused.mat: A: missing");
    expect_refused(1, 2, M, q, "refused.mat: M is 1 x 2, expected 2 x 2");
    expect_refused(2, 2, bad, q, "refused.mat: M: holds NaN or an infinity");
    expect_refused(2, 2, M, far, "refused.mat: q: holds NaN or an infinity");
}

/* Cut anywhere, or changed in a byte, a file is refused or read, and nothing else. */
TEST(a_damaged_file_is_survived)
{
    for (size_t f = 0; f < FORMATS; f++) {
        const char *path = test_scratch("damaged");
        perp_read_options opt = {.format = formats[f]};
        perp_problem *p = files_every_set(PERP_STORAGE_CSR, PERP_LAW_COULOMB);
        size_t size = 0;
        char *bytes = NULL;

        CU_ASSERT_EQUAL_FATAL(perp_problem_write(p, path, formats[f], NULL, NULL),
                              PERP_OK);
        bytes = files_get(path, &size);
        for (size_t k = 0; k < size; k += 61) {
            perp_error err = {0};

            files_put(path, bytes, k);
            CU_ASSERT_NOT_EQUAL(perp_problem_read(&p, path, &opt, NULL, &err), PERP_OK);
            CU_ASSERT_PTR_NULL(p);
            bytes[k] ^= 0x10;
            files_put(path, bytes, size);
            if (perp_problem_read(&p, path, &opt, NULL, &err) == PERP_OK) {
                perp_problem_free(p);
            }
            bytes[k] ^= 0x10;
        }
        free(bytes);
    }
}

TEST(scarce_memory_is_survived)
{
    for (size_t f = 0; f < FORMATS; f++) {
        const char *path = test_scratch("scarce");
        perp_read_options opt = {.format = formats[f]};
        perp_problem *p = files_every_set(PERP_STORAGE_CSR, PERP_LAW_COULOMB);
        bool failed = true;

        for (long k = 0; failed; k++) {
            perp_error err = {0};
            perp_status status = PERP_OK;

            scarce_begin(k);
            status = perp_problem_write(p, path, formats[f], NULL, &err);
            failed = scarce_end();
            CU_ASSERT_TRUE(!failed || (status != PERP_OK && err.text[0]));
        }
        failed = true;
        for (long k = 0; failed; k++) {
            perp_problem *q = NULL;
            perp_error err = {0};
            perp_status status = PERP_OK;

            scarce_begin(k);
            status = perp_problem_read(&q, path, &opt, NULL, &err);
            failed = scarce_end();
            CU_ASSERT_TRUE(status == PERP_OK ? files_same_problem(p, q)
                                             : failed && !q && err.text[0]);
        }
    }
}

TEST_MAIN("arrays")
