/* SPDX-License-Identifier: Apache-2.0
 * tests/core/factored.c: J M^-1 J^T + C in factors agrees with the multiplied matrix. */
#include <config.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "matrix/storages.h"
#include "scarce.h"

enum { CONTACTS = 14, BODIES = 6, ROWS = 3 * CONTACTS + 3, SPEEDS = 6 * BODIES };

/* A factored matrix, the parts it was made of, and W multiplied out by the triple sum. */
typedef struct sample {
    perp_operator *J, *Minv;
    double C[ROWS];
    perp_operator *W; /* dense */
    perp_operator *A; /* factored */
} sample;

/* |computed - exact| of sums of at most 45 products of numbers below about 40 */
static const double sum_tolerance = 1e-11;

/* One row of contacts between bodies a and b (b = BODIES: the ground), one of joints with
 * a single entry; the last row touches nothing. Some entries are exact zeros. */
static void sample_rows(sample *s, perp_random *g)
{
    OK(perp_operator_new_dense(&s->J, ROWS, SPEEDS, NULL));
    for (size_t c = 0; c < CONTACTS; c++) {
        size_t a = (size_t)perp_random_uniform(g, 0.0, BODIES);
        size_t b = (size_t)perp_random_uniform(g, 0.0, BODIES + 1.0);

        for (size_t r = 0; r < 3; r++) {
            for (size_t k = 0; k < 6; k++) {
                double *x = s->J->x + 3 * c + r;

                x[(6 * a + k) * s->J->ld] = perp_random_uniform(g, -1.0, 1.0);
                if (b < BODIES && k != r) {
                    x[(6 * b + k) * s->J->ld] = perp_random_uniform(g, -1.0, 1.0);
                }
            }
        }
    }
    s->J->x[3 * CONTACTS + 7 * s->J->ld] = 1.0;
    s->J->x[3 * CONTACTS + 1 + 20 * s->J->ld] = -2.0;
    s->J->x[3 * CONTACTS + 1 + 3 * s->J->ld] = 2.0;
}

/* Blocks: three masses and a full inertia a body; symmetric on demand. */
static void sample_mass(sample *s, bool symmetric, perp_random *g)
{
    OK(perp_operator_new_dense(&s->Minv, SPEEDS, SPEEDS, NULL));
    for (size_t i = 0; i < SPEEDS; i++) {
        for (size_t j = 0; j <= i; j++) {
            double x = perp_random_uniform(g, -0.2, 0.2);
            bool block = i / 6 == j / 6 && i % 6 >= 3 && j % 6 >= 3;

            if (i == j) {
                s->Minv->x[i + i * s->Minv->ld] = perp_random_uniform(g, 0.5, 2.0);
            } else if (block) {
                s->Minv->x[i + j * s->Minv->ld] = x;
                s->Minv->x[j + i * s->Minv->ld] = symmetric ? x : -0.3 * x;
            }
        }
    }
}

static double sample_product(const sample *s, size_t i, size_t j)
{
    double sum = i == j ? s->C[i] : 0.0;

    for (size_t k = 0; k < SPEEDS; k++) {
        for (size_t m = 0; m < SPEEDS; m++) {
            sum += s->J->x[i + k * s->J->ld] * s->Minv->x[k + m * s->Minv->ld] *
                   s->J->x[j + m * s->J->ld];
        }
    }
    return sum;
}

static void sample_open(sample *s, uint64_t seed, bool symmetric)
{
    perp_random g = {seed};

    sample_rows(s, &g);
    sample_mass(s, symmetric, &g);
    OK(perp_operator_new_dense(&s->W, ROWS, ROWS, NULL));
    for (size_t i = 0; i < ROWS; i++) {
        s->C[i] = i % 4 == 0 ? perp_random_uniform(&g, 0.0, 0.1) : 0.0;
    }
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < ROWS; j++) {
            s->W->x[i + j * s->W->ld] = sample_product(s, i, j);
        }
    }
    OK(perp_operator_new_factored(&s->A, s->J, s->Minv, s->C, NULL));
}

TEST(entries_and_rows_are_those_of_the_product)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        sample s;

        sample_open(&s, seed, seed % 2);
        CU_ASSERT_EQUAL(s.A->type->storage, PERP_STORAGE_FACTORED);
        CU_ASSERT(test_gap(s.A, s.W) <= sum_tolerance);
        for (size_t i = 0; i < ROWS; i++) {
            test_row_agrees(s.A, s.W, i, sum_tolerance);
        }
        CU_ASSERT(fabs(perp_operator_max(s.A) - perp_operator_max(s.W)) <= sum_tolerance);
        CU_ASSERT_EQUAL(perp_operator_nonzeros(s.A),
                        perp_operator_nonzeros(s.A->factored->J) +
                            perp_operator_nonzeros(s.A->factored->G));
    }
}

typedef struct visited {
    const perp_operator *A;
    size_t row, next;
    double most;
} visited;

static void visit_same(void *context, size_t j, double a)
{
    visited *at = context;

    CU_ASSERT_EQUAL(j, at->next++);
    CU_ASSERT_EQUAL(a, perp_operator_entry(at->A, at->row, j));
    at->most = fmax(at->most, fabs(a));
}

/* The factors of a chain: joint i moves the joints from i on, so that each row shares its first
 * velocity with all others. */
TEST(rows_that_share_a_velocity_have_the_bits_of_their_entries)
{
    perp_random g = {3};
    double C[ROWS], longest = 0.0;
    perp_operator *J = test_new_dense(ROWS, ROWS);
    perp_operator *Minv = test_new_dense(ROWS, ROWS);

    for (size_t i = 0; i < ROWS; i++) {
        C[i] = perp_random_uniform(&g, 0.0, 0.1);
        Minv->x[i + i * Minv->ld] = 1.0;
        for (size_t k = 0; k <= i; k++) {
            J->x[i + k * J->ld] = perp_random_uniform(&g, -1.0, 1.0);
        }
    }
    perp_operator *A = test_new_factored(J, Minv, C);
    longest = perp_factored_longest(A);
    for (size_t i = 0; i < ROWS; i++) {
        visited at = {.A = A, .row = i};

        perp_operator_row_visit(A, i, visit_same, &at);
        CU_ASSERT_EQUAL(at.next, ROWS);
        CU_ASSERT(at.most <= perp_factored_row_bound(A, i, longest) * (1.0 + 1e-14));
    }
}

TEST(products_and_ranges_of_rows_agree)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        perp_random g = {seed + 50};
        sample s;
        double x[ROWS];
        double y[ROWS + 1];
        double exact[ROWS];

        sample_open(&s, seed, seed % 2);
        for (size_t i = 0; i < ROWS; i++) {
            x[i] = i % 5 == 0 ? 0.0 : perp_random_uniform(&g, -1.0, 1.0);
        }
        y[ROWS] = 7.0;
        perp_operator_apply(s.A, x, y);
        perp_operator_apply(s.W, x, exact);
        for (size_t i = 0; i < ROWS; i++) {
            CU_ASSERT(fabs(y[i] - exact[i]) <= sum_tolerance);
            CU_ASSERT(fabs(perp_operator_row_dot(s.A, i, x) - exact[i]) <= sum_tolerance);
        }
        for (size_t first = 0; first < ROWS; first++) {
            for (size_t dim = 0; dim <= 7 && first + dim <= ROWS; dim++) {
                double part[8] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

                perp_operator_rows_dot(s.A, first, dim, x, part);
                for (size_t i = 0; i < dim; i++) {
                    CU_ASSERT(fabs(part[i] - exact[first + i]) <= sum_tolerance);
                }
                CU_ASSERT(isnan(part[dim]));
            }
        }
        perp_operator_apply_transposed(s.A, x, y);
        perp_operator_apply_transposed(s.W, x, exact);
        for (size_t i = 0; i < ROWS; i++) {
            CU_ASSERT(fabs(y[i] - exact[i]) <= sum_tolerance);
        }
        CU_ASSERT_EQUAL(y[ROWS], 7.0);
    }
}

/* One sweep that updates the velocities together with z, as nsgs does. */
TEST(velocities_follow_the_impulses)
{
    perp_random g = {5};
    sample s;
    double z[ROWS] = {0};
    double v[SPEEDS];
    double again[SPEEDS];
    double y[ROWS];
    double w[ROWS];

    sample_open(&s, 3, true);
    perp_factored_velocity(s.A, z, v);
    for (size_t first = 0; first < ROWS; first += 3) {
        double dz[3];

        for (size_t r = 0; r < 3; r++) {
            dz[r] = first % 2 ? perp_random_uniform(&g, -1.0, 1.0) : 0.0;
            z[first + r] += dz[r];
        }
        perp_factored_rows_add(s.A, first, 3, dz, v);
        perp_factored_rows_dot(s.A, first, 3, v, y + first);
        perp_operator_apply(s.W, z, w);
        for (size_t r = first; r < first + 3; r++) {
            CU_ASSERT(fabs(y[r] + s.C[r] * z[r] - w[r]) <= sum_tolerance);
        }
    }
    perp_factored_velocity(s.A, z, again);
    for (size_t k = 0; k < SPEEDS; k++) {
        CU_ASSERT(fabs(v[k] - again[k]) <= sum_tolerance);
    }
}

/* Stored zeros count as columns, so that the rows of a contact have the same ones. */
TEST(rows_of_a_contact_are_read_together)
{
    enum { MOST = ROWS * SPEEDS };
    static int32_t i[MOST];
    static int32_t j[MOST];
    static double x[MOST];
    perp_operator *J = NULL;
    size_t count = 0;
    sample s;

    sample_open(&s, 2, true);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t k = 0; k < SPEEDS; k++) {
            const double *column = s.J->x + row / 3 * 3 + k * s.J->ld;

            if (column[0] != 0.0 || column[1] != 0.0 || column[2] != 0.0) {
                i[count] = (int32_t)row;
                j[count] = (int32_t)k;
                x[count++] = s.J->x[row + k * s.J->ld];
            }
        }
    }
    OK(perp_operator_new_from_triplets(&J, ROWS, SPEEDS, count, i, j, x, NULL));
    perp_operator *A = test_new_factored(J, s.Minv, s.C);
    for (size_t c = 0; c < CONTACTS; c++) {
        CU_ASSERT(A->factored->run[3 * c] >= 3);
    }
    CU_ASSERT(test_gap(A, s.W) <= sum_tolerance);
}

TEST(converts_to_every_other_storage)
{
    sample s;
    perp_operator *B = NULL;
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR, PERP_STORAGE_FACTORED};

    sample_open(&s, 4, false);
    for (size_t k = 0; k < 4; k++) {
        OK(perp_operator_convert(&B, s.A, storages[k], 3, NULL));
        CU_ASSERT_EQUAL(B->type->storage, storages[k]);
        CU_ASSERT_EQUAL(test_gap(s.A, B), 0.0); /* the same sums in the same order */
    }
    CU_ASSERT_EQUAL(perp_operator_convert(&B, s.W, PERP_STORAGE_FACTORED, 1, NULL),
                    PERP_ERR_ARGUMENT);
    CU_ASSERT_PTR_NULL(B);
}

TEST(copies_transposes_and_symmetric_parts_agree)
{
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        sample s;
        perp_operator *B = NULL;
        perp_operator *S = NULL;

        sample_open(&s, 8, symmetric);
        OK(perp_operator_with_diagonal(&B, s.A, NULL));
        CU_ASSERT(perp_operator_same(s.A, B));
        perp_operator_add_diagonal(B, 0.5);
        CU_ASSERT(!perp_operator_same(s.A, B));
        CU_ASSERT_DOUBLE_EQUAL(perp_operator_diagonal(B, 4),
                               perp_operator_diagonal(s.A, 4) + 0.5, sum_tolerance);
        perp_operator *T = test_transpose(s.A);
        perp_operator *exact = test_transpose(s.W);
        CU_ASSERT(test_gap(T, exact) <= sum_tolerance);
        OK(perp_operator_symmetric_part(&S, s.A, NULL));
        OK(perp_operator_symmetric_part(&exact, s.W, NULL));
        CU_ASSERT_EQUAL(S->type->storage, PERP_STORAGE_FACTORED);
        CU_ASSERT(test_gap(S, exact) <= sum_tolerance);
        CU_ASSERT(perp_operator_is_symmetric(S));
        CU_ASSERT_EQUAL(perp_operator_is_symmetric(s.A), symmetric);
        CU_ASSERT_DOUBLE_EQUAL(perp_operator_asymmetry(s.A), perp_operator_asymmetry(s.W),
                               1e-13); /* both entries to rounding */
    }
}

TEST(scaling_scales_rows_and_columns_of_the_product)
{
    perp_random g = {77};
    sample s;
    double left[ROWS];
    double right[ROWS];
    double x[ROWS];
    double y[ROWS];
    double exact[ROWS];
    double work[2 * ROWS];

    sample_open(&s, 9, true);
    for (size_t i = 0; i < ROWS; i++) {
        left[i] = ldexp(1.0, (int)(i % 5) - 2);
        right[i] = ldexp(1.0, (int)(i % 7) - 3);
        x[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    perp_operator_scale(s.A, left, left);
    perp_operator_scale(s.W, left, left);
    CU_ASSERT(test_gap(s.A, s.W) <=
              16.0 * sum_tolerance); /* numbers up to 16 times as large */
    CU_ASSERT(perp_operator_is_symmetric(s.A));
    CU_ASSERT_DOUBLE_EQUAL(
        perp_operator_norm_estimate(s.A, work), perp_operator_norm_estimate(s.W, work),
        1e-9 * perp_operator_max(s.W)); /* rounding, 12 products long */
    perp_operator_scale(s.A, left, right);
    perp_operator_scale(s.W, left, right);
    CU_ASSERT(test_gap(s.A, s.W) <= 1024.0 * sum_tolerance); /* 4^3 8 times as large */
    perp_operator_apply(s.A, x, y);
    perp_operator_apply(s.W, x, exact);
    for (size_t i = 0; i < ROWS; i++) {
        double part = 0.0;

        perp_operator_rows_dot(s.A, i, 1, x, &part);
        CU_ASSERT(fabs(y[i] - exact[i]) <= 1024.0 * sum_tolerance);
        CU_ASSERT(fabs(part - exact[i]) <= 1024.0 * sum_tolerance);
    }
}

TEST(entries_that_are_not_finite_are_found)
{
    sample s;
    size_t i = 99;
    size_t j = 99;

    sample_open(&s, 10, true);
    CU_ASSERT(!perp_operator_find_nonfinite(s.A, &i, &j));
    s.A->factored->C[5] = NAN;
    CU_ASSERT(perp_operator_find_nonfinite(s.A, &i, &j));
    CU_ASSERT(i == 5 && j == 5);
    s.A->factored->C[5] = 0.0;
    s.A->factored->J->x[s.A->factored->J->ptr[7]] = INFINITY;
    CU_ASSERT(perp_operator_find_nonfinite(s.A, &i, &j));
    CU_ASSERT_EQUAL(i, 7);
    /* finite factors whose products overflow */
    s.A->factored->J->x[s.A->factored->J->ptr[7]] = 1.7e308;
    s.A->factored->G->x[s.A->factored->G->ptr[7]] = 8.0;
    CU_ASSERT(!perp_operator_find_nonfinite(s.W, &i, &j));
}

/* Solvers work with the factors, so that the answers may differ. */
TEST(a_problem_in_factors_has_a_hash_of_its_own)
{
    sample s;
    perp_random g = {3};

    sample_open(&s, 11, true);
    perp_set *set = test_new_uniform(PERP_SET_NONNEG, ROWS);
    perp_problem *p = test_problem(s.A, set, PERP_LAW_COULOMB, &g);
    perp_problem *q = test_stored(p, PERP_STORAGE_CSR, 1);
    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_FACTORED);
    CU_ASSERT_EQUAL(q->A->type->storage, PERP_STORAGE_CSR);
    CU_ASSERT_NOT_EQUAL(perp_problem_hash(p), perp_problem_hash(q));
    OK(perp_problem_check(p, NULL));
    s.A = NULL;
}

TEST(extents_that_do_not_fit_are_refused)
{
    perp_operator *A = NULL;
    perp_error err = {0};
    perp_operator *J = test_new_dense(3, 6);
    perp_operator *Minv = test_new_dense(5, 5);

    CU_ASSERT_EQUAL(perp_operator_new_factored(&A, J, Minv, NULL, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(A);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "J is 3 x 6"));
}

TEST(a_matrix_without_rows_or_velocities_works)
{
    for (size_t rows = 0; rows < 3; rows += 2) {
        const double C[2] = {3.0, 4.0};
        double y[2] = {0.0, 0.0};
        perp_operator *J = test_new_dense(rows, 0);
        perp_operator *Minv = test_new_dense(0, 0);
        perp_operator *A = test_new_factored(J, Minv, C);

        perp_operator_apply(A, C, y);
        CU_ASSERT(rows == 0 || (y[0] == 9.0 && y[1] == 16.0));
        perp_operator *B = test_convert(A, PERP_STORAGE_CSR, 1);
        CU_ASSERT_EQUAL(perp_operator_nonzeros(B), rows); /* the diagonal is stored */
    }
}

TEST(both_factors_make_the_same_matrix)
{
    sample s;
    perp_operator *B = NULL, *D = NULL;
    perp_arrays rows;

    sample_open(&s, 9, true);
    perp_factored *f = s.A->factored;
    rows = perp_operator_arrays(f->J);
    OK(perp_operator_new_factors(&B, &rows, f->G->x, s.C, NULL));
    CU_ASSERT(perp_operator_same(s.A, B));

    /* columns that do not ascend, that lie out of range; another storage */
    CU_ASSERT_FATAL(rows.ptr[1] > 1);
    int32_t col = rows.col[1];
    rows.col[1] = rows.col[0];
    CU_ASSERT_EQUAL(perp_operator_new_factors(&D, &rows, f->G->x, NULL, NULL),
                    PERP_ERR_DATA);
    rows.col[1] = (int32_t)rows.cols;
    CU_ASSERT_EQUAL(perp_operator_new_factors(&D, &rows, f->G->x, NULL, NULL),
                    PERP_ERR_DATA);
    rows.col[1] = col;
    rows.storage = PERP_STORAGE_DENSE;
    CU_ASSERT_EQUAL(perp_operator_new_factors(&D, &rows, f->G->x, NULL, NULL),
                    PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(D);
}

static perp_status make_all(void *context, perp_error *err)
{
    const sample *s = context;
    perp_operator *A = NULL;
    perp_operator *B = NULL;
    perp_operator *T = NULL;
    perp_operator *S = NULL;
    perp_operator *V = NULL;
    perp_status status = perp_operator_new_factored(&A, s->J, s->Minv, s->C, err);

    if (status == PERP_OK) {
        status = perp_operator_copy(&B, A, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_transpose(&T, A, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_symmetric_part(&S, A, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_new_view(&V, A, err);
    }
    return status;
}

TEST(missing_memory_is_survived)
{
    sample s;

    sample_open(&s, 12, false);
    scarce_everywhere(make_all, &s, "factored");
}
