/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/fclib.c: every trap of FCLIB files, made here with HDF5 itself; what must be
 * refused and in which words; what is written. The real files are in datasets.c. */
#include <config.h>

#include <hdf5.h>
#include <math.h>
#include <stdlib.h>

#include "files.h"

/* The file at work; tests change it in place. */
static const char *file_path;

static hid_t open_file(void)
{
    hid_t f = H5Fopen(file_path, H5F_ACC_RDWR, H5P_DEFAULT);

    CU_ASSERT_TRUE_FATAL(f >= 0);
    return f;
}

/* Put a dataset in place of one that may be there; groups are made on the way. */
static void put(const char *name, hid_t type, hid_t memory, hid_t space,
                const void *values)
{
    hid_t f = open_file();
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    hid_t set = H5I_INVALID_HID;

    H5Pset_create_intermediate_group(links, 1);
    H5E_BEGIN_TRY
    {
        H5Ldelete(f, name, H5P_DEFAULT);
    }
    H5E_END_TRY
    set = H5Dcreate2(f, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    CU_ASSERT_TRUE_FATAL(set >= 0);
    if (values) {
        CU_ASSERT_TRUE(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    }
    H5Dclose(set);
    H5Pclose(links);
    H5Sclose(space);
    H5Fclose(f);
}

static hid_t extent(size_t n)
{
    hsize_t size = n;

    return H5Screate_simple(1, &size, NULL);
}

static void put_ints(const char *name, size_t n, const int *values)
{
    put(name, H5T_STD_I32LE, H5T_NATIVE_INT, extent(n), values);
}

static void put_int(const char *name, int value)
{
    put_ints(name, 1, &value);
}

static void put_reals(const char *name, size_t n, const double *values)
{
    put(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, extent(n), values);
}

static void drop(const char *name)
{
    hid_t f = open_file();

    CU_ASSERT_TRUE(H5Ldelete(f, name, H5P_DEFAULT) >= 0);
    H5Fclose(f);
}

static void put_matrix(const char *group, int m, int n, int nz, size_t p_count,
                       const int *p, size_t count, const int *i, const double *x)
{
    char name[100];

    snprintf(name, sizeof name, "%s/m", group);
    put_int(name, m);
    snprintf(name, sizeof name, "%s/n", group);
    put_int(name, n);
    snprintf(name, sizeof name, "%s/nz", group);
    put_int(name, nz);
    snprintf(name, sizeof name, "%s/nzmax", group);
    put_int(name, 4711); /* never to be believed */
    snprintf(name, sizeof name, "%s/p", group);
    put_ints(name, p_count, p);
    snprintf(name, sizeof name, "%s/i", group);
    put_ints(name, count, i);
    snprintf(name, sizeof name, "%s/x", group);
    put_reals(name, count, x);
}

static void start_file(void)
{
    hid_t f = H5I_INVALID_HID;

    file_path = test_scratch("made.hdf5");
    f = H5Fcreate(file_path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    CU_ASSERT_TRUE_FATAL(f >= 0);
    H5Fclose(f);
}

/* Two contacts in a plane:
 *     W = [4 1 . .; 0 3 . 5; . . 2 .; . . . 1]   (0 is stored, . is not) */
static const double W[] = {4, 1, 0, 0, 0, 3, 0, 5, 0, 0, 2, 0, 0, 0, 0, 1};
static const double q[] = {-1, 0.5, -2, 0.25};
static const double mu[] = {0.7, 0.3};
static const int W_p[] = {0, 1, 0, 1, 3, 2, 3}; /* columns */
static const int W_i[] = {0, 0, 1, 1, 1, 2, 3}; /* rows */
static const double W_x[] = {4, 1, 0, 3, 5, 2, 1};

static void start_local(void)
{
    start_file();
    put_int("/fclib_local/spacedim", 2);
    put_matrix("/fclib_local/W", 4, 4, 7, 7, W_p, 7, W_i, W_x);
    put_reals("/fclib_local/vectors/q", 4, q);
    put_reals("/fclib_local/vectors/mu", 2, mu);
}

/* M = diag(1, 2, 4), H = [1 0; 0 3; 5 0], G = (0 0 7)^T. */
static void start_global(void)
{
    static const int d[] = {0, 1, 2};
    static const double M_x[] = {1, 2, 4};
    static const int H_p[] = {0, 1, 0};
    static const double H_x[] = {1, 3, 5};
    static const int G_p[] = {0};
    static const int G_i[] = {2};
    static const double G_x[] = {7};
    static const double f[] = {1, 2, 3};
    static const double w[] = {-1, 0.5};
    static const double b[] = {9};

    start_file();
    put_int("/fclib_global/spacedim", 2);
    put_matrix("/fclib_global/M", 3, 3, 3, 3, d, 3, d, M_x);
    put_matrix("/fclib_global/H", 3, 2, 3, 3, H_p, 3, d, H_x);
    put_matrix("/fclib_global/G", 3, 1, 1, 1, G_p, 1, G_i, G_x);
    put_reals("/fclib_global/vectors/f", 3, f);
    put_reals("/fclib_global/vectors/w", 2, w);
    put_reals("/fclib_global/vectors/b", 1, b);
    put_reals("/fclib_global/vectors/mu", 1, mu);
}

static perp_problem *read_made(perp_notes *notes)
{
    perp_problem *p = NULL;
    perp_error err = {0};

    if (perp_problem_read(&p, file_path, NULL, notes, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    return p;
}

/* Reading the file at work fails so; the message names the file and the place. */
static void refused_with(const perp_read_options *opt, perp_status status,
                         const char *words)
{
    perp_problem *p = NULL;
    perp_error err = {0};
    bool right = perp_problem_read(&p, file_path, opt, NULL, &err) == status && !p &&
                 strstr(err.text, words) && strstr(err.text, file_path) &&
                 !strchr(err.text, '\n');

    if (!right) {
        test_note("%s \"%s\", expected %s \"%s\"", perp_status_text(err.status), err.text,
                  perp_status_text(status), words);
    }
    CU_ASSERT_TRUE(right);
    CU_ASSERT_EQUAL(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    perp_problem_free(p);
}

static void refused(perp_status status, const char *words)
{
    refused_with(NULL, status, words);
}

static void entries_are(const perp_operator *A, size_t rows, size_t cols,
                        const double *by_rows)
{
    CU_ASSERT_EQUAL_FATAL(A->rows, rows);
    CU_ASSERT_EQUAL_FATAL(A->cols, cols);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++) {
            CU_ASSERT_EQUAL(perp_operator_entry(A, i, j), by_rows[i * cols + j]);
        }
    }
}

static void check_local(size_t count)
{
    perp_problem *p = read_made(NULL);

    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_FC2D);
    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_CSR);
    CU_ASSERT_EQUAL(p->A->count, count);
    entries_are(p->A, 4, 4, W);
    CU_ASSERT_TRUE(files_same_reals(p->b, q, 4));
    CU_ASSERT_EQUAL(p->set->blocks[1].mu, 0.3);
    CU_ASSERT_PTR_NULL(p->title);
    perp_problem_free(p);
}

/* i are rows and p columns, whatever the comment in FCLIB's header says. */
static void three_storages_hold_one_matrix_and_explicit_zeros_stay(void)
{
    static const int csr_p[] = {0, 2, 5, 6, 7};
    static const int csr_i[] = {0, 1, 3, 1, 0, 2, 3}; /* row 1 unsorted */
    static const double csr_x[] = {4, 1, 5, 3, 0, 2, 1};
    static const int csc_p[] = {0, 2, 4, 5, 7};
    static const int csc_i[] = {0, 1, 0, 1, 2, 1, 3, 77, 88}; /* more than p ends at */
    static const double csc_x[] = {4, 0, 1, 3, 2, 5, 1, NAN, NAN};

    start_local();
    check_local(7);
    put_matrix("/fclib_local/W", 4, 4, -2, 5, csr_p, 7, csr_i, csr_x);
    check_local(7);
    put_matrix("/fclib_local/W", 4, 4, -1, 5, csc_p, 9, csc_i, csc_x);
    check_local(7);
}

/* Order is free; the count is nz, not nzmax nor the extent. */
static void triplets_may_repeat_and_their_count_is_nz(void)
{
    static const int p[] = {3, 1, 0, 1, 3, 2, 0, 3, 99};
    static const int i[] = {3, 1, 0, 0, 1, 2, 1, 1, 99};
    static const double x[] = {1, 3, 4, 1, 2, 2, 0, 3, NAN};

    start_local();
    put_matrix("/fclib_local/W", 4, 4, 8, 9, p, 9, i, x);
    check_local(7);
}

/* u = W r + V l + q, V^T r + R l + s = 0. */
static void mixed_problems_join_w_v_and_r(void)
{
    static const int V_p[] = {0, 0};
    static const int V_i[] = {0, 3};
    static const double V_x[] = {6, -7};
    static const int zero[] = {0};
    static const double R_x[] = {8};
    static const double s[] = {9};
    static const double A[] = {4, 1, 0, 0, 6, 0, 3,  0, 5, 0, 0,  0, 2,
                               0, 0, 0, 0, 0, 1, -7, 6, 0, 0, -7, 8};
    perp_problem *p = NULL;

    start_local();
    put_matrix("/fclib_local/V", 4, 1, 2, 2, V_p, 2, V_i, V_x);
    refused(PERP_ERR_FORMAT, ":/fclib_local/vectors/s: missing");
    put_reals("/fclib_local/vectors/s", 1, s);
    refused(PERP_ERR_FORMAT, ":/fclib_local/R/m: missing");
    put_matrix("/fclib_local/R", 1, 1, 1, 1, zero, 1, zero, R_x);
    p = read_made(NULL);
    entries_are(p->A, 5, 5, A);
    CU_ASSERT_EQUAL(p->b[4], 9.0);
    CU_ASSERT_EQUAL(p->set->blocks[2].kind, PERP_SET_FREE);
    files_come_back(p, test_scratch("mixed.hdf5"), "fclib", false);
    perp_problem_free(p);
}

static void global_problems_stay_as_given(void)
{
    static const double H[] = {1, 0, 0, 3, 5, 0};
    static const double r[] = {0.5, 0.25};
    static const double l[] = {-3};
    static const double v[] = {7, 8, 9};
    perp_problem *p = NULL;

    start_global();
    put_reals("/solution/r", 2, r);
    put_reals("/solution/u", 2, r);
    put_reals("/solution/l", 1, l);
    put_reals("/solution/v", 3, v);
    p = read_made(NULL);
    CU_ASSERT_PTR_NULL(p->A);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->global);
    CU_ASSERT_EQUAL(p->n, 3);
    entries_are(p->global->H, 3, 2, H);
    CU_ASSERT_EQUAL(p->global->f[2], 3.0);
    CU_ASSERT_EQUAL(p->b[2], 9.0);
    CU_ASSERT_EQUAL(p->set->blocks[1].kind, PERP_SET_FREE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->solution);
    CU_ASSERT_EQUAL(p->solution->z[1], 0.25);
    CU_ASSERT_EQUAL(p->solution->z[2], -3.0);
    CU_ASSERT_EQUAL(p->solution->w[2], 0.0);
    CU_ASSERT_EQUAL(p->solution->v[2], 9.0);
    files_come_back(p, test_scratch("global.hdf5"), "fclib", false);
    perp_problem_free(p);
}

static void attribute(const char *object, const char *name, hid_t type, hid_t space,
                      hid_t memory, const void *value)
{
    hid_t f = open_file();
    hid_t a = H5Acreate_by_name(f, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT,
                                H5P_DEFAULT);

    CU_ASSERT_TRUE_FATAL(a >= 0);
    CU_ASSERT_TRUE(H5Awrite(a, memory, value) >= 0);
    H5Aclose(a);
    H5Sclose(space);
    H5Fclose(f);
}

static void attributes_are_tolerated(void)
{
    const int64_t count = 99;
    const double cond = 1e9;
    const int minus_one = -1;

    start_local();
    put("/fclib_local/info/title", H5T_C_S1, H5T_C_S1, H5Screate(H5S_SCALAR), "");
    attribute("/fclib_local/info", "numberOfInvolvedDS", H5T_STD_I64LE,
              H5Screate(H5S_SCALAR), H5T_NATIVE_INT64, &count);
    attribute("/fclib_local/info", "numberOfDegreeOfFreedom", H5T_STD_I32LE, extent(1),
              H5T_NATIVE_INT, &minus_one);
    attribute("/fclib_local/W", "cond", H5T_IEEE_F64LE, H5Screate(H5S_SCALAR),
              H5T_NATIVE_DOUBLE, &cond);
    drop("/fclib_local/info/title");
    check_local(7);
}

/* A dialect: lower triangle of a symmetric W, by columns. */
static void symmetric_packed_is_honoured(void)
{
    static const int p[] = {0, 2, 3, 4, 5};
    static const int i[] = {0, 1, 1, 2, 3};
    static const double x[] = {4, 1, 3, 2, 5};
    static const double S[] = {4, 1, 0, 0, 1, 3, 0, 0, 0, 0, 2, 0, 0, 0, 0, 5};
    static const int cols[] = {1, 0, 0, 1, 2, 3, 3};
    static const int rows[] = {0, 1, 0, 1, 2, 3, 3};
    const int64_t one = 1;
    perp_notes notes = {0};
    perp_problem *problem = NULL;

    start_local();
    put_matrix("/fclib_local/W", 4, 4, -1, 5, p, 5, i, x);
    attribute("/fclib_local/W", "symmetric_packed", H5T_STD_I64LE, H5Screate(H5S_SCALAR),
              H5T_NATIVE_INT64, &one);
    problem = read_made(&notes);
    entries_are(problem->A, 4, 4, S);
    CU_ASSERT_EQUAL_FATAL(notes.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(notes.line[0], "symmetric_packed"));
    perp_problem_free(problem);
    put_matrix("/fclib_local/W", 4, 4, 7, 7, cols, 7, rows, W_x);
    refused(PERP_ERR_FORMAT,
            ":/fclib_local/W: symmetric_packed is 1, but there are entries on both");
}

static void a_triangle_is_noted_and_an_upper_one_mirrored_on_request(void)
{
    static const int cols[] = {0, 1, 2, 2};
    static const int rows[] = {0, 1, 2, 0};
    static const double x[] = {1, 2, 4, 0.5};
    perp_read_options upper = {.symmetric_upper = true};
    perp_notes notes = {0};
    perp_problem *p = NULL;

    start_global();
    put_matrix("/fclib_global/M", 3, 3, 4, 4, cols, 4, rows, x);
    p = read_made(&notes);
    CU_ASSERT_EQUAL(perp_operator_entry(p->global->M, 2, 0), 0.0);
    CU_ASSERT_EQUAL_FATAL(notes.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(notes.line[0], "upper triangular and not diagonal"));
    perp_problem_free(p);
    CU_ASSERT_EQUAL(perp_problem_read(&p, file_path, &upper, NULL, NULL), PERP_OK);
    CU_ASSERT_EQUAL(perp_operator_entry(p->global->M, 2, 0), 0.5);
    perp_problem_free(p);
    put_matrix("/fclib_global/M", 3, 3, 4, 4, rows, 4, cols, x);
    refused_with(&upper, PERP_ERR_DATA,
                 ":/fclib_global/M: 1 entries below the diagonal, expected the upper");
}

static void put_text(const char *name, hid_t type, const void *value)
{
    put(name, type, type, H5Screate(H5S_SCALAR), value);
    H5Tclose(type);
}

static hid_t text_type(size_t size, H5T_str_t pad, H5T_cset_t set)
{
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, size);
    H5Tset_strpad(type, pad);
    H5Tset_cset(type, set);
    return type;
}

static void texts_of_every_make_are_read(void)
{
    const char *variable = "of variable length, \xC2\xB5 = 0.7";
    perp_problem *p = NULL;

    start_local();
    put_text("/fclib_local/info/title", text_type(8, H5T_STR_SPACEPAD, H5T_CSET_ASCII),
             "padded  ");
    put_text("/fclib_local/info/description",
             text_type(H5T_VARIABLE, H5T_STR_NULLTERM, H5T_CSET_UTF8), &variable);
    put_text("/fclib_local/info/math_info",
             text_type(6, H5T_STR_NULLTERM, H5T_CSET_ASCII), "a\xA8\nb\0");
    p = read_made(NULL);
    CU_ASSERT_STRING_EQUAL(p->title, "padded");
    CU_ASSERT_STRING_EQUAL(p->description, variable);
    CU_ASSERT_STRING_EQUAL(p->math_info, "a\xEF\xBF\xBD\nb");
    files_come_back(p, test_scratch("texts.hdf5"), "fclib", false);
    perp_problem_free(p);
    put_int("/fclib_local/info/title", 3);
    refused(PERP_ERR_FORMAT, ":/fclib_local/info/title: expected one string");
}

/* h5py stores 64 bits and big endian as one likes. */
static void integers_of_any_width_are_read(void)
{
    static const int64_t dim[] = {2};
    static const short m[] = {4};

    start_local();
    put("/fclib_local/spacedim", H5T_STD_I64BE, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR),
        dim);
    put("/fclib_local/W/m", H5T_STD_U16LE, H5T_NATIVE_SHORT, extent(1), m);
    check_local(7);
}

static void guesses_count_from_one_and_bad_points_are_left_out(void)
{
    static const double good[] = {1, 2, 3, 4};
    static const double bad[] = {1, NAN, 3, 4};
    perp_notes notes = {0};
    perp_problem *p = NULL;

    start_local();
    put_reals("/solution/r", 4, bad);
    put_reals("/solution/u", 4, good);
    put_int("/guesses/number_of_guesses", 2);
    put_reals("/guesses/1/r", 4, good);
    refused(PERP_ERR_FORMAT, ":/guesses/2: missing, expected 2 guesses");
    put_reals("/guesses/2/r", 4, good);
    put_reals("/guesses/2/u", 4, good);
    p = read_made(&notes);
    CU_ASSERT_PTR_NULL(p->solution);
    CU_ASSERT_EQUAL_FATAL(notes.count, 2);
    CU_ASSERT_STRING_EQUAL(notes.line[0],
                           "/fclib_local/W is upper triangular and not diagonal: perhaps "
                           "only half of a symmetric matrix");
    CU_ASSERT_EQUAL(strncmp(notes.line[1], "/solution was left out", 22), 0);
    CU_ASSERT_EQUAL_FATAL(p->guess_count, 2);
    CU_ASSERT_PTR_NULL(p->guesses[0].w);
    CU_ASSERT_EQUAL(p->guesses[1].w[3], 4.0);
    files_come_back(p, test_scratch("guesses.hdf5"), "fclib", false);
    perp_problem_free(p);
    put_reals("/guesses/2/u", 3, good);
    refused(PERP_ERR_FORMAT, ":/guesses/2/u: extent 3, expected 4");
}

static void bad_vectors_are_refused_with_their_place(void)
{
    static const double nan_q[] = {-1, NAN, -2, 0.25};
    static const double negative[] = {0.7, -0.3};

    start_local();
    put_reals("/fclib_local/vectors/mu", 1, mu);
    refused(PERP_ERR_FORMAT, ":/fclib_local/vectors/mu: extent 1, expected 2");
    put_reals("/fclib_local/vectors/mu", 2, negative);
    refused(PERP_ERR_DATA,
            ":/fclib_local/vectors/mu: number 1 is -0.3, expected a number >= 0");
    put_reals("/fclib_local/vectors/q", 4, nan_q);
    refused(PERP_ERR_DATA,
            ":/fclib_local/vectors/q: number 1 is nan, expected a finite number");
    put_reals("/fclib_local/vectors/q", 3, q);
    refused(PERP_ERR_FORMAT,
            ":/fclib_local/vectors/q: extent 3, expected a multiple of spacedim = 2");
    drop("/fclib_local/vectors/q");
    refused(PERP_ERR_FORMAT, ":/fclib_local/vectors/q: missing");
    put_int("/fclib_local/spacedim", 4);
    refused(PERP_ERR_FORMAT, ":/fclib_local/spacedim: 4, expected 2 or 3");
    put_reals("/fclib_local/spacedim", 1, mu);
    refused(PERP_ERR_FORMAT, ":/fclib_local/spacedim: holds no integers");
}

static void bad_matrices_are_refused_with_their_place(void)
{
    static const int far[] = {0, 1, 0, 1, 4, 2, 3};
    static const int minus[] = {0, 0, 1, -1, 1, 2, 3};
    static const int falling[] = {0, 2, 1, 5, 7};
    static const int late[] = {1, 2, 4, 5, 7};
    static const double infinite[] = {4, 1, 0, 3, INFINITY, 2, 1};

    start_local();
    put_int("/fclib_local/W/m", 5);
    refused(PERP_ERR_FORMAT, ":/fclib_local/W/m: 5, expected 4");
    put_matrix("/fclib_local/W", 4, 4, 7, 7, far, 7, W_i, W_x);
    refused(PERP_ERR_FORMAT, ":/fclib_local/W/p: index 4 is 4, expected 0 to 3");
    put_matrix("/fclib_local/W", 4, 4, 7, 7, W_p, 7, minus, W_x);
    refused(PERP_ERR_FORMAT, ":/fclib_local/W/i: index 3 is -1, expected 0 to 3");
    put_matrix("/fclib_local/W", 4, 4, 8, 7, W_p, 7, W_i, W_x);
    refused(PERP_ERR_FORMAT, ":/fclib_local/W/i: extent 7, expected 8");
    put_matrix("/fclib_local/W", 4, 4, -3, 7, W_p, 7, W_i, W_x);
    refused(PERP_ERR_FORMAT, ":/fclib_local/W/nz: -3, expected a count, -1");
    put_matrix("/fclib_local/W", 4, 4, 7, 7, W_p, 7, W_i, infinite);
    refused(PERP_ERR_DATA,
            ":/fclib_local/W/x: number 4 is inf, expected a finite number");
    put_matrix("/fclib_local/W", 4, 4, -2, 5, falling, 7, W_i, W_x);
    refused(PERP_ERR_FORMAT, ":/fclib_local/W/p: pointer 2 is 1, expected at least 2");
    put_matrix("/fclib_local/W", 4, 4, -2, 5, late, 7, W_i, W_x);
    refused(PERP_ERR_FORMAT, ":/fclib_local/W/p: pointer 0 is 1, expected 0");
    put_matrix("/fclib_local/W", 4, 4, -1, 4, falling, 7, W_i, W_x);
    refused(PERP_ERR_FORMAT, ":/fclib_local/W/p: extent 4, expected 5");
    put_matrix("/fclib_local/W", 4, 4, -2, 5, (const int[]){0, 2, 5, 6, 9}, 7, W_i, W_x);
    refused(PERP_ERR_FORMAT, ":/fclib_local/W/i: extent 7, expected 9");
}

/* An extent of 10^12 that no file of a few kilobytes can hold: no memory is taken for it. */
static void extents_beyond_the_file_are_refused(void)
{
    hsize_t size = 1000000000000U;
    hsize_t chunk = 1024;
    hid_t chunked = H5I_INVALID_HID;
    hid_t space = H5I_INVALID_HID;
    hid_t f = H5I_INVALID_HID;

    start_local();
    put("/fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, extent(size), NULL);
    refused(PERP_ERR_FORMAT, ":/fclib_local/vectors/q: extent 1000000000000, more than");
    drop("/fclib_local/vectors/q");
    chunked = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunked, 1, &chunk);
    space = extent(size);
    f = open_file();
    H5Dclose(H5Dcreate2(f, "/fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                        chunked, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(chunked);
    H5Fclose(f);
    refused(PERP_ERR_FORMAT, ":/fclib_local/vectors/q: extent 1000000000000, more than");
}

/* Compact data stand in the header: 32 bytes of q, of which 8 are admitted. HDF5 would read
 * the other 24 from behind its buffer. */
static void compact_data_that_are_cut_are_refused(void)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = extent(4);
    hid_t f = H5I_INVALID_HID;
    hid_t set = H5I_INVALID_HID;
    unsigned char layout[4 + sizeof q[0]] = {3, 0, 32, 0}; /* version, compact, size */
    size_t length = 0;
    char *bytes = NULL;
    char *found = NULL;

    start_local();
    drop("/fclib_local/vectors/q");
    H5Pset_layout(creation, H5D_COMPACT);
    f = open_file();
    set = H5Dcreate2(f, "/fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                     creation, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(creation);
    H5Fclose(f);
    check_local(7);
    memcpy(layout + 4, &q[0], sizeof q[0]);
    bytes = files_get(file_path, &length);
    found = memmem(bytes, length, layout, sizeof layout);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    found[2] = 8;
    files_put(file_path, bytes, length);
    free(bytes);
    refused(PERP_ERR_READ, ":/fclib_local/vectors/q: damaged: 8 bytes of 32");
}

/* External storage would let a file name any other file. */
static void data_kept_in_other_files_are_refused(void)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = extent(4);
    hid_t f = H5I_INVALID_HID;

    start_local();
    drop("/fclib_local/vectors/q");
    f = open_file();
    H5Pset_external(creation, "elsewhere.raw", 0, 32);
    H5Dclose(H5Dcreate2(f, "/fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                        creation, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(creation);
    H5Fclose(f);
    refused(PERP_ERR_FORMAT, ":/fclib_local/vectors/q: its data are in another file");
}

static void files_that_are_not_fclib_are_refused(void)
{
    perp_read_options opt = {.format = "fclib"};

    start_file();
    refused(PERP_ERR_FORMAT, ": no group /fclib_local, /fclib_global or");
    files_put_text(file_path, "3\n0\n3\n3\n");
    refused_with(&opt, PERP_ERR_FORMAT, ": not an HDF5 file");
    unlink(file_path);
    refused_with(&opt, PERP_ERR_READ, ": cannot open: No such file");
}

static void a_truncated_file_is_refused_at_every_length(void)
{
    size_t length = 0;
    char *bytes = NULL;

    start_local();
    bytes = files_get(file_path, &length);
    files_put(file_path, bytes, length / 2);
    refused(PERP_ERR_READ, ": damaged HDF5 file: truncated file");
    for (size_t cut = 8; cut < length; cut += 61) {
        files_put(file_path, bytes, cut);
        refused(PERP_ERR_READ, ": damaged HDF5 file: ");
    }
    free(bytes);
}

static void kind_and_file_must_agree(void)
{
    perp_read_options opt = {.kind = "fc2d"};
    perp_problem *p = NULL;

    start_local();
    CU_ASSERT_EQUAL(perp_problem_read(&p, file_path, &opt, NULL, NULL), PERP_OK);
    perp_problem_free(p);
    opt.kind = "gfc3d";
    refused_with(&opt, PERP_ERR_OPTION, ": kind is \"gfc3d\", but the file holds fc2d");
}

static void of_several_problems_the_first_is_read_and_that_is_noted(void)
{
    perp_notes notes = {0};
    perp_problem *p = NULL;

    start_global();
    put_int("/fclib_local/spacedim", 2);
    put_matrix("/fclib_local/W", 4, 4, 7, 7, W_p, 7, W_i, W_x);
    put_reals("/fclib_local/vectors/q", 4, q);
    put_reals("/fclib_local/vectors/mu", 2, mu);
    p = read_made(&notes);
    CU_ASSERT_PTR_NULL(p->global);
    CU_ASSERT_STRING_EQUAL(notes.line[0],
                           "the file holds several problems; fclib_local was read");
    perp_problem_free(p);
}

static void rolling_in_a_plane_is_refused(void)
{
    start_file();
    put_int("/fclib_global_rolling/spacedim", 3);
    refused(PERP_ERR_UNSUITABLE,
            ":/fclib_global_rolling/spacedim: 3: rolling in a plane");
}

static void problems_without_contacts_come_back(void)
{
    perp_problem *p = NULL;

    start_local();
    put_reals("/fclib_local/vectors/q", 0, q);
    put_reals("/fclib_local/vectors/mu", 0, mu);
    put_matrix("/fclib_local/W", 0, 0, 0, 0, W_p, 0, W_i, W_x);
    p = read_made(NULL);
    CU_ASSERT_EQUAL(p->n, 0);
    files_come_back(p, test_scratch("none.hdf5"), "fclib", false);
    perp_problem_free(p);
}

/* Errors are told by perp alone, and HDF5's own habit is as it was. */
static void hdf5_prints_as_before_after_a_failure(void)
{
    H5E_auto2_t before = NULL;
    H5E_auto2_t after = NULL;
    void *data = NULL;

    start_file();
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    refused(PERP_ERR_FORMAT, "no group");
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    CU_ASSERT_TRUE(before == after);
    CU_ASSERT_TRUE(before != NULL);
}

static void check_written(hid_t f, const char *name, hid_t type, size_t count)
{
    hid_t set = H5Dopen2(f, name, H5P_DEFAULT);
    hid_t creation = H5Dget_create_plist(set);
    hid_t space = H5Dget_space(set);
    hid_t stored = H5Dget_type(set);
    H5O_info_t info;

    CU_ASSERT_TRUE(H5Tequal(stored, type) > 0);
    CU_ASSERT_EQUAL(H5Pget_layout(creation), H5D_CONTIGUOUS);
    CU_ASSERT_EQUAL(H5Pget_nfilters(creation), 0);
    CU_ASSERT_EQUAL(H5Sget_simple_extent_ndims(space), 1);
    CU_ASSERT_EQUAL(H5Sget_simple_extent_npoints(space), (hssize_t)count);
    CU_ASSERT_TRUE(H5Oget_info2(set, &info, H5O_INFO_TIME) >= 0);
    CU_ASSERT_EQUAL(info.mtime, 0); /* or the bytes would change every second */
    H5Tclose(stored);
    H5Sclose(space);
    H5Pclose(creation);
    H5Dclose(set);
}

static int written_int(hid_t f, const char *name)
{
    hid_t set = H5Dopen2(f, name, H5P_DEFAULT);
    int value = 0;

    CU_ASSERT_TRUE(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >=
                   0);
    H5Dclose(set);
    return value;
}

/* Siconos reads nzmax entries of a triplet, and nothing but triplets in global files. */
static void triplets_with_nzmax_equal_to_nz_are_written_plainly(void)
{
    perp_problem *p = test_cones(2, 2, W, q, mu);
    hid_t f = H5I_INVALID_HID;

    file_path = test_scratch("plain.hdf5");
    CU_ASSERT_EQUAL_FATAL(perp_problem_write(p, file_path, NULL, NULL, NULL), PERP_OK);
    f = open_file();
    CU_ASSERT_EQUAL(written_int(f, "/fclib_local/spacedim"), 2);
    CU_ASSERT_EQUAL(written_int(f, "/fclib_local/W/nz"),
                    6); /* zeros of dense: left out */
    CU_ASSERT_EQUAL(written_int(f, "/fclib_local/W/nzmax"), 6);
    check_written(f, "/fclib_local/W/i", H5T_STD_I32LE, 6);
    check_written(f, "/fclib_local/W/p", H5T_STD_I32LE, 6);
    check_written(f, "/fclib_local/W/x", H5T_IEEE_F64LE, 6);
    check_written(f, "/fclib_local/vectors/mu", H5T_IEEE_F64LE, 2);
    check_written(f, "/fclib_local/spacedim", H5T_STD_I32LE, 1);
    H5Fclose(f);
    unlink(file_path);
    perp_problem_free(p);
}

static void not_written(const perp_problem *p, const char *kind, perp_status status,
                        const char *words)
{
    const char *path = test_scratch("not-written.hdf5");
    perp_error err = {0};
    bool right = perp_problem_write(p, path, NULL, kind, &err) == status &&
                 strstr(err.text, words);

    if (!right) {
        test_note("%s \"%s\", expected \"%s\"", perp_status_text(err.status), err.text,
                  words);
    }
    CU_ASSERT_TRUE(right);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0); /* nothing was left behind */
}

/* A 5-row problem with the set given. */
static void set_not_written(perp_set *set, const char *words)
{
    perp_problem *p = NULL;
    perp_operator *A = test_spd(set->n, 1);
    double *b = perp_reals_new(set->n);

    A->x[(set->n - 1) * A->ld] += 1.0; /* (0, last): no longer symmetric */
    CU_ASSERT_EQUAL_FATAL(perp_problem_new_from(&p, A, b, set, PERP_LAW_COULOMB, NULL),
                          PERP_OK);
    not_written(p, NULL, PERP_ERR_UNSUITABLE, words);
    perp_problem_free(p);
}

static perp_set *new_set(void)
{
    perp_set *set = NULL;

    CU_ASSERT_EQUAL_FATAL(perp_set_new(&set, 5, NULL), PERP_OK);
    return set;
}

static void what_the_format_cannot_hold_is_refused(void)
{
    perp_problem *cones = test_cones(2, 2, W, q, mu);
    perp_problem *lcp = test_lcp(2, W, q);
    perp_set *set = new_set();

    not_written(lcp, NULL, PERP_ERR_UNSUITABLE, "contacts followed by free rows");
    not_written(cones, "gfc2d", PERP_ERR_UNSUITABLE, "needs M and H");
    cones->law = PERP_LAW_ASSOCIATED;
    not_written(cones, NULL, PERP_ERR_UNSUITABLE, "means Coulomb's law");
    perp_set_add_free(set);
    perp_set_add_cone(set, 3, 0.5);
    set_not_written(set, "contacts followed by free rows");
    set = new_set();
    perp_set_add_cone(set, 3, 0.5);
    perp_set_add_cone(set, 2, 0.5);
    set_not_written(set, "contacts of one dimension");
    set = new_set();
    perp_set_add_rolling(set, 0.5, 0.1);
    set_not_written(set, "no local form of rolling");
    set = new_set();
    perp_set_add_cone(set, 3, 0.5);
    perp_set_add_free(set);
    set_not_written(set, "not each other's transpose");
    perp_problem_free(cones);
    perp_problem_free(lcp);
}

static void a_folder_that_is_not_there_is_told(void)
{
    perp_problem *p = test_cones(2, 2, W, q, mu);
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_problem_write(p, "no/such/folder/x.hdf5", NULL, NULL, &err),
                    PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "no/such/folder/x.hdf5"));
    perp_problem_free(p);
}

static const test_case cases[] = {
    TEST(three_storages_hold_one_matrix_and_explicit_zeros_stay),
    TEST(triplets_may_repeat_and_their_count_is_nz),
    TEST(mixed_problems_join_w_v_and_r),
    TEST(global_problems_stay_as_given),
    TEST(attributes_are_tolerated),
    TEST(symmetric_packed_is_honoured),
    TEST(a_triangle_is_noted_and_an_upper_one_mirrored_on_request),
    TEST(texts_of_every_make_are_read),
    TEST(integers_of_any_width_are_read),
    TEST(guesses_count_from_one_and_bad_points_are_left_out),
    TEST(bad_vectors_are_refused_with_their_place),
    TEST(bad_matrices_are_refused_with_their_place),
    TEST(extents_beyond_the_file_are_refused),
    TEST(compact_data_that_are_cut_are_refused),
    TEST(data_kept_in_other_files_are_refused),
    TEST(files_that_are_not_fclib_are_refused),
    TEST(a_truncated_file_is_refused_at_every_length),
    TEST(kind_and_file_must_agree),
    TEST(of_several_problems_the_first_is_read_and_that_is_noted),
    TEST(rolling_in_a_plane_is_refused),
    TEST(problems_without_contacts_come_back),
    TEST(hdf5_prints_as_before_after_a_failure),
    TEST(triplets_with_nzmax_equal_to_nz_are_written_plainly),
    TEST(what_the_format_cannot_hold_is_refused),
    TEST(a_folder_that_is_not_there_is_told),
    TEST_END,
};

int main(int argc, char **argv)
{
    int failed = test_run(argc, argv, "fclib", cases);

    if (file_path) {
        unlink(file_path);
    }
    return failed;
}
