/* SPDX-License-Identifier: Apache-2.0
 * tests/linear/shifted.c: (A + D)^-1 in stored, velocity and spectrum form. */
#include <config.h>

#include "answers.h"
#include "linear/shifted.h"
#include "scarce.h"

enum { ROWS = 30, SPEEDS = 12 };

/* Of rank SPEEDS: J M^-1 J^T in factors, M^-1 in blocks of 3, symmetric or not. */
static perp_operator *in_factors(uint64_t seed, bool symmetric)
{
    perp_random g = {seed};
    perp_operator *J = test_new_dense(ROWS, SPEEDS);
    perp_operator *Minv = test_new_dense(SPEEDS, SPEEDS);

    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < 6; k++) { /* two bodies that follow one another */
            J->x[i + (i / 3 * 3 + k) % SPEEDS * J->ld] =
                perp_random_uniform(&g, -1.0, 1.0);
        }
    }
    for (size_t i = 0; i < SPEEDS; i++) {
        Minv->x[i + i * Minv->ld] = 1.0 + perp_random_unit(&g);
        for (size_t j = i / 3 * 3; j < i; j++) {
            Minv->x[i + j * Minv->ld] = 0.3 * perp_random_unit(&g);
            Minv->x[j + i * Minv->ld] =
                (symmetric ? 1.0 : -1.0) * Minv->x[i + j * Minv->ld];
        }
    }
    return test_new_factored(J, Minv, NULL);
}

static perp_workspace *workspace(void)
{
    return test_new_workspace(0);
}

/* All that was charged must have been discharged. */
static void discard(perp_workspace *ws)
{
    perp_workspace_release(ws, 0);
    CU_ASSERT_EQUAL(perp_workspace_bytes(ws), 0);
}

/* Each row a block. */
static perp_set *single_rows(size_t n)
{
    perp_set *set = test_new_set(n);

    for (size_t i = 0; i < n; i++) {
        perp_set_add_free(set);
    }
    return set;
}

static perp_status set_up(perp_shifted *s, const perp_operator *A, const perp_set *set,
                          perp_factor_kind kind, bool spectrum, perp_workspace *ws,
                          perp_error *err)
{
    perp_status status = spectrum ? perp_shifted_setup_spectrum(s, A, ws, err)
                                  : perp_shifted_setup(s, A, set, kind, ws, err);

    if (status == PERP_OK && !spectrum) {
        perp_shifted_keep_factors(s);
    }
    return status;
}

/* Solves with three D, one of them twice, and checks (A + D) x = c each time. */
static void check(const perp_operator *A, perp_factor_kind kind, bool spectrum,
                  double factorizations)
{
    const double shift[] = {0.5, 3.0, 0.5, 1e-3};
    perp_random g = {99};
    perp_shifted s = {0};
    perp_workspace *ws = workspace();
    perp_set *set = single_rows(ROWS);
    double d[ROWS], c[ROWS], x[ROWS], w[ROWS];
    bool done = false;
    perp_result *r = test_new_result(ROWS);

    OK(set_up(&s, A, set, kind, spectrum, ws, NULL));
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < ROWS; i++) {
            d[i] = shift[k] * (spectrum || i % 7 ? 1.0 : 0.1);
            x[i] = c[i] = perp_random_uniform(&g, -1.0, 1.0);
        }
        OK(perp_shifted_set_diagonal(&s, shift[k], d, &r->work, &done, NULL));
        CU_ASSERT(done);
        perp_shifted_solve(&s, x);
        perp_operator_apply(A, x, w);
        for (size_t i = 0; i < ROWS; i++) {
            w[i] += d[i] * x[i];
        }
        /* backward error: 1e-16 |A| |x| with |A| below 50 and |x| below 1e4/shift */
        CU_ASSERT(test_distance(ROWS, w, c) <= 1e-13 * test_largest(ROWS, x) * 50.0);
    }
    CU_ASSERT_EQUAL(r->work.factorizations, factorizations);
    perp_shifted_close(&s);
    discard(ws);
}

TEST(every_storage_and_every_form_solves_the_system)
{
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR,
                                     PERP_STORAGE_BSR};

    for (int symmetric = 0; symmetric < 2; symmetric++) {
        perp_operator *A = in_factors(7, symmetric);

        if (symmetric) {
            check(A, PERP_FACTOR_CHOLESKY, false, 4.0);
        }
        check(A, PERP_FACTOR_LU, false, 4.0); /* keeps the factors of the last D alone */
        for (size_t k = 0; k < 3; k++) {
            perp_operator *B = test_convert(A, storages[k], 3);

            check(B, PERP_FACTOR_LU, false, 3.0); /* the first D is known by its key */
            if (symmetric) {
                check(B, PERP_FACTOR_CHOLESKY, false, 3.0);
                check(B, PERP_FACTOR_LU, true, 0.0);
            }
        }
    }
}

/* Symmetric positive definite blocks, B B^T + I. */
static void draw_block(perp_random *g, size_t dim, double *D)
{
    double B[25];

    for (size_t i = 0; i < dim * dim; i++) {
        B[i] = perp_random_uniform(g, -1.0, 1.0);
    }
    for (size_t i = 0; i < dim; i++) {
        for (size_t j = 0; j < dim; j++) {
            D[i + j * dim] = i == j;
            for (size_t k = 0; k < dim; k++) {
                D[i + j * dim] += B[i + k * dim] * B[j + k * dim];
            }
        }
    }
}

/* Builds the same D twice, after another, and compares (A + D) (A + D)^-1 c with c. */
static void check_blocks(const perp_operator *A, const perp_set *set,
                         perp_factor_kind kind)
{
    perp_workspace *ws = workspace();
    perp_shifted s = {0};
    perp_work work = {0};

    OK(perp_shifted_setup(&s, A, set, kind, ws, NULL));
    for (int pass = 0; pass < 3; pass++) {
        perp_random g = {40 + pass / 2};
        double c[ROWS], x[ROWS], y[ROWS];
        double D[25];
        bool done = false;

        perp_shifted_load(&s);
        for (size_t k = 0; k < set->count; k++) {
            const perp_block *block = &set->blocks[k];

            draw_block(&g, block->dim, D);
            perp_shifted_add_block(&s, block->first, block->dim, D);
            perp_shifted_add(&s, block->first + block->dim - 1, 0.5);
        }
        for (size_t i = 0; i < ROWS; i++) {
            x[i] = c[i] = perp_random_uniform(&g, -1.0, 1.0);
        }
        OK(perp_shifted_factor(&s, &work, &done, NULL));
        CU_ASSERT(done);
        perp_shifted_solve(&s, x);
        perp_shifted_apply(&s, x, y);
        /* D >= 1, |A| below 50: 30 terms of 1e-16 |A| |x| */
        CU_ASSERT(test_distance(ROWS, y, c) <= 1e-12);
        perp_operator_apply(A, x, y);
        CU_ASSERT(test_distance(ROWS, y, c) > 1e-3); /* D counts */
    }
    CU_ASSERT_EQUAL(work.factorizations, 3.0);
    CU_ASSERT(work.flops_factor > 0.0);
    perp_shifted_close(&s);
    discard(ws);
}

TEST(blocks_are_added_in_every_form)
{
    const size_t dims[] = {1, 2, 3, 5};
    const perp_storage storages[] = {PERP_STORAGE_DENSE, PERP_STORAGE_CSR};

    for (size_t t = 0; t < 4; t++) {
        perp_operator *A = in_factors(11, true);
        perp_set *set = test_new_set(ROWS);

        for (size_t i = 0; i < ROWS; i += dims[t]) {
            switch (dims[t]) {
            case 1:
                perp_set_add_nonneg(set);
                break;
            case 5:
                perp_set_add_rolling(set, 0.5, 0.1);
                break;
            default:
                perp_set_add_cone(set, dims[t], 0.5);
                break;
            }
        }
        check_blocks(A, set, PERP_FACTOR_LU);
        check_blocks(A, set, PERP_FACTOR_CHOLESKY);
        for (size_t k = 0; k < 2; k++) {
            perp_operator *B = test_convert(A, storages[k], 1);

            check_blocks(B, set, PERP_FACTOR_CHOLESKY);
            check_blocks(B, set, PERP_FACTOR_LU);
        }
    }
}

/* Rows of two bodies: the first in rest, chains of spheres; blocks of 3. */
TEST(rows_of_two_bodies_are_solved_among_their_velocities)
{
    enum { BODIES = 4 };
    perp_random g = {13};
    double J[12 * ROWS], C[ROWS], inverse_mass[BODIES], inertia[9 * BODIES] = {0};
    double mu[ROWS / 3];
    int32_t body[2 * ROWS];
    perp_pairs pairs = {.rows = ROWS, .J = J, .body = body, .C = C, .bodies = BODIES};

    pairs.inverse_mass = inverse_mass;
    pairs.inverse_inertia = inertia;
    for (size_t k = 0; k < BODIES; k++) {
        inverse_mass[k] = 1.0 + (double)k;
        inertia[9 * k] = inertia[9 * k + 4] = inertia[9 * k + 8] = 2.0;
    }
    for (size_t i = 0; i < ROWS; i++) {
        C[i] = 0.01 * (double)(i % 2);
        mu[i / 3] = 0.5;
        body[2 * i] = (int32_t)(i / 3 % BODIES) - 1;
        body[2 * i + 1] = (int32_t)(i / 3 % BODIES);
        for (size_t k = 0; k < 12; k++) {
            J[12 * i + k] = perp_random_uniform(&g, -1.0, 1.0);
        }
    }
    perp_operator *A = test_new_pairs(&pairs);
    perp_set *set = test_new_cones(3, ROWS / 3, mu);
    check_blocks(A, set, PERP_FACTOR_LU);
    check_blocks(A, set, PERP_FACTOR_CHOLESKY);
}

TEST(a_changed_diagonal_is_factored_again)
{
    perp_operator *A = in_factors(8, true);
    perp_set *set = single_rows(ROWS);
    double d[ROWS], c[ROWS], x[ROWS], w[ROWS];
    perp_result *r = test_new_result(ROWS);

    for (int spectrum = 0; spectrum < 2; spectrum++) {
        perp_shifted s = {0};
        perp_workspace *ws = workspace();
        bool done = false;

        OK(set_up(&s, A, set, PERP_FACTOR_LU, spectrum, ws, NULL));
        for (size_t i = 0; i < ROWS; i++) {
            d[i] = 0.1;
        }
        OK(perp_shifted_set_diagonal(&s, 1.0, d, &r->work, &done, NULL));
        perp_operator_add_diagonal(A, 2.0);
        perp_shifted_update_diagonal(&s, 2.0);
        OK(perp_shifted_set_diagonal(&s, 1.0, d, &r->work, &done, NULL));
        for (size_t i = 0; i < ROWS; i++) {
            x[i] = c[i] = 1.0 + (double)i;
        }
        perp_shifted_solve(&s, x);
        perp_operator_apply(A, x, w);
        for (size_t i = 0; i < ROWS; i++) {
            w[i] += d[i] * x[i];
        }
        CU_ASSERT(test_distance(ROWS, w, c) <= 1e-11); /* condition below 50 */
        perp_shifted_close(&s);
        discard(ws);
    }
}

/* A = [1 2; 2 1]: A + D is definite from D = 1 on. */
TEST(a_system_without_factors_is_reported)
{
    const double rows[] = {1, 2, 2, 1};
    const double small[] = {0.5, 0.5};
    const double large[] = {2.0, 2.0};
    perp_set *set = single_rows(2);
    perp_shifted s = {0};
    perp_workspace *ws = workspace();
    double least = 0.0;
    double most = 0.0;
    double x[] = {1.0, 1.0};
    bool done = true;
    perp_operator *A = test_new_from_dense(2, 2, rows, 2);
    perp_result *r = test_new_result(2);

    OK(perp_spectrum_extremes(A, &least, &most, ws, NULL));
    CU_ASSERT_DOUBLE_EQUAL(least, -1.0, 1e-14); /* eigenvalues 3 and -1, to rounding */
    CU_ASSERT_DOUBLE_EQUAL(most, 3.0, 1e-14);
    OK(set_up(&s, A, set, PERP_FACTOR_CHOLESKY, false, ws, NULL));
    OK(perp_shifted_set_diagonal(&s, 0.5, small, &r->work, &done, NULL));
    CU_ASSERT(!done);
    OK(perp_shifted_set_diagonal(&s, 2.0, large, &r->work, &done, NULL));
    CU_ASSERT(done);
    perp_shifted_solve(&s, x);
    CU_ASSERT_DOUBLE_EQUAL(x[0], 0.2, 1e-15); /* (3 + 2) x = 1 */
    perp_shifted_close(&s);
    discard(ws);
}

typedef struct opening {
    const perp_operator *A;
    const perp_set *set;
    perp_factor_kind kind;
    bool spectrum;
} opening;

static perp_status open_one(void *context, perp_error *err)
{
    const opening *o = context;
    perp_shifted s = {0};
    perp_workspace *ws = NULL;
    perp_status status = perp_workspace_new(&ws, 0, err);

    if (status == PERP_OK) {
        status = set_up(&s, o->A, o->set, o->kind, o->spectrum, ws, err);
    }
    perp_shifted_close(&s);
    return status;
}

TEST(missing_memory_is_survived)
{
    perp_operator *A = in_factors(9, true);
    perp_set *set = single_rows(ROWS);
    opening o = {A, set, PERP_FACTOR_LU, false};
    perp_operator *B = test_convert(A, PERP_STORAGE_CSR, 1);

    scarce_everywhere(open_one, &o, "velocities");
    o = (opening){B, set, PERP_FACTOR_CHOLESKY, false};
    scarce_everywhere(open_one, &o, "cholesky");
    o = (opening){B, set, PERP_FACTOR_LU, true};
    scarce_everywhere(open_one, &o, "spectrum");
}
