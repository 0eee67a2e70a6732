/* SPDX-License-Identifier: Apache-2.0
 * tests/core/pairs.c: rows on two bodies agree with the multiplied matrix. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "answers.h"
#include "couples.h"
#include "matrix/storages.h"
#include "scarce.h"

/* |computed - exact| of sums of at most 4 x 18 products of numbers below about 5 */
static const double sum_tolerance = 1e-12;

static const unsigned mixed[] = {3, 1, 5, 3, 1, 1, 3, 5, 3, 2, 3, 1, 5, 3, 0};
static const unsigned contacts[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0};

static const unsigned last[] = {1, 5, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0};

enum { LAST_FROM = 8 /* the first row of its contacts */ };

typedef struct sample {
    couples s;
    perp_operator *W, *A; /* dense, pairs */
    size_t n;
    const unsigned *dims;
} sample;

static void sample_open(sample *x, couples_kind kind, const unsigned *dims, uint64_t seed)
{
    couples_draw(&x->s, kind, dims, seed);
    x->W = couples_dense(&x->s);
    x->n = x->s.pairs.rows;
    x->dims = dims;
    OK(perp_operator_new_pairs(&x->A, &x->s.pairs, NULL));
}

/* All rows in J; or contacts by their frames, behind other rows. */
static void sample_of(sample *x, int framed, uint64_t seed)
{
    if (!framed) {
        sample_open(x, COUPLES_DRAWN, mixed, seed);
        return;
    }
    sample_open(x, COUPLES_ARMS, last, seed);
    perp_operator_free(x->A);
    couples_frame(&x->s, LAST_FROM);
    OK(perp_operator_new_pairs(&x->A, &x->s.pairs, NULL));
}

static void check_rows(const sample *x)
{
    for (size_t i = 0; i < x->n; i++) {
        test_row_agrees(x->A, x->W, i, sum_tolerance);
    }
}

TEST(entries_and_rows_are_those_of_the_product)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        sample x;
        double D[25];

        sample_of(&x, seed % 2 == 0, seed);
        CU_ASSERT_EQUAL(x.A->type->storage, PERP_STORAGE_PAIRS);
        CU_ASSERT(test_gap(x.A, x.W) <= sum_tolerance);
        check_rows(&x);
        CU_ASSERT(fabs(perp_operator_max(x.A) - perp_operator_max(x.W)) <= sum_tolerance);
        CU_ASSERT(perp_operator_is_symmetric(x.A));
        for (size_t first = 0, k = 0; x.dims[k] > 0; first += x.dims[k++]) {
            const unsigned dim = x.dims[k];

            perp_operator_diagonal_block(x.A, first, dim, D);
            for (size_t m = 0; m < dim * dim; m++) {
                CU_ASSERT_EQUAL(
                    D[m], perp_operator_entry(x.A, first + m % dim, first + m / dim));
            }
        }
    }
}

/* Without memory for lists the rows are searched, to the same bits. */
static void check_without_lists(int framed)
{
    sample x;
    double listed[COUPLES_ROWS] = {0}, searched[COUPLES_ROWS] = {0};
    double z[COUPLES_ROWS], y[COUPLES_ROWS], exact[COUPLES_ROWS];

    sample_of(&x, framed, 6);
    for (size_t i = 0; i < x.n; i++) {
        z[i] = (double)(i % 5) - 2.0;
        memset(listed, 0, sizeof listed);
        memset(searched, 0, sizeof searched);
        scarce_begin(0);
        perp_operator_row_add(x.A, i, 1.0, searched);
        CU_ASSERT(scarce_end());
        CU_ASSERT_PTR_NULL(x.A->pairs->start);
        for (size_t j = 0; j < x.n; j++) {
            listed[j] = perp_operator_entry(x.A, i, j);
        }
        CU_ASSERT_EQUAL(memcmp(listed, searched, sizeof listed), 0);
    }
    scarce_begin(0);
    perp_operator_rows_dot(x.A, 0, 3, z, y);
    CU_ASSERT(scarce_end());
    perp_operator_apply(x.W, z, exact);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT(fabs(y[i] - exact[i]) <= 10.0 * sum_tolerance);
    }
    check_rows(&x);
    CU_ASSERT_PTR_NOT_NULL(x.A->pairs->start);
}

TEST(rows_are_found_without_lists_too)
{
    check_without_lists(0);
    check_without_lists(1);
}

TEST(products_and_ranges_of_rows_agree)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        perp_random g = {seed + 50};
        sample x;
        double z[COUPLES_ROWS], y[COUPLES_ROWS], exact[COUPLES_ROWS];

        sample_of(&x, seed % 2 == 0, seed);
        for (size_t i = 0; i < x.n; i++) {
            z[i] = i % 5 == 0 ? 0.0 : perp_random_uniform(&g, -1.0, 1.0);
        }
        perp_operator_apply(x.A, z, y);
        perp_operator_apply(x.W, z, exact);
        for (size_t i = 0; i < x.n; i++) {
            CU_ASSERT(fabs(y[i] - exact[i]) <= 10.0 * sum_tolerance);
        }
        for (size_t first = 0; first < x.n; first++) {
            for (size_t dim = 0; dim <= 7 && first + dim <= x.n; dim++) {
                double part[8] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

                perp_operator_rows_dot(x.A, first, dim, z, part);
                for (size_t i = 0; i < dim; i++) {
                    CU_ASSERT(fabs(part[i] - exact[first + i]) <= 10.0 * sum_tolerance);
                }
                CU_ASSERT(isnan(part[dim]));
            }
        }
        perp_operator_apply_transposed(x.A, z, y);
        for (size_t i = 0; i < x.n; i++) {
            CU_ASSERT(fabs(y[i] - exact[i]) <= 10.0 * sum_tolerance);
        }
    }
}

/* One sweep that updates the velocities together with z. */
static void check_velocities(int framed)
{
    perp_random g = {5};
    sample x;
    double z[COUPLES_ROWS] = {0}, v[6 * COUPLES_BODIES], again[6 * COUPLES_BODIES];
    double y[5], w[COUPLES_ROWS];

    sample_of(&x, framed, 3);
    CU_ASSERT_EQUAL(perp_operator_velocities(x.A), 6 * COUPLES_BODIES);
    perp_factored_velocity(x.A, z, v);
    for (size_t first = 0, k = 0; x.dims[k] > 0; first += x.dims[k++]) {
        double dz[5] = {0};

        for (size_t r = 0; r < x.dims[k]; r++) {
            dz[r] = k % 3 == 2 ? 0.0 : perp_random_uniform(&g, -1.0, 1.0);
            z[first + r] += dz[r];
        }
        perp_factored_rows_add(x.A, first, x.dims[k], dz, v);
        perp_factored_rows_dot(x.A, first, x.dims[k], v, y);
        perp_operator_apply(x.W, z, w);
        for (size_t r = 0; r < x.dims[k]; r++) {
            CU_ASSERT(fabs(y[r] + x.s.C[first + r] * z[first + r] - w[first + r]) <=
                      10.0 * sum_tolerance);
        }
    }
    perp_factored_velocity(x.A, z, again);
    for (size_t k = 0; k < 6 * COUPLES_BODIES; k++) {
        CU_ASSERT(fabs(v[k] - again[k]) <= 10.0 * sum_tolerance);
    }
}

TEST(velocities_follow_the_impulses)
{
    check_velocities(0);
    check_velocities(1);
}

TEST(converts_to_every_other_storage)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR, PERP_STORAGE_PAIRS};

    for (size_t k = 0; k < 16; k++) {
        size_t edge = k % 8 < 4 ? 3 : 2; /* blocks of size 2 name different bodies */
        sample x;

        sample_open(&x, k < 8 ? COUPLES_DRAWN : COUPLES_ARMS, contacts, 4);
        if (k >= 8) {
            perp_operator_free(x.A);
            couples_frame(&x.s, 0);
            OK(perp_operator_new_pairs(&x.A, &x.s.pairs, NULL));
        }
        if (k % 8 >= 4) {
            double uneven[COUPLES_ROWS], even[COUPLES_ROWS];

            for (size_t i = 0; i < x.n; i++) {
                uneven[i] = ldexp(1.0, (int)(i % 5) - 2);
                even[i] = 1.0;
            }
            perp_operator_scale(x.A, uneven, even);
        }
        perp_operator *B = test_convert(x.A, storages[k % 4], edge);
        CU_ASSERT_EQUAL(B->type->storage, storages[k % 4]);
        CU_ASSERT_EQUAL(test_gap(x.A, B), 0.0); /* the same sums in the same order */
        perp_operator *E = test_convert(x.A, PERP_STORAGE_FACTORED, 1);
        CU_ASSERT_EQUAL(E->type->storage, PERP_STORAGE_FACTORED);
        CU_ASSERT(test_gap(x.A, E) <= 4.0 * sum_tolerance);
    }
}

TEST(a_copy_owns_its_arrays_and_the_original_borrows)
{
    sample x;
    double before, stays;

    sample_open(&x, COUPLES_DRAWN, mixed, 8);
    perp_operator *B = test_copy_operator(x.A);
    perp_operator *T = test_transpose(x.A);
    CU_ASSERT(perp_operator_same(x.A, B));
    before = perp_operator_entry(x.A, 4, 4);
    stays = perp_operator_entry(B, 4, 4);
    for (size_t k = 0; k < 12 * x.n; k++) {
        x.s.J[k] *= 2.0;
    }
    CU_ASSERT_EQUAL(before, stays);
    CU_ASSERT_EQUAL(perp_operator_entry(B, 4, 4), stays);
    CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(x.A, 4, 4),
                           4.0 * (before - x.s.C[4]) + x.s.C[4], sum_tolerance);
    CU_ASSERT(!perp_operator_same(x.A, B));
    CU_ASSERT(test_gap(T, x.W) <= sum_tolerance);
    perp_operator_add_diagonal(B, 0.5);
    CU_ASSERT_EQUAL(perp_operator_entry(B, 4, 4), stays + 0.5);
    CU_ASSERT_EQUAL(perp_operator_entry(T, 4, 4), stays);
}

/* Scaled from both sides, first equally, then not; an operator that borrows and one that
 * owns its arrays. */
TEST(scaling_scales_rows_and_columns_of_the_product)
{
    for (int kind = 0; kind < 4; kind++) {
        const int owned = kind % 2;
        sample x;
        perp_operator *S = NULL;
        double left[COUPLES_ROWS], right[COUPLES_ROWS];

        sample_of(&x, kind / 2, 9);
        for (size_t i = 0; i < x.n; i++) {
            left[i] = ldexp(1.0, (int)(i % 3) - 1);
            right[i] = ldexp(1.0, (int)(i % 5) - 2);
        }
        perp_operator *A = x.A;
        if (owned) {
            OK(perp_operator_copy(&A, x.A, NULL));
        }
        perp_operator_scale(A, left, left);
        perp_operator_scale(x.W, left, left);
        CU_ASSERT(test_gap(A, x.W) <= 4.0 * sum_tolerance);
        CU_ASSERT(perp_operator_is_symmetric(A));
        CU_ASSERT_EQUAL(A->pairs->scaled, !owned); /* J itself is scaled */
        perp_operator_scale(A, left, right);
        perp_operator_scale(x.W, left, right);
        CU_ASSERT(test_gap(A, x.W) <= 32.0 * sum_tolerance);
        perp_operator *T = test_transpose(A);
        perp_operator *exact = test_transpose(x.W);
        CU_ASSERT(test_gap(T, exact) <= 32.0 * sum_tolerance);
        OK(perp_operator_symmetric_part(&S, A, NULL));
        OK(perp_operator_symmetric_part(&exact, x.W, NULL));
        CU_ASSERT(test_gap(S, exact) <= 32.0 * sum_tolerance);
        if (owned) {
        }
    }
}

/* Of the same rows, in J and as frames; a copy owns its frames. */
TEST(frames_stand_for_the_rows_that_they_make)
{
    sample x, y;

    sample_open(&x, COUPLES_ARMS, last, 14);
    sample_of(&y, 1, 14);
    CU_ASSERT(!perp_operator_same(x.A, y.A));
    for (size_t i = 0; i < x.n; i++) {
        double made[12], frame[15];
        const double *J = perp_pairs_row(&y.s.pairs, i, made);
        const int32_t *body = perp_pairs_bodies(&y.s.pairs, i);

        CU_ASSERT_EQUAL(memcmp(body, perp_pairs_bodies(&x.s.pairs, i), 2 * sizeof *body),
                        0);
        CU_ASSERT(test_distance(12, J, perp_pairs_row(&x.s.pairs, i, NULL)) <= 1e-15);
        if (i < LAST_FROM || (i - LAST_FROM) % 3 != 0) {
            continue;
        }
        CU_ASSERT(perp_pairs_find_frame(x.A->pairs, i, frame)); /* from J, to rounding */
        CU_ASSERT(test_distance(9, frame, y.s.frames + 5 * (i - LAST_FROM)) <= 1e-15);
    }
    perp_operator *B = test_copy_operator(y.A);
    CU_ASSERT(perp_operator_same(y.A, B));
    y.s.frames[4] += 1.0;
    CU_ASSERT(!perp_operator_same(y.A, B));
    CU_ASSERT(test_gap(B, y.W) <= sum_tolerance);
    CU_ASSERT(test_gap(y.A, y.W) > 0.1);
}

TEST(bodies_out_of_range_and_wild_numbers_are_found)
{
    sample x;
    perp_operator *A = NULL;
    perp_error err = {0};
    size_t i = 99, j = 99;

    sample_open(&x, COUPLES_DRAWN, mixed, 12);
    CU_ASSERT(!perp_operator_find_nonfinite(x.A, &i, &j));
    x.s.J[12 * 7] = NAN;
    x.s.body[14] = 0;
    CU_ASSERT(perp_operator_find_nonfinite(x.A, &i, &j));
    x.s.body[9] = COUPLES_BODIES;
    CU_ASSERT_EQUAL(perp_operator_new_pairs(&A, &x.s.pairs, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NULL(A);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "row 4 acts on body 6"));
    x.s.body[9] = -2;
    CU_ASSERT_EQUAL(perp_operator_new_pairs(&A, &x.s.pairs, NULL), PERP_ERR_DATA);
    sample_of(&x, 1, 12);
    CU_ASSERT(perp_pairs_bounded(x.A));
    x.s.frames[16] = NAN;
    CU_ASSERT(perp_operator_find_nonfinite(x.A, &i, &j));
    x.s.framed[2 * LAST_FROM + 5] = COUPLES_BODIES;
    CU_ASSERT_EQUAL(perp_operator_new_pairs(&A, &x.s.pairs, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "row 14 acts on body 6"));
    x.s.pairs.frames_from--;
    CU_ASSERT_EQUAL(perp_operator_new_pairs(&A, &x.s.pairs, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "frames from row 7 of 44 on"));
}

TEST(a_matrix_without_rows_or_bodies_works)
{
    const int32_t nobody[4] = {-1, -1, -1, -1};
    const double J[24] = {1.0}, C[2] = {3.0, 4.0};

    for (size_t rows = 0; rows < 3; rows += 2) {
        perp_pairs pairs = {.rows = rows, .J = J, .body = nobody, .C = C};
        double y[2] = {0.0, 0.0};
        perp_operator *A = test_new_pairs(&pairs);

        perp_operator_apply(A, C, y);
        CU_ASSERT(rows == 0 || (y[0] == 9.0 && y[1] == 16.0));
        perp_operator *B = test_convert(A, PERP_STORAGE_CSR, 1);
        CU_ASSERT_EQUAL(perp_operator_nonzeros(B), rows); /* the diagonal is stored */
        OK(perp_operator_copy(&B, A, NULL));
        CU_ASSERT(perp_operator_same(A, B));
    }
}

static perp_status make_all(void *context, perp_error *err)
{
    const couples *s = context;
    perp_operator *A = NULL, *B[6] = {NULL};
    perp_status status = perp_operator_new_pairs(&A, &s->pairs, err);

    if (status == PERP_OK) {
        status = perp_operator_copy(&B[0], A, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_new_view(&B[5], A, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_convert(&B[1], A, PERP_STORAGE_BSR, 3, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_convert(&B[2], A, PERP_STORAGE_CSR, 1, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_convert(&B[3], A, PERP_STORAGE_FACTORED, 1, err);
    }
    if (status == PERP_OK) {
        status = perp_operator_symmetric_part(&B[4], A, err);
    }
    return status;
}

TEST(missing_memory_is_survived)
{
    couples s;

    couples_draw(&s, COUPLES_ARMS, contacts, 12);
    scarce_everywhere(make_all, &s, "pairs");
    couples_frame(&s, 0);
    scarce_everywhere(make_all, &s, "frames");
}
