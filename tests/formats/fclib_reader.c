/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/fclib_reader.c: what perp writes as FCLIB, read by a small reader that was written
 * from the description of the format alone and calls HDF5 itself. Like the reference it opens the
 * datasets by name, expects each to be there, and takes sizes from the problem: every number of
 * local, mixed, global and rolling problems, of solutions, guesses and texts is compared. */
#include <config.h>

#include <hdf5.h>
#include <math.h>

#include "files.h"
#include "instances.h"

/* ---- the reader ---- */

enum { PATH = 120 };

static const char *inside(char path[PATH], const char *group, const char *name)
{
    CU_ASSERT_TRUE_FATAL(snprintf(path, PATH, "%s/%s", group, name) < PATH);
    return path;
}

/* A dataset of one dimension and this extent (0: any), in the memory type `type`. */
static void *get(hid_t f, const char *name, hid_t stored, hid_t type, size_t size,
                 size_t extent)
{
    hid_t set = H5Dopen2(f, name, H5P_DEFAULT);
    hid_t space = H5I_INVALID_HID;
    hid_t found = H5I_INVALID_HID;
    void *values = test_alloc(extent + 1, size);

    if (set < 0) {
        test_note("%s is missing", name);
        CU_FAIL_FATAL("a dataset is missing");
    }
    space = H5Dget_space(set);
    found = H5Dget_type(set);
    CU_ASSERT_EQUAL(H5Sget_simple_extent_ndims(space), 1);
    CU_ASSERT_EQUAL_FATAL(H5Sget_simple_extent_npoints(space), (hssize_t)extent);
    CU_ASSERT_TRUE(H5Tequal(found, stored) > 0);
    CU_ASSERT_TRUE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Tclose(found);
    H5Sclose(space);
    H5Dclose(set);
    return values;
}

static int get_int(hid_t f, const char *group, const char *name)
{
    char path[PATH];

    return *(int *)get(f, inside(path, group, name), H5T_STD_I32LE, H5T_NATIVE_INT,
                       sizeof(int), 1);
}

static double *get_reals(hid_t f, const char *group, const char *name, size_t n)
{
    char path[PATH];

    return get(f, inside(path, group, name), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
               sizeof(double), n);
}

static bool there(hid_t f, const char *group, const char *name)
{
    char path[PATH];

    return H5Lexists(f, inside(path, group, name), H5P_DEFAULT) > 0;
}

/* A matrix by rows: triplets with rows i and columns p. */
typedef struct matrix {
    size_t m, n;
    double *at;
} matrix;

static matrix get_matrix(hid_t f, const char *group, const char *name)
{
    char path[PATH], part[PATH];
    matrix A = {0};
    int *p = NULL, *i = NULL;
    double *x = NULL;
    size_t nz = 0;

    inside(path, group, name);
    nz = (size_t)get_int(f, path, "nz");
    CU_ASSERT_EQUAL((size_t)get_int(f, path, "nzmax"), nz); /* Siconos reads so many */
    A.m = (size_t)get_int(f, path, "m");
    A.n = (size_t)get_int(f, path, "n");
    A.at = test_reals(A.m * A.n);
    p = get(f, inside(part, path, "p"), H5T_STD_I32LE, H5T_NATIVE_INT, sizeof *p, nz);
    i = get(f, inside(part, path, "i"), H5T_STD_I32LE, H5T_NATIVE_INT, sizeof *i, nz);
    x = get_reals(f, path, "x", nz);
    for (size_t k = 0; k < nz; k++) {
        CU_ASSERT_TRUE_FATAL((size_t)i[k] < A.m && (size_t)p[k] < A.n);
        A.at[(size_t)i[k] * A.n + (size_t)p[k]] += x[k];
    }
    return A;
}

/* A string as H5LTread_dataset_string reads it: fixed length, one of them. */
static char *get_text(hid_t f, const char *group, const char *name)
{
    char path[PATH];
    hid_t set = H5Dopen2(f, inside(path, group, name), H5P_DEFAULT);
    hid_t type = H5Dget_type(set);
    char *text = test_alloc(H5Tget_size(type) + 1, 1);

    CU_ASSERT_TRUE_FATAL(set >= 0);
    CU_ASSERT_EQUAL(H5Tis_variable_str(type), 0);
    CU_ASSERT_EQUAL(H5Tget_strpad(type), H5T_STR_NULLTERM);
    CU_ASSERT_TRUE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
    CU_ASSERT_EQUAL(H5Tget_size(type), strlen(text) + 1);
    H5Tclose(type);
    H5Dclose(set);
    return text;
}

/* A file that is open: its group and sizes. */
typedef struct reading {
    hid_t f;
    const char *root;
    const perp_problem *p;
    size_t dim, m, free, n_v;
} reading;

/* ---- comparisons ---- */

/* Rows row.. and columns col.. of A. */
static void same_matrix(const reading *r, const char *name, const perp_operator *A,
                        size_t row, size_t col, size_t rows, size_t cols)
{
    const matrix found = get_matrix(r->f, r->root, name);

    CU_ASSERT_EQUAL_FATAL(found.m, rows);
    CU_ASSERT_EQUAL_FATAL(found.n, cols);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++) {
            if (found.at[i * cols + j] != perp_operator_entry(A, row + i, col + j)) {
                test_note("%s[%zu,%zu]", name, i, j);
                CU_FAIL("another number");
            }
        }
    }
}

static void same_vector(const reading *r, const char *group, const char *name, size_t n,
                        const double *expected)
{
    const double *x = get_reals(r->f, group, name, n);

    if (n > 0 && memcmp(x, expected, n * sizeof *x) != 0) {
        test_note("%s/%s", group, name);
        CU_FAIL("other numbers");
    }
}

static void same_problem_vectors(const reading *r)
{
    char group[PATH];
    const size_t contacts = r->m / r->dim;
    const bool global = r->p->global != NULL;
    double *mu = NULL;

    inside(group, r->root, "vectors");
    mu = get_reals(r->f, group, "mu", contacts);
    for (size_t k = 0; k < contacts; k++) {
        CU_ASSERT_EQUAL(mu[k], r->p->set->blocks[k].mu);
    }
    if (r->dim == 5) {
        mu = get_reals(r->f, group, "mu_r", contacts);
        for (size_t k = 0; k < contacts; k++) {
            CU_ASSERT_EQUAL(mu[k], r->p->set->blocks[k].mu_rolling);
        }
    }
    same_vector(r, group, global ? "w" : "q", r->m, r->p->b);
    if (r->free > 0) {
        same_vector(r, group, global ? "b" : "s", r->free, r->p->b + r->m);
    }
    if (global) {
        same_vector(r, group, "f", r->n_v, r->p->global->f);
    }
    CU_ASSERT_EQUAL(there(r->f, group, global ? "b" : "s"), r->free > 0);
    CU_ASSERT_EQUAL(there(r->f, group, "mu_r"), r->dim == 5);
}

static void same_matrices(const reading *r)
{
    const perp_global *g = r->p->global;
    const perp_operator *A = r->p->A;

    if (g) {
        same_matrix(r, "M", g->M, 0, 0, r->n_v, r->n_v);
        same_matrix(r, "H", g->H, 0, 0, r->n_v, r->m);
        CU_ASSERT_EQUAL(there(r->f, r->root, "G"), r->free > 0);
        if (r->free > 0) {
            same_matrix(r, "G", g->G, 0, 0, r->n_v, r->free);
        }
        return;
    }
    same_matrix(r, "W", A, 0, 0, r->m, r->m);
    CU_ASSERT_EQUAL(there(r->f, r->root, "V"), r->free > 0);
    CU_ASSERT_EQUAL(there(r->f, r->root, "R"), r->free > 0);
    if (r->free > 0) {
        same_matrix(r, "V", A, 0, r->m, r->m, r->free);
        same_matrix(r, "R", A, r->m, r->m, r->free, r->free);
    }
}

/* Velocities that the point lacked satisfy the equations; the numbers are of order one. */
static void equations_hold(const reading *r, const perp_point *point, const double *v,
                           const double *u)
{
    const perp_global *g = r->p->global;
    const double tolerance =
        1e-10; /* of sums of at most 60 terms below 100, once solved */

    for (size_t i = 0; i < r->m; i++) {
        double sum = r->p->b[i];

        for (size_t j = 0; j < (g ? r->n_v : r->p->n); j++) {
            sum += g ? perp_operator_entry(g->H, j, i) * v[j]
                     : perp_operator_entry(r->p->A, i, j) * point->z[j];
        }
        CU_ASSERT_DOUBLE_EQUAL(u[i], sum, tolerance);
    }
    for (size_t i = 0; g && i < r->n_v; i++) {
        double sum = g->f[i];

        for (size_t j = 0; j < r->n_v; j++) {
            sum -= perp_operator_entry(g->M, i, j) * v[j];
        }
        for (size_t j = 0; j < r->p->n; j++) {
            sum += (j < r->m ? perp_operator_entry(g->H, i, j)
                             : perp_operator_entry(g->G, i, j - r->m)) *
                   point->z[j];
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, 0.0, tolerance);
    }
}

static void same_point(const reading *r, const char *group, const perp_point *point)
{
    const double *u = get_reals(r->f, group, "u", r->m);
    const double *v = r->p->global ? get_reals(r->f, group, "v", r->n_v) : NULL;

    same_vector(r, group, "r", r->m, point->z);
    if (r->free > 0) {
        same_vector(r, group, "l", r->free, point->z + r->m);
    }
    if (point->w) {
        same_vector(r, group, "u", r->m, point->w);
    }
    if (point->v && r->p->global) {
        same_vector(r, group, "v", r->n_v, point->v);
    }
    if (!point->w) {
        equations_hold(r, point, v, u);
    }
}

static void same_points(const reading *r)
{
    const perp_problem *p = r->p;

    CU_ASSERT_EQUAL(there(r->f, "", "solution"), p->solution != NULL);
    if (p->solution) {
        same_point(r, "/solution", p->solution);
    }
    CU_ASSERT_EQUAL(there(r->f, "", "guesses"), p->guess_count > 0);
    if (p->guess_count > 0) {
        CU_ASSERT_EQUAL((size_t)get_int(r->f, "/guesses", "number_of_guesses"),
                        p->guess_count);
    }
    for (size_t k = 0; k < p->guess_count; k++) {
        char group[PATH];

        snprintf(group, sizeof group, "/guesses/%zu", k + 1);
        same_point(r, group, &p->guesses[k]);
    }
}

static void same_texts(const reading *r)
{
    const char *const texts[][2] = {{"title", r->p->title},
                                    {"description", r->p->description},
                                    {"math_info", r->p->math_info}};
    char group[PATH];

    inside(group, r->root, "info");
    for (size_t k = 0; k < 3; k++) {
        if (texts[k][1]) {
            CU_ASSERT_STRING_EQUAL(get_text(r->f, group, texts[k][0]), texts[k][1]);
        } else {
            CU_ASSERT_FALSE(there(r->f, r->root, "info") &&
                            there(r->f, group, texts[k][0]));
        }
    }
}

/* Write p, read it by the reader above, compare everything. */
static void is_read(const perp_problem *p, const char *root)
{
    static const char *const roots[] = {"fclib_local", "fclib_global",
                                        "fclib_global_rolling"};
    const char *path = test_scratch("reader.hdf5");
    reading r = {.root = root, .p = p};
    perp_error err = {0};

    if (perp_problem_write(p, path, "fclib", NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("not written");
    }
    r.f = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CU_ASSERT_TRUE_FATAL(r.f >= 0);
    for (size_t k = 0; k < 3; k++) { /* exactly one problem */
        CU_ASSERT_EQUAL(there(r.f, "", roots[k]), strcmp(roots[k], root + 1) == 0);
    }
    r.dim = (size_t)get_int(r.f, root, "spacedim");
    CU_ASSERT_EQUAL_FATAL(r.dim, p->set->blocks[0].dim);
    r.free = perp_set_count(p->set, PERP_SET_FREE);
    r.m = p->n - r.free;
    r.n_v = p->global ? p->global->M->rows : 0;
    same_problem_vectors(&r);
    same_matrices(&r);
    same_points(&r);
    same_texts(&r);
    H5Fclose(r.f);
    unlink(path);
}

/* ---- problems ---- */

static double *drawn(perp_random *g, size_t n)
{
    double *x = perp_reals_new(n);

    CU_ASSERT_PTR_NOT_NULL_FATAL(x);
    for (size_t i = 0; i < n; i++) {
        x[i] = perp_random_uniform(g, -2.0, 2.0);
    }
    return x;
}

/* About half of the entries, and a strong diagonal where it is square. */
static perp_operator *drawn_matrix(perp_random *g, size_t rows, size_t cols)
{
    double *x = test_keep(drawn(g, rows * cols), free);

    for (size_t k = 0; k < rows * cols; k++) {
        if (rows == cols && k % (rows + 1) == 0) {
            x[k] += 3.0 * (double)rows;
        } else if (perp_random_unit(g) < 0.5) {
            x[k] = 0.0;
        }
    }
    perp_operator *dense = test_new_from_dense(rows, cols, x, rows);
    perp_operator *A = test_convert(dense, PERP_STORAGE_CSR, 1);
    return test_given(A);
}

/* A solution that is complete and two guesses, the second without velocities. */
static void add_points(perp_problem *p, perp_random *g)
{
    const size_t n_v = p->global ? p->global->M->rows : 0;

    p->solution = calloc(1, sizeof *p->solution);
    p->guesses = calloc(2, sizeof *p->guesses);
    CU_ASSERT_TRUE_FATAL(p->solution && p->guesses);
    p->guess_count = 2;
    *p->solution =
        (perp_point){drawn(g, p->n), drawn(g, p->n), n_v ? drawn(g, n_v) : NULL};
    p->guesses[0] =
        (perp_point){drawn(g, p->n), drawn(g, p->n), n_v ? drawn(g, n_v) : NULL};
    p->guesses[1] = (perp_point){drawn(g, p->n), NULL, NULL};
    p->title = perp_text_new("a title");
    p->description = perp_text_new("of two\nlines, \xC2\xB5 = 0.7");
}

static perp_set *contact_set(unsigned dim, size_t contacts, size_t equalities)
{
    perp_set *set = test_new_set(contacts + equalities);

    for (size_t k = 0; k < contacts; k++) {
        const double mu = 0.1 + 0.2 * (double)k;

        if (dim == 5) {
            perp_set_add_rolling(set, mu, 1e-3 / mu);
        } else {
            perp_set_add_cone(set, dim, mu);
        }
    }
    for (size_t k = 0; k < equalities; k++) {
        perp_set_add_free(set);
    }
    return test_given(set);
}

static perp_problem *global_problem(unsigned dim, size_t contacts, size_t equalities,
                                    size_t n_v, uint64_t seed)
{
    perp_random g = {seed};
    perp_problem *p = NULL;

    OK(perp_problem_new(&p, NULL));
    p->n = dim * contacts + equalities;
    p->set = contact_set(dim, contacts, equalities);
    p->b = drawn(&g, p->n);
    p->global = calloc(1, sizeof *p->global);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->global);
    p->global->M = drawn_matrix(&g, n_v, n_v);
    p->global->H = drawn_matrix(&g, n_v, dim * contacts);
    p->global->G = equalities ? drawn_matrix(&g, n_v, equalities) : NULL;
    p->global->f = drawn(&g, n_v);
    add_points(p, &g);
    return p;
}

/* A = [W V; V^T R]. */
static perp_problem *local_problem(unsigned dim, size_t contacts, size_t equalities,
                                   uint64_t seed)
{
    const size_t m = dim * contacts;
    const size_t n = m + equalities;
    perp_random g = {seed};
    perp_problem *p = NULL;
    double *A = test_keep(drawn(&g, n * n), free);

    for (size_t i = 0; i < m; i++) {
        for (size_t j = m; j < n; j++) {
            A[i + j * n] = A[j + i * n];
        }
    }
    perp_operator *dense = test_new_from_dense(n, n, A, n);
    OK(perp_problem_new(&p, NULL));
    p->n = n;
    p->A = test_given(dense);
    p->b = drawn(&g, n);
    p->set = contact_set(dim, contacts, equalities);
    add_points(p, &g);
    return p;
}

TEST(local_problems_are_read)
{
    is_read(local_problem(2, 3, 0, 1), "/fclib_local");
    is_read(local_problem(3, 4, 0, 2), "/fclib_local");
}

TEST(mixed_local_problems_are_read)
{
    is_read(local_problem(2, 2, 3, 3), "/fclib_local");
    is_read(local_problem(3, 3, 1, 4), "/fclib_local");
}

TEST(global_problems_are_read)
{
    is_read(global_problem(2, 3, 0, 9, 5), "/fclib_global");
    is_read(global_problem(3, 4, 0, 18, 6), "/fclib_global");
    is_read(global_problem(3, 2, 5, 18, 7), "/fclib_global");
}

TEST(rolling_problems_are_read)
{
    is_read(global_problem(5, 3, 0, 12, 8), "/fclib_global_rolling");
    is_read(global_problem(5, 2, 4, 12, 9), "/fclib_global_rolling");
}

TEST(real_files_are_read_after_perp_wrote_them)
{
    is_read(test_dataset("fclib/Box_Stacks-i0122-82-5.hdf5"), "/fclib_global");
    is_read(test_dataset("fclib/CubeH8.hdf5"), "/fclib_global");
}

/* Where M is singular nothing can be said about v: r alone is written. */
TEST(velocities_that_nothing_determines_are_left_out)
{
    const char *path = test_scratch("singular.hdf5");
    perp_problem *p = global_problem(3, 1, 0, 3, 10);

    memset(p->global->M->x, 0, p->global->M->count * sizeof *p->global->M->x);
    OK(perp_problem_write(p, path, "fclib", NULL, NULL));
    perp_problem *q = test_read(path, NULL, NULL);
    CU_ASSERT_EQUAL_FATAL(q->guess_count, 2);
    CU_ASSERT_TRUE(files_same_reals(q->guesses[1].z, p->guesses[1].z, p->n));
    CU_ASSERT_PTR_NULL(q->guesses[1].w);
    CU_ASSERT_PTR_NULL(q->guesses[1].v);
    unlink(path);
}
