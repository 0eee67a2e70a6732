/* SPDX-License-Identifier: Apache-2.0
 * tests/core/judge_threads.c: a judge whose residuals threads compute together. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/judge.h"
#include "scarce.h"
#include "support.h"

/* More blocks than the least that threads share, and no whole number of ranges: contacts of
 * three rows, at times four of them on the same two bodies, then single rows. */
enum { CONTACTS = 2111, SINGLES = 234, ROWS = 3 * CONTACTS + SINGLES, BODIES = 500 };

typedef struct heap {
    double J[12 * ROWS], C[ROWS], left[ROWS], z[ROWS];
    double inverse_mass[BODIES], inverse_inertia[9 * BODIES];
    int32_t body[2 * ROWS];
} heap;

/* Two bodies: drawn, one body twice, or one alone; many touch body 5. */
static void draw_names(int32_t *two, perp_random *g)
{
    int64_t kind = perp_random_integer(g, 0, 9);

    two[0] = (int32_t)perp_random_integer(g, 0, BODIES - 1);
    two[1] = kind == 1 ? 5 : (int32_t)perp_random_integer(g, 0, BODIES - 1);
    if (kind == 2) {
        two[1] = two[0];
    } else if (kind == 3 || kind == 4) {
        two[kind - 3] = -1;
    }
}

/* Body 5 cannot move; a third of the rows has no impulse. */
static void draw_heap(heap *s, perp_random *g)
{
    int32_t two[2] = {0, 1};

    memset(s, 0, sizeof *s);
    for (size_t k = 0; k < BODIES; k++) {
        double *I = s->inverse_inertia + 9 * k;

        s->inverse_mass[k] = k == 5 ? 0.0 : perp_random_uniform(g, 0.5, 2.0);
        I[0] = I[4] = I[8] = 2.5 * s->inverse_mass[k];
    }
    for (size_t i = 0; i < 12 * (size_t)ROWS; i++) {
        s->J[i] = perp_random_uniform(g, -1.0, 1.0);
    }
    for (size_t i = 0; i < ROWS; i++) {
        bool begins = i >= 3 * CONTACTS || (i < CONTACTS ? i % 12 == 0 : i % 3 == 0);

        if (begins) {
            draw_names(two, g);
        }
        memcpy(s->body + 2 * i, two, sizeof two);
        s->C[i] = perp_random_uniform(g, 0.0, 0.1);
        s->left[i] = perp_random_uniform(g, 0.5, 2.0);
        s->z[i] = i / 3 % 3 == 0 ? 0.0 : perp_random_uniform(g, 0.0, 1.0);
    }
}

/* Borrows from s. */
static perp_problem *make_problem(heap *s, perp_law law, bool scaled, perp_random *g)
{
    perp_pairs pairs = {.rows = ROWS,
                        .J = s->J,
                        .body = s->body,
                        .C = s->C,
                        .bodies = BODIES,
                        .inverse_mass = s->inverse_mass,
                        .inverse_inertia = s->inverse_inertia};

    perp_operator *A = test_new_pairs(&pairs);
    if (scaled) {
        perp_operator_scale(A, s->left, s->left);
    }
    perp_set *set = test_new_set(ROWS);
    for (size_t k = 0; k < CONTACTS; k++) {
        perp_set_add_cone(set, 3, 0.2 + 0.1 * (double)(k % 5));
    }
    for (size_t k = 0; k < SINGLES; k++) {
        perp_set_add_nonneg(set);
    }
    return test_problem(A, set, law, g);
}

/* Residual and w of z by so many threads. */
static double judge_by(const perp_problem *p, size_t threads, const double *z, double *w)
{
    perp_judge *judge = NULL;
    perp_workspace *ws = test_new_workspace(0);

    OK(perp_judge_new_in(&judge, p, ws, NULL));
    OK(perp_judge_share(judge, threads, ws, NULL));
    double residual = perp_judge_residual(judge, z);
    residual = perp_judge_residual(judge, z); /* nothing is left of the first */
    memcpy(w, perp_judge_w(judge), ROWS * sizeof *w);
    return residual;
}

TEST(any_number_of_threads_judges_to_the_same_bits)
{
    static heap s;
    static double one[ROWS], w[ROWS];
    static const size_t threads[] = {2, 3, 7};

    for (int kind = 0; kind < 4; kind++) {
        perp_random g = {(uint64_t)kind + 1};

        draw_heap(&s, &g);
        perp_problem *p = make_problem(
            &s, kind % 2 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB, kind / 2, &g);
        double residual = judge_by(p, 1, s.z, one);
        CU_ASSERT(residual > 0.0 && isfinite(residual));
        for (size_t k = 0; k < 3; k++) {
            CU_ASSERT_EQUAL(judge_by(p, threads[k], s.z, w), residual);
            CU_ASSERT_EQUAL(memcmp(w, one, sizeof w), 0);
        }
    }
}

/* NaN in the middle, in the last single row, and infinity. */
TEST(no_thread_accepts_a_point_that_is_not_finite)
{
    static heap s;
    static double w[ROWS];
    static const size_t place[] = {ROWS / 2, ROWS - 1, 0};
    perp_random g = {9};

    draw_heap(&s, &g);
    perp_problem *p = make_problem(&s, PERP_LAW_COULOMB, false, &g);
    for (size_t k = 0; k < 3; k++) {
        double z = s.z[place[k]];

        s.z[place[k]] = k < 2 ? NAN : INFINITY;
        CU_ASSERT_EQUAL(judge_by(p, 2, s.z, w), INFINITY);
        s.z[place[k]] = z;
    }
    CU_ASSERT(isfinite(judge_by(p, 2, s.z, w)));
}

static perp_status open_and_close(void *context, perp_error *err)
{
    perp_workspace *ws = NULL;
    perp_judge *judge = NULL;
    perp_status status = perp_workspace_new(&ws, 0, err);

    if (status == PERP_OK) {
        status = perp_judge_new_in(&judge, context, ws, err);
    }
    if (status == PERP_OK) {
        status = perp_judge_share(judge, 2, ws, err);
    }
    return status;
}

TEST(a_shared_judge_reports_failed_allocations)
{
    static heap s;
    perp_random g = {3};

    draw_heap(&s, &g);
    perp_problem *p = make_problem(&s, PERP_LAW_COULOMB, false, &g);
    scarce_everywhere(open_and_close, p, "judge in threads");
}
