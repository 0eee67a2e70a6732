/* SPDX-License-Identifier: Apache-2.0
 * tests/articulation/loops.c: rows of points, and loops closed by multipliers. */
#include <config.h>

#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "math/vec3.h"
#include "random_tree.h"
#include "reference.h"

static void check_point(const golden_case *c)
{
    double *f = NULL;
    double *tau = NULL;
    perp_articulation *tree = golden_tree(c, &f, &tau);
    const size_t n = tree->n;
    double *J = reals(3 * n);
    double *rows = reals(3 * n);
    double rate[3];
    double x[3];

    golden_reals(c->in, "contact_point_body", 3, x);
    perp_articulation_point(tree, tree->count - 1, x, J, rate);
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < n; k++) {
            rows[n * i + k] = J[3 * k + i];
        }
    }
    golden_agree(c, "Jc", rows, 3 * n);
    golden_agree(c, "Jcdot_qd", rate, 3);
    free(f);
    free(tau);
}

TEST(rows_of_points_are_the_golden_ones)
{
    golden_each("articulated", NULL, check_point);
}

/* Two components of the velocity of the point held, without stabilisation. */
static void check_held(const golden_case *c)
{
    double *f = NULL;
    double *tau = NULL;
    perp_articulation *tree = golden_tree(c, &f, &tau);
    const size_t n = tree->n;
    double *J = reals(3 * n);
    double *G = reals(2 * n);
    double *qdd = reals(n);
    double rate[3];
    double x[3];
    double lambda[2];
    perp_loops loops = {.m = 2, .G = G, .gdot = rate};

    if (golden_count(c->out, "loop_qdd") > 0) {
        golden_reals(c->in, "contact_point_body", 3, x);
        perp_articulation_point(tree, tree->count - 1, x, J, rate);
        for (size_t k = 0; k < n; k++) {
            memcpy(G + 2 * k, J + 3 * k, 2 * sizeof *G);
        }
        OK(perp_articulation_solve_loops(tree, tau, f, &loops, qdd, lambda, NULL));
        golden_agree(c, "loop_qdd", qdd, n);
        golden_agree(c, "loop_lambda", lambda, 2);
    }
    free(f);
    free(tau);
}

TEST(closed_loops_are_the_golden_ones)
{
    golden_each("articulated", NULL, check_held);
}

/* J qd of a point of the last link, dt later: the whole state goes on at constant qd. */
static void point_later(perp_articulation *tree, const double *q, const perp_frame *base,
                        const double x[3], double dt, double v[3])
{
    double *J = reals(3 * tree->n);

    for (size_t k = 0; k < tree->n; k++) {
        tree->q[k] = q[k] + dt * tree->qd[k];
    }
    for (size_t k = 0; k < tree->count; k++) {
        double turn[3];
        double R[9];

        vec3_scale(dt, tree->base_u + 6 * k + 3, turn);
        perp_exponential(turn, R);
        mat3_multiply(R, base[k].R, tree->base[k].R);
        vec3_add(base[k].p, dt, tree->base_u + 6 * k, tree->base[k].p);
    }
    put_state(tree, tree->q, tree->qd);
    perp_articulation_point(tree, tree->count - 1, x, J, NULL);
    vec3_set(v, 0.0, 0.0, 0.0);
    for (size_t k = 0; k < tree->n; k++) {
        vec3_add(v, tree->qd[k], J + 3 * k, v);
    }
}

/* Chains of eight drawn joints, what they hang on moves. Differences over 1e-5 of
 * velocities of size 10, third derivatives of size 1000: 1e-10/6 1e3 and 1e-15/1e-5 1e1;
 * the rate itself is of size 100. */
TEST(the_rate_of_a_point_is_its_difference)
{
    const double h = 1e-5;

    for (uint64_t seed = 1; seed <= 10; seed++) {
        const tree_how how = {
            .count = 8, .shape = TREE_CHAIN, .moving = true, .seed = seed};
        const double x[3] = {0.2, -0.1, 0.3};
        perp_articulation *tree = random_tree(&how);
        double *q = reals(tree->n);
        perp_frame base[8];
        double rate[3];
        double up[3];
        double down[3];

        perp_articulation_point(tree, 7, x, NULL, rate);
        memcpy(q, tree->q, tree->n * sizeof *q);
        memcpy(base, tree->base, sizeof base);
        point_later(tree, q, base, x, h, up);
        point_later(tree, q, base, x, -h, down);
        vec3_subtract(up, down, up);
        vec3_scale(0.5 / h, up, up);
        test_agree("(dJ/dt) qd", rate, up, 3, 1e-7);
    }
}

/* The whole system by a dense factorisation. */
static void solve_dense(perp_articulation *tree, const perp_loops *loops,
                        const double *tau, const double *f, double *x)
{
    const size_t n = tree->n;
    const size_t m = loops->m;
    const size_t size = n + m;
    double *K = reals(size * size);
    double *H = reals(n * n);
    double *c = reals(n);
    lapack_int pivots[64];

    CU_ASSERT_FATAL(size <= 64);
    perp_articulation_crba(tree, H);
    perp_articulation_rnea(tree, NULL, f, c);
    for (size_t j = 0; j < n; j++) {
        memcpy(K + size * j, H + n * j, n * sizeof *K);
        x[j] = tau[j] - c[j];
        for (size_t i = 0; i < m; i++) {
            K[size * j + n + i] = loops->G[m * j + i];
            K[size * (n + i) + j] = -loops->G[m * j + i];
        }
    }
    for (size_t i = 0; i < m; i++) {
        K[(size + 1) * (n + i)] = loops->cfm;
        x[n + i] = -loops->gdot[i] - loops->beta * loops->beta * loops->phi[i];
        for (size_t k = 0; k < n; k++) {
            x[n + i] -= 2.0 * loops->alpha * loops->G[m * k + i] * tree->qd[k];
        }
    }
    CU_ASSERT_EQUAL_FATAL(LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)size, 1, K,
                                        (lapack_int)size, pivots, x, (lapack_int)size),
                          0);
}

/* Drawn trees and rows; conditions of H and W up to 1e4 each. */
TEST(the_answer_is_that_of_the_whole_system)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const tree_how how = {
            .count = 7, .shape = TREE_BUSHY, .passive = true, .seed = seed};
        perp_articulation *tree = random_tree(&how);
        const size_t n = tree->n;
        const size_t m = n < 6 ? n / 2 : 4;
        double *G = drawn(m * n, seed + 100);
        double *right = drawn(2 * m, seed + 200);
        double *f = drawn(6 * tree->count, seed + 300);
        double *tau = drawn(n, seed + 400);
        double *x = reals(n + m);
        double *y = reals(n + m);
        perp_loops loops = {.m = m,
                            .G = G,
                            .gdot = right,
                            .phi = right + m,
                            .alpha = 3.0,
                            .beta = 4.0,
                            .cfm = seed % 2 == 0 ? 0.1 : 0.0};
        perp_status status =
            perp_articulation_solve_loops(tree, tau, f, &loops, x, x + n, NULL);

        OK(status);
        solve_dense(tree, &loops, tau, f, y);
        CU_ASSERT(test_distance(n + m, x, y) <= 1e-9 * fmax(1.0, test_largest(n + m, y)));
    }
}

TEST(without_rows_it_is_the_tree_alone)
{
    const tree_how how = {.count = 6, .shape = TREE_CHAIN, .seed = 5};
    perp_articulation *tree = random_tree(&how);
    const perp_loops none = {0};
    double *qdd = reals(tree->n);
    double *alone = reals(tree->n);

    OK(perp_articulation_solve_loops(tree, NULL, NULL, &none, qdd, NULL, NULL));
    OK(perp_articulation_aba(tree, NULL, NULL, alone, NULL));
    CU_ASSERT(memcmp(qdd, alone, tree->n * sizeof *qdd) == 0);
}

/* One row g alone, then the rows g, g, 2 g, 0, which say it three times and nothing once:
 * the same motion, and of all forces with g-part l the least, l (1, 1, 2, 0)/6. */
TEST(redundant_rows_share_their_force)
{
    static const double times[4] = {1.0, 1.0, 2.0, 0.0};
    const tree_how how = {.count = 6, .shape = TREE_CHAIN, .seed = 6};
    perp_articulation *tree = random_tree(&how);
    const size_t n = tree->n;
    double *g = drawn(n, 61);
    double *G = reals(4 * n);
    double *qdd = reals(n);
    double *again = reals(n);
    double one = 0.0;
    double lambda[4];
    double gdot[4];
    perp_loops loops = {.m = 1, .G = g, .gdot = gdot};

    for (size_t i = 0; i < 4; i++) {
        gdot[i] = 0.7 * times[i];
        for (size_t k = 0; k < n; k++) {
            G[4 * k + i] = times[i] * g[k];
        }
    }
    OK(perp_articulation_solve_loops(tree, NULL, NULL, &loops, qdd, &one, NULL));
    loops.m = 4;
    loops.G = G;
    OK(perp_articulation_solve_loops(tree, NULL, NULL, &loops, again, lambda, NULL));
    /* a tenth of the digits lost to the condition of H */
    CU_ASSERT(test_distance(n, qdd, again) <= 1e-12 * fmax(1.0, test_largest(n, qdd)));
    for (size_t i = 0; i < 4; i++) {
        CU_ASSERT_DOUBLE_EQUAL(lambda[i], one * times[i] / 6.0,
                               1e-12 * fmax(1.0, fabs(one)));
    }
}

/* Softness shares as well, and gives: lambda = -cfm^-1 (what is left of the row). */
TEST(softness_gives_way)
{
    const tree_how how = {.count = 5, .shape = TREE_CHAIN, .seed = 7};
    perp_articulation *tree = random_tree(&how);
    const size_t n = tree->n;
    double *G = drawn(2 * n, 71);
    double *qdd = reals(n);
    double lambda[2];
    perp_loops loops = {.m = 2, .G = G, .cfm = 0.3};

    OK(perp_articulation_solve_loops(tree, NULL, NULL, &loops, qdd, lambda, NULL));
    for (size_t i = 0; i < 2; i++) {
        double left = 0.3 * lambda[i];

        for (size_t k = 0; k < n; k++) {
            left += G[2 * k + i] * qdd[k];
        }
        CU_ASSERT_DOUBLE_EQUAL(left, 0.0, 1e-12 * fmax(1.0, test_largest(n, qdd)));
    }
}

/* Factors for a step stay what they were. */
TEST(the_callers_factors_stay)
{
    const tree_how how = {.count = 6, .shape = TREE_CHAIN, .passive = true, .seed = 8};
    perp_articulation *tree = random_tree(&how);
    const size_t n = tree->n;
    double *G = drawn(n, 81);
    double *tau = drawn(n, 82);
    double *qdd = reals(n);
    double *before = reals(n);
    double *after = reals(n);
    double lambda = 0.0;
    perp_loops loops = {.m = 1, .G = G};

    OK(perp_articulation_factor(tree, 0.5, NULL));
    perp_articulation_solve_mass(tree, tau, NULL, before, NULL);
    OK(perp_articulation_solve_loops(tree, NULL, NULL, &loops, qdd, &lambda, NULL));
    perp_articulation_solve_mass(tree, tau, NULL, after, NULL);
    CU_ASSERT(memcmp(before, after, n * sizeof *before) == 0);
}

/* Two sliders in line with nothing between them: H is singular. */
TEST(what_cannot_be_is_refused)
{
    perp_link links[2] = {plain_link("massless", -1, "prismatic"),
                          plain_link("prismatic", 0, "prismatic")};
    double G[2] = {1.0, 0.0};
    double qdd[2];
    double lambda = 0.0;
    perp_loops loops = {.m = 1, .G = G};
    perp_articulation *tree = NULL;
    perp_error err = {0};

    links[0].mass = 0.0;
    memset(links[0].inertia, 0, sizeof links[0].inertia);
    OK(perp_articulation_new(&tree, links, 2, NULL));
    OK(perp_articulation_update(tree, NULL));
    CU_ASSERT_EQUAL(
        perp_articulation_solve_loops(tree, NULL, NULL, &loops, qdd, &lambda, &err),
        PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "massless"));
    G[1] = NAN;
    memset(&err, 0, sizeof err);
    CU_ASSERT_EQUAL(
        perp_articulation_solve_loops(tree, NULL, NULL, &loops, qdd, &lambda, &err),
        PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "loops: a number is not finite");
    G[1] = 0.0;
    loops.cfm = -1.0;
    memset(&err, 0, sizeof err);
    CU_ASSERT_EQUAL(
        perp_articulation_solve_loops(tree, NULL, NULL, &loops, qdd, &lambda, &err),
        PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "loops: cfm is -1, expected a number >= 0");
}
