/* SPDX-License-Identifier: Apache-2.0
 * tests/interop/drawn.c: random problems with one solution, for other codes. */
#include <config.h>

#include <stdlib.h>

#include "drawn.h"

/* Positive definite; with a skew part, so that transposing it would show. */
static perp_operator *definite(size_t n, double skew, perp_random *g)
{
    perp_operator *A = test_spd(n, 7);

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double s = perp_random_uniform(g, -skew, skew);

            A->x[i + j * A->ld] += s;
            A->x[j + i * A->ld] -= s;
        }
    }
    return A;
}

/* b is negative in the normal rows and in some others, so that contacts close and rows bind. */
perp_problem *test_drawn(const char *words, perp_law law, double skew)
{
    perp_set *set = test_set(words);
    perp_random g = {11};
    perp_problem *p = test_problem(definite(set->n, skew, &g), set, law, &g);

    for (size_t k = 0; k < set->count; k++) {
        if (set->blocks[k].dim > 1 || k % 3 == 0) {
            p->b[set->blocks[k].first] = -1.0;
        }
    }
    return p;
}

/* Blocks of 6 and 3 on the diagonal: Siconos condenses block storage only so. */
static perp_operator *two_bodies(perp_random *g)
{
    perp_operator *M = definite(9, SKEW, g);

    for (size_t i = 6; i < 9; i++) {
        for (size_t j = 0; j < 6; j++) {
            M->x[i + j * M->ld] = 0.0;
            M->x[j + i * M->ld] = 0.0;
        }
    }
    return M;
}

/* M v = H r + f with nine velocities. */
perp_problem *test_drawn_global(const char *words)
{
    perp_problem *p = test_drawn(words, PERP_LAW_COULOMB, SKEW);
    perp_random g = {13};

    p->global = calloc(1, sizeof *p->global);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->global);
    p->global->M = two_bodies(&g);
    p->global->f = perp_reals_new(9);
    OK(perp_operator_new_dense(&p->global->H, 9, p->n, NULL));
    for (size_t i = 0; i < 9; i++) {
        p->global->f[i] = perp_random_uniform(&g, -1.0, 1.0);
        for (size_t j = 0; j < p->n; j++) {
            p->global->H->x[i + j * p->global->H->ld] =
                perp_random_uniform(&g, -1.0, 1.0);
        }
    }
    perp_operator_free(p->A);
    p->A = NULL;
    p->sealed = false;
    return p;
}
