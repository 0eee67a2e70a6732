/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/mat.c: MATLAB files of others, read by the names of their variables, and what
 * is refused. */
#include <config.h>

#include <math.h>
#include <matio.h>
#include <string.h>

#include "files.h"
#include "instances.h"

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

TEST(an_lcp_has_the_names_of_other_problems)
{
    static const double A[4] = {2, 1, 1, 2}, b[2] = {-5, -6};
    static const char *const names[] = {"A", "b", "M", "q"};
    const char *path = test_scratch("lcp.mat");

    OK(perp_problem_write(test_lcp(2, A, b), path, "mat", NULL, NULL));
    mat_t *mat = Mat_Open(path, MAT_ACC_RDONLY);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        matvar_t *v = Mat_VarReadInfo(mat, names[k]);

        CU_ASSERT_EQUAL(v != NULL, k < 2);
        Mat_VarFree(v);
    }
    Mat_Close(mat);
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
    mat_t *mat = mat_begin(path);

    mat_add(mat, "m", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 2, M);
    mat_add(mat, "Q", MAT_C_SINGLE, MAT_T_SINGLE, 1, 2, q);
    mat_add(mat, "lo", MAT_C_INT32, MAT_T_INT32, 2, 1, lo);
    mat_add(mat, "hi", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 1, hi);
    Mat_Close(mat);
    perp_problem *p = test_read(path, NULL, NULL);
    CU_ASSERT_EQUAL(p->n, 2);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), 1.0);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 1), 0.5);
    CU_ASSERT_EQUAL(p->b[0], -1.5);
    CU_ASSERT_EQUAL(p->b[1], 0.25);
    CU_ASSERT_EQUAL(p->set->blocks[0].lo, -3.0);
    CU_ASSERT_EQUAL(p->set->blocks[0].hi, INFINITY);
    CU_ASSERT_EQUAL(p->set->blocks[1].hi, 7.0);
}

/* As scipy.io.savemat writes integers of NumPy: 64 bits, also of a sparse matrix. */
TEST(integers_of_64_bits_are_read_where_doubles_hold_them)
{
    const char *path = test_scratch("integers.mat");
    int64_t M[2] = {2, INT64_C(1) << 53}, q[2] = {-5, -6},
            odd[2] = {1, -(INT64_C(1) << 53) - 1};
    uint64_t lo[2] = {0, 3}, huge[2] = {UINT64_MAX, 0};
    uint32_t ir[2] = {0, 1}, jc[3] = {0, 1, 2};
    mat_sparse_t sparse = {
        .nzmax = 2, .ir = ir, .nir = 2, .jc = jc, .njc = 3, .ndata = 2, .data = M};
    const struct {
        void *q;
        enum matio_classes class;
        enum matio_types type;
        const char *words;
    } cases[] = {
        {q, MAT_C_INT64, MAT_T_INT64, NULL},
        {odd, MAT_C_INT64, MAT_T_INT64,
         "integers.mat: q: number 2 is -9007199254740993, expected an integer"},
        {huge, MAT_C_UINT64, MAT_T_UINT64,
         "q: number 1 is 18446744073709551615, expected"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        mat_t *mat = mat_begin(path);

        mat_add(mat, "M", MAT_C_SPARSE, MAT_T_INT64, 2, 2, &sparse);
        mat_add(mat, "q", cases[k].class, cases[k].type, 2, 1, cases[k].q);
        mat_add(mat, "lo", MAT_C_UINT64, MAT_T_UINT64, 2, 1, lo);
        Mat_Close(mat);
        if (cases[k].words) {
            files_refused(path, "mat", cases[k].words);
            continue;
        }
        perp_problem *p = test_read(path, NULL, NULL);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 0), 2.0);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 1), 0x1p53);
        CU_ASSERT_EQUAL(p->b[1], -6.0);
        CU_ASSERT_EQUAL(p->set->blocks[1].lo, 3.0);
    }
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

    expect_refused(2, 2, M, NULL, "refused.mat: q: missing");
    expect_refused(2, 2, NULL, q, "refused.mat: M: missing");
    expect_refused(1, 2, M, q, "refused.mat: M is 1 x 2, expected 2 x 2");
    expect_refused(2, 2, bad, q, "refused.mat: M: holds NaN or an infinity");
    expect_refused(2, 2, M, far, "refused.mat: q: holds NaN or an infinity");
}

/* The exact name goes before another case, and is one variable. */
TEST(a_variable_that_a_matlab_file_has_twice_is_refused)
{
    const char *path = test_scratch("twice.mat");
    enum { MAT_HEAD = 128 };
    double M[2] = {1.0, 3.0}, q[1] = {-1.0};
    size_t size = 0;
    mat_t *mat = mat_begin(path);

    mat_add(mat, "m", MAT_C_DOUBLE, MAT_T_DOUBLE, 1, 1, &M[1]);
    mat_add(mat, "M", MAT_C_DOUBLE, MAT_T_DOUBLE, 1, 1, &M[0]);
    mat_add(mat, "q", MAT_C_DOUBLE, MAT_T_DOUBLE, 1, 1, q);
    Mat_Close(mat);
    perp_problem *p = test_read(path, NULL, NULL);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 0), 1.0);

    /* The variables once more, behind themselves: matio does not write a name twice. */
    char *bytes = files_get(path, &size);
    bytes = realloc(test_given(bytes), 2 * size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    memcpy(bytes + size, bytes + MAT_HEAD, size - MAT_HEAD);
    files_put(path, bytes, 2 * size - MAT_HEAD);
    free(bytes);
    files_refused(path, NULL, "twice.mat: q: several variables have this name");
}

TEST(a_matlab_file_of_another_version_is_named)
{
    static const char four[] =
        "\0\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0M\0\0\0\0\0\0\0\xf0?";
    const char *path = test_scratch("version.mat");
    char bytes[1024] = "MATLAB 7.3 MAT-file, Platform: GLNXA64";

    memcpy(bytes + 512, "\x89HDF\r\n\x1a\n", 8);
    files_put(path, bytes, sizeof bytes);
    files_refused(path, NULL, "version.mat: damaged HDF5 file");
    files_put(path, four, sizeof four - 1);
    files_refused(path, NULL, "perhaps a MATLAB file of version 4, or a text, expected");
}

/* Rows 0 and 2 of column 0, row 1 of column 1, rows 0 and 2 of column 2. */
static void mat_add_sparse(mat_t *mat, const char *name)
{
    size_t dims[2] = {3, 3};
    mat_uint32_t ir[5] = {0, 2, 1, 0, 2}, jc[4] = {0, 2, 3, 5};
    double data[5] = {2.0, 0.5, 3.0, 0.5, 4.0};
    mat_sparse_t sparse = {
        .nzmax = 5, .ir = ir, .nir = 5, .jc = jc, .njc = 4, .ndata = 5, .data = data};
    matvar_t *v = Mat_VarCreate(name, MAT_C_SPARSE, MAT_T_DOUBLE, 2, dims, &sparse, 0);

    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    CU_ASSERT_EQUAL(Mat_VarWrite(mat, v, MAT_COMPRESSION_NONE), 0);
    Mat_VarFree(v);
}

/* HDF5, as matio writes it: full and sparse, of several types, by columns. */
TEST(files_of_version_7_3_are_read)
{
    const char *path = test_scratch("new.mat");
    double M[4] = {2.0, 1.0, 0.5, 2.0}, b[3] = {-1.0, 2.0, -3.0};
    int64_t q[2] = {-1, (INT64_C(1) << 53) + 1}, sound[2] = {-1, 7};
    double lo[3] = {-INFINITY, 0.0, -2.0};
    mat_t *mat = Mat_CreateVer(path, NULL, MAT_FT_MAT73);

    CU_ASSERT_PTR_NOT_NULL_FATAL(mat);
    mat_add_sparse(mat, "A");
    mat_add(mat, "B", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, 1, b);
    mat_add(mat, "lo", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, 1, lo);
    Mat_Close(mat);
    perp_problem *p = test_read(path, NULL, NULL);
    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_CSR);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 2, 0), 0.5);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 1), 3.0);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 1), 0.0);
    CU_ASSERT_EQUAL(p->b[2], -3.0);
    CU_ASSERT_EQUAL(p->set->blocks[0].kind, PERP_SET_FREE);
    CU_ASSERT_EQUAL(p->set->blocks[2].lo, -2.0);

    mat = Mat_CreateVer(path, NULL, MAT_FT_MAT73);
    mat_add(mat, "M", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 2, M);
    mat_add(mat, "q", MAT_C_INT64, MAT_T_INT64, 1, 2, sound);
    Mat_Close(mat);
    OK(perp_problem_read(&p, path, NULL, NULL, NULL));
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), 1.0);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 1), 0.5);
    CU_ASSERT_EQUAL(p->b[1], 7.0);

    mat = Mat_CreateVer(path, NULL, MAT_FT_MAT73);
    mat_add(mat, "M", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, 2, M);
    mat_add(mat, "q", MAT_C_INT64, MAT_T_INT64, 2, 1, q);
    Mat_Close(mat);
    files_refused(path, NULL,
                  "new.mat:/q: number 1 is 9007199254740993, expected an integer");
    mat = Mat_CreateVer(path, NULL, MAT_FT_MAT73);
    mat_add(mat, "q", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, 1, b);
    Mat_Close(mat);
    files_refused(path, NULL, "missing");
}
