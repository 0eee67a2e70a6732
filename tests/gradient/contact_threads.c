/* SPDX-License-Identifier: Apache-2.0
 * tests/gradient/contact_threads.c: threads share the steps of many contacts. */
#include <config.h>

#include "gradient/descent.h"
#include "helpers.h"
#include "scarce.h"

/* More contacts than the least that a team shares, and no whole number of chunks. */
enum { CONTACTS = 2345, BODIES = 700 };

typedef struct pile {
    double J[36 * CONTACTS], C[3 * CONTACTS];
    double inverse_mass[BODIES], inverse_inertia[9 * BODIES];
    int32_t body[6 * CONTACTS];
} pile;

/* Rows of the reflection at a drawn plane, and arms, as those of a contact. */
static void draw_contact(double *J, perp_random *g)
{
    double n[3], arm[2][3], square = 0.0;

    for (size_t d = 0; d < 3; d++) {
        n[d] = perp_random_uniform(g, -1.0, 1.0);
        arm[0][d] = perp_random_uniform(g, -0.5, 0.5);
        arm[1][d] = perp_random_uniform(g, -0.5, 0.5);
        square += n[d] * n[d];
    }
    for (size_t k = 0; k < 6; k++) {
        size_t row = k / 2, side = k % 2;
        double *to = J + 12 * row + 6 * side, F[3], a[3];

        for (size_t d = 0; d < 3; d++) {
            F[d] = (row == d) - 2.0 * n[row] * n[d] / square;
        }
        perp_cross(arm[side], F, a);
        for (size_t d = 0; d < 3; d++) {
            to[d] = side == 0 ? -F[d] : F[d];
            to[3 + d] = side == 0 ? -a[d] : a[d];
        }
    }
}

/* Bodies of contact k: neighbours, one body twice, or one alone; many touch body 5. */
static void draw_names(int32_t *two, size_t k, perp_random *g)
{
    two[0] = (int32_t)(k * BODIES / CONTACTS);
    two[1] = (int32_t)perp_random_integer(g, 0, BODIES - 1);
    if (k % 10 == 1) {
        two[1] = 5;
    } else if (k % 10 == 2) {
        two[k % 20 == 2] = -1;
    } else if (k % 100 == 3) {
        two[1] = two[0];
    }
}

/* Body 5 cannot move. */
static void draw_pile(pile *s, perp_random *g)
{
    memset(s, 0, sizeof *s);
    for (size_t k = 0; k < BODIES; k++) {
        double *I = s->inverse_inertia + 9 * k;

        s->inverse_mass[k] = k == 5 ? 0.0 : perp_random_uniform(g, 0.5, 2.0);
        I[0] = I[4] = I[8] = 2.5 * s->inverse_mass[k];
    }
    for (size_t k = 0; k < CONTACTS; k++) {
        int32_t *two = s->body + 6 * k;

        draw_contact(s->J + 36 * k, g);
        draw_names(two, k, g);
        for (size_t i = 0; i < 3; i++) {
            two[2 * i] = two[0];
            two[2 * i + 1] = two[1];
            s->C[3 * k + i] = perp_random_uniform(g, 0.0, 0.1);
        }
    }
}

/* Borrows from s. */
static perp_problem *draw_problem(pile *s, perp_law law, uint64_t seed)
{
    perp_random g = {seed};
    perp_pairs pairs = {.rows = 3 * CONTACTS,
                        .J = s->J,
                        .body = s->body,
                        .C = s->C,
                        .bodies = BODIES,
                        .inverse_mass = s->inverse_mass,
                        .inverse_inertia = s->inverse_inertia};

    draw_pile(s, &g);
    perp_operator *A = test_new_pairs(&pairs);
    perp_set *set = test_new_set(3 * CONTACTS);
    for (size_t k = 0; k < CONTACTS; k++) {
        perp_set_add_cone(set, 3, 0.2 + 0.1 * (double)(k % 5));
    }
    perp_problem *p = test_problem(A, set, law, &g);
    for (size_t i = 0; i < p->n; i += 3) {
        p->b[i] -= 0.6;
    }
    return p;
}

static void check_bits(const char *solver, const perp_problem *p, const char *steps)
{
    static const char *const threads[] = {"threads=2", "threads=3", "threads=7"};
    perp_result *one = test_solve(p, solver, steps, "tolerance=1e-9", NULL);

    CU_ASSERT(one->iterations >= 20);
    for (size_t k = 0; k < 3; k++) {
        perp_result *r = test_solve(p, solver, steps, "tolerance=1e-9", threads[k], NULL);

        CU_ASSERT_EQUAL(memcmp(r->z, one->z, p->n * sizeof *r->z), 0);
        CU_ASSERT_EQUAL(r->iterations, one->iterations);
        CU_ASSERT_EQUAL(r->residual, one->residual);
        CU_ASSERT_EQUAL(r->work.products, one->work.products);
    }
}

TEST(any_number_of_threads_gives_the_same_bits)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        static pile s;
        perp_problem *p = draw_problem(&s, PERP_LAW_ASSOCIATED, seed);

        check_bits("apgd", p, "max-iterations=20");
        check_bits("apgd", p, "max-iterations=150");
        check_bits("apgd-inline", p, "max-iterations=100");
        check_bits("auto", p, "max-iterations=150");
        p->law = PERP_LAW_COULOMB;
        check_bits("apgd-inline", p, "max-iterations=100");
    }
}

static perp_status open_and_close(void *context, perp_error *err)
{
    perp_workspace *ws = NULL;
    perp_descent s = {0};
    perp_status status = perp_workspace_new(&ws, 0, err);

    if (status == PERP_OK) {
        status = perp_descent_init(&s, context, 2, ws, err);
        CU_ASSERT(status != PERP_OK || s.team);
    }
    return status;
}

TEST(threads_report_failed_allocations)
{
    static pile s;
    perp_problem *p = draw_problem(&s, PERP_LAW_ASSOCIATED, 3);

    scarce_everywhere(open_and_close, p, "steps of contacts in threads");
}
