/* SPDX-License-Identifier: Apache-2.0
 * tests/articulation/tangent.c: the tangent of inverse dynamics and of velocities, against
 * differences of order six of the recursions that it is the tangent of. */
#include <config.h>

#include <math.h>

#include "derivative/tangent.h"
#include "random_tree.h"

/* Sums over ten links of numbers up to some 1e2, twice. */
static const double same_tau = 1e-11;
/* Differences of order six over 1e-2 of functions that turn by ten angles at most: 1e-12
 * times their size, which is some 1e2; those within joints of more coordinates 1e-13. */
static const double tangent_err = 1e-9;
static const double h = 2e-3;

static const tree_how hows[] = {
    {.count = 1,
     .shape = TREE_CHAIN,
     .mobilizer = "spherical",
     .passive = true,
     .seed = 1},
    {.count = 4,
     .shape = TREE_CHAIN,
     .mobilizer = "revolute",
     .passive = true,
     .seed = 2},
    {.count = 3, .shape = TREE_CHAIN, .mobilizer = "universal", .seed = 3},
    {.count = 6, .shape = TREE_BUSHY, .floating = true, .seed = 4},
    {.count = 9, .shape = TREE_BUSHY, .passive = true, .moving = true, .seed = 5},
    {.count = 10, .shape = TREE_CHAIN, .floating = true, .passive = true, .seed = 6},
    {.count = 9, .shape = TREE_BUSHY, .moving = true, .seed = 7},
    {.count = 3,
     .shape = TREE_CHAIN,
     .mobilizer = "spherical-euler",
     .passive = true,
     .seed = 8},
    {.count = 3, .shape = TREE_CHAIN, .mobilizer = "planar", .passive = true, .seed = 9},
};

/* tau at q and rates qd with nu_dot and forces as they are, and velocities of links. */
static void inverse(perp_articulation *tree, const double *q, const double *nu,
                    const double *nu_dot, const double *f, double *tau, double *u)
{
    tangent t = {0};

    memcpy(tree->q, q, tree->n * sizeof *q);
    OK(perp_articulation_rates(tree, nu, tree->qd, NULL));
    OK(perp_articulation_update(tree, NULL));
    memcpy(u, tree->u, 6 * tree->count * sizeof *u);
    OK(tangent_new(&t, tree, NULL));
    OK(tangent_place(&t, nu, nu_dot, f, tau, NULL));
    tangent_clear(&t);
}

/* By perp_articulation_rnea: qdd from nu_dot = N qdd + dN/dt qd, solved for column by
 * column since N is the rate of nu along qdd. */
TEST(the_base_is_inverse_dynamics)
{
    for (size_t c = 0; c < sizeof hows / sizeof *hows; c++) {
        perp_articulation *tree = random_tree(&hows[c]);
        const size_t n = tree->n;
        double *f = drawn(6 * tree->count, 50 + c);
        double *qdd = drawn(n, 70 + c);
        double *nu = reals(n), *nu_dot = reals(n), *q = reals(n);
        double *tau = reals(n), *expected = reals(n), *passive = reals(n);
        double *u = reals(6 * tree->count);

        memcpy(q, tree->q, n * sizeof *q);
        perp_articulation_quasi(tree, tree->qd, nu);
        perp_articulation_quasi_rate(tree, qdd, nu_dot);
        perp_articulation_rnea(tree, qdd, f, expected);
        perp_articulation_passive(tree, passive);
        for (size_t i = 0; i < n; i++) {
            expected[i] -= passive[i];
        }
        inverse(tree, q, nu, nu_dot, f, tau, u);
        CU_ASSERT(test_distance(n, tau, expected) <=
                  same_tau * fmax(1.0, test_largest(n, tau)));
        free(f), free(qdd), free(nu), free(nu_dot), free(q);
        free(tau), free(expected), free(passive), free(u);
    }
}

typedef struct line {
    double *q, *nu, *f, *dq, *dnu, *df;
} line;

/* Differences of order six of tau and u along the line. */
static void along_by_differences(perp_articulation *tree, const line *l,
                                 const double *nu_dot, double *dtau, double *du)
{
    static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    const size_t n = tree->n, m = 6 * tree->count;
    double *q = reals(n), *nu = reals(n), *f = reals(m), *tau = reals(n), *u = reals(m);

    memset(dtau, 0, n * sizeof *dtau);
    memset(du, 0, m * sizeof *du);
    for (int k = -3; k <= 3; k++) {
        const double w = k == 0 ? 0.0 : (k > 0 ? 1 : -1) * weight[abs(k) - 1] / h;

        for (size_t i = 0; i < n; i++) {
            q[i] = l->q[i] + k * h * l->dq[i];
            nu[i] = l->nu[i] + k * h * l->dnu[i];
        }
        for (size_t i = 0; i < m; i++) {
            f[i] = l->f[i] + k * h * l->df[i];
        }
        inverse(tree, q, nu, nu_dot, f, tau, u);
        for (size_t i = 0; i < n; i++) {
            dtau[i] += w * tau[i];
        }
        for (size_t i = 0; i < m; i++) {
            du[i] += w * u[i];
        }
    }
    free(q), free(nu), free(f), free(tau), free(u);
}

TEST(the_tangent_is_the_limit_of_differences)
{
    for (size_t c = 0; c < sizeof hows / sizeof *hows; c++) {
        perp_articulation *tree = random_tree(&hows[c]);
        const size_t n = tree->n, m = 6 * tree->count;
        line l = {reals(n),         reals(n),         drawn(m, 10 + c),
                  drawn(n, 20 + c), drawn(n, 30 + c), drawn(m, 40 + c)};
        double *nu_dot = drawn(n, 60 + c);
        double *dtau = reals(n), *du = reals(m), *tau = reals(n), *u = reals(m);
        tangent t = {0};

        tree->switch_chart = false;
        memcpy(l.q, tree->q, n * sizeof *l.q);
        perp_articulation_quasi(tree, tree->qd, l.nu);
        along_by_differences(tree, &l, nu_dot, tau, u);
        put_state(tree, l.q, tree->qd);
        OK(tangent_new(&t, tree, NULL));
        OK(tangent_place(&t, l.nu, nu_dot, l.f, NULL, NULL));
        OK(tangent_along(&t, l.dq, l.dnu, l.df, dtau, du, NULL));
        if (!(test_distance(n, dtau, tau) <=
                  tangent_err * fmax(1.0, test_largest(n, tau)) &&
              test_distance(m, du, u) <= tangent_err * fmax(1.0, test_largest(m, u)))) {
            test_note("tree %zu: tau off by %g of %g, u by %g of %g", c,
                      test_distance(n, dtau, tau), test_largest(n, tau),
                      test_distance(m, du, u), test_largest(m, u));
            CU_FAIL("the tangent differs");
        }
        tangent_clear(&t);
        free(l.q), free(l.nu), free(l.f), free(l.dq), free(l.dnu), free(l.df);
        free(nu_dot), free(dtau), free(du), free(tau), free(u);
    }
}
