/* SPDX-License-Identifier: Apache-2.0
 * tests/derivative/differences.c: differences of solutions. */
#include <config.h>

#include "differences.h"

direction direction_draw(size_t n, perp_random *g)
{
    direction d = {perp_reals_new(n), NULL};

    CU_ASSERT_PTR_NOT_NULL_FATAL(d.db);
    OK(perp_operator_new_dense(&d.dA, n, n, NULL));
    for (size_t i = 0; i < n; i++) {
        d.db[i] = perp_random_uniform(g, -1.0, 1.0);
        for (size_t j = 0; j < n; j++) {
            d.dA->x[i + j * d.dA->ld] = perp_random_uniform(g, -1.0, 1.0);
        }
    }
    return d;
}

void direction_free(direction *d)
{
    free(d->db);
}

void direction_move(perp_problem *p, const direction *d, double t)
{
    for (size_t i = 0; i < p->n; i++) {
        p->b[i] += t * d->db[i];
        for (size_t j = 0; d->dA && j < p->n; j++) {
            p->A->x[i + j * p->A->ld] += t * d->dA->x[i + j * d->dA->ld];
        }
    }
}

perp_operator *asymmetric(size_t n, uint64_t seed)
{
    perp_operator *A = test_spd(n, seed);
    perp_random g = {seed + 1000};

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double a = perp_random_uniform(&g, -0.3, 0.3);

            A->x[i + j * A->ld] += a;
            A->x[j + i * A->ld] -= a;
        }
    }
    return A;
}

double *solved(const perp_problem *p, const char *solver)
{
    perp_result *r = test_solve(p, solver, "tolerance=1e-12", NULL);
    double *z = test_reals(p->n);

    CU_ASSERT_EQUAL(r->outcome, PERP_SOLVED);
    memcpy(z, r->z, p->n * sizeof *z);
    return z;
}

perp_sensitivity *sensitivity_of(const perp_problem *p, const double *z,
                                 const perp_sensitivity_options *options)
{
    perp_sensitivity *g = NULL;
    perp_error err = {0};
    perp_status status = perp_sensitivity_new(&g, p, z, options, &err);

    if (status != PERP_OK) {
        test_note("%s", err.text);
    }
    OK(status);
    return g;
}

bool same_piece(const perp_problem *p, const perp_sensitivity *g, const direction *d,
                double h, const char *solver)
{
    bool same = true;

    for (int side = -1; side <= 1; side += 2) {
        perp_problem *q = NULL;
        perp_sensitivity *there = NULL;
        double *z = NULL;

        OK(perp_problem_copy(&q, p, NULL));
        direction_move(q, d, side * h);
        z = solved(q, solver);
        there = sensitivity_of(q, z, NULL);
        for (size_t i = 0; i < p->n; i++) {
            same =
                same && perp_sensitivity_state(g, i) == perp_sensitivity_state(there, i);
        }
    }
    return same;
}

double *difference(const perp_problem *p, const direction *d, double t, double s,
                   const char *solver)
{
    perp_problem *q = NULL;
    double *ahead = NULL;
    double *behind = NULL;

    OK(perp_problem_copy(&q, p, NULL));
    direction_move(q, d, t);
    ahead = solved(q, solver);
    direction_move(q, d, -t - s);
    behind = solved(q, solver);
    for (size_t i = 0; i < p->n; i++) {
        ahead[i] = (ahead[i] - behind[i]) / (t + s);
    }
    return ahead;
}

bool agrees(const double *x, const double *y, size_t n, double tolerance)
{
    double size = 1.0;
    bool good = true;

    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(y[i]));
    }
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(x[i] - y[i]) <= tolerance * size)) {
            test_note("entry %zu is %.12g, expected %.12g", i, x[i], y[i]);
            good = false;
        }
    }
    return good;
}
