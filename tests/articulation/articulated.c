/* SPDX-License-Identifier: Apache-2.0
 * tests/articulation/articulated.c: motion and forces of random trees of bodies against each
 * other: composite bodies, articulated bodies, Newton-Euler and Jacobians are four
 * roads. */
#include <config.h>

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "random_tree.h"

/* Roundings of sums over up to 200 bodies that pass through as many joints. */
static const double rounding = 1e-12;

static void check_composite(perp_articulation *tree)
{
    const size_t n = tree->n;
    const size_t rows = 6 * tree->count;
    double *H = reals(n * n);
    double *K = reals(n * n);
    double *J = reals(rows * n);
    double *MJ = reals(rows);

    perp_articulation_crba(tree, H);
    perp_articulation_jacobian(tree, J, NULL);
    for (size_t j = 0; j < n; j++) {
        apply_mass(tree, J + rows * j, MJ);
        for (size_t i = 0; i < n; i++) {
            K[n * j + i] = dot(J + rows * i, MJ, rows);
        }
    }
    for (size_t k = 0; k < tree->count; k++) {
        for (size_t i = 0; i < tree->links[k].mobilizer->dof; i++) {
            K[(n + 1) * (tree->first[k] + i)] += tree->links[k].armature[i];
        }
    }
    CU_ASSERT(test_distance(n * n, H, K) <= rounding * test_largest(n * n, K));
}

TEST(composite_bodies_are_the_jacobian_squared_by_mass)
{
    each_tree(check_composite);
}

static void check_velocities(perp_articulation *tree)
{
    const size_t rows = 6 * tree->count;
    double *J = reals(rows * tree->n);
    double *u = reals(rows);
    double *v = reals(rows);

    perp_articulation_velocities(tree, tree->qd, true, u);
    CU_ASSERT(test_distance(rows, u, tree->u) <= rounding * test_largest(rows, u));
    perp_articulation_velocities(tree, tree->qd, false, u);
    perp_articulation_jacobian(tree, J, NULL);
    for (size_t j = 0; j < tree->n; j++) {
        for (size_t k = 0; k < rows; k++) {
            v[k] += J[rows * j + k] * tree->qd[j];
        }
    }
    for (size_t k = 0; k < tree->count; k++) {
        double t[6];

        mat3_apply(tree->E[k].R, v + 6 * k + 3, t);
        mat3_apply(tree->E[k].R, v + 6 * k, t + 3);
        memcpy(v + 6 * k, t, sizeof t);
    }
    CU_ASSERT(test_distance(rows, u, v) <= rounding * test_largest(rows, u));
}

TEST(velocities_are_the_jacobian_times_rates)
{
    each_tree(check_velocities);
}

/* T of the rates is half qd H qd, and so is what update tells of each link. */
static void check_energy(perp_articulation *tree)
{
    const size_t n = tree->n;
    double *H = reals(n * n);
    double *x = reals(n);
    double T = 0.0;

    memset(tree->base_u, 0, 6 * tree->count * sizeof(double));
    perp_articulation_update(tree, NULL);
    perp_articulation_crba(tree, H);
    for (size_t i = 0; i < n; i++) {
        x[i] = dot(H + n * i, tree->qd, n);
    }
    T = 0.5 * dot(x, tree->qd, n);
    CU_ASSERT_DOUBLE_EQUAL(perp_articulation_kinetic(tree, tree->qd), T, rounding * T);
}

TEST(kinetic_energy_is_half_the_square_by_inertia)
{
    each_tree(check_energy);
}

static void check_articulated(perp_articulation *tree)
{
    const size_t n = tree->n;
    const size_t rows = 6 * tree->count;
    double *tau = drawn(n, 31);
    double *f = drawn(rows, 32);
    double *qdd = reals(n);
    double *again = reals(n);
    double *H = reals(n * n);
    double *bias = reals(n);
    double scale = 0.0;

    OK(perp_articulation_aba(tree, tau, f, qdd, NULL));
    /* RNEA(ABA) = tau: against the largest of the terms that cancel */
    perp_articulation_crba(tree, H);
    perp_articulation_rnea(tree, NULL, f, bias);
    perp_articulation_rnea(tree, qdd, f, again);
    scale = fmax(test_largest(n, bias), test_largest(n * n, H) * test_largest(n, qdd));
    CU_ASSERT(test_distance(n, again, tau) <= rounding * scale);
    /* H qdd + c = tau */
    for (size_t i = 0; i < n; i++) {
        again[i] = dot(H + n * i, qdd, n) + bias[i];
    }
    CU_ASSERT(test_distance(n, again, tau) <= rounding * scale);
    /* and the solution itself, as far as H's condition lets two roads agree */
    for (size_t i = 0; i < n; i++) {
        again[i] = tau[i] - bias[i];
    }
    if (n > 0) {
        double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', (int)n, (int)n, H, (int)n);
        double inverse = 0.0;

        CU_ASSERT_EQUAL_FATAL(
            LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', (int)n, 1, H, (int)n, again, (int)n), 0);
        LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', (int)n, H, (int)n, norm, &inverse);
        test_note("condition %.3g, apart %.3g", 1.0 / inverse,
                  test_distance(n, again, qdd) / test_largest(n, qdd));
        CU_ASSERT(test_distance(n, again, qdd) <=
                  fmax(rounding, 1e-15 / inverse) * test_largest(n, qdd));
    }
}

TEST(articulated_bodies_solve_what_newton_and_euler_ask)
{
    each_tree(check_articulated);
}

static void check_rate(perp_articulation *tree)
{
    const size_t n = tree->n;
    const size_t rows = 6 * tree->count;
    const double h = 1e-5; /* truncation h^2 and rounding eps/h meet near 1e-10 */
    double *Jdot = reals(rows * n);
    double *J[2] = {reals(rows * n), reals(rows * n)};
    double *q = reals(n);
    double *x = reals(n);

    tree->switch_chart = false;
    memcpy(q, tree->q, n * sizeof *q);
    perp_articulation_jacobian(tree, NULL, Jdot);
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < n; i++) {
            x[i] = q[i] + (s == 0 ? -h : h) * tree->qd[i];
        }
        put_state(tree, x, tree->qd);
        perp_articulation_jacobian(tree, J[s], NULL);
    }
    for (size_t i = 0; i < rows * n; i++) {
        J[1][i] = (J[1][i] - J[0][i]) / (2.0 * h);
    }
    CU_ASSERT(test_distance(rows * n, Jdot, J[1]) <=
              1e-8 * fmax(1.0, test_largest(rows * n, Jdot)));
    free(J[0]);
    free(J[1]);
}

TEST(the_jacobians_rate_is_that_of_differences)
{
    each_tree(check_rate);
}

TEST(a_chain_of_ten_thousand_links_is_solved)
{
    const tree_how how = {
        .count = 10000, .shape = TREE_CHAIN, .mobilizer = "revolute", .seed = 61};
    perp_articulation *tree = random_tree(&how);
    double *tau = drawn(tree->n, 62);
    double *qdd = reals(tree->n);
    double *again = reals(tree->n);
    double *bias = reals(tree->n);

    /* rates of a chain as long as that add up: at rest, speeds are those of a chain */
    memset(tree->qd, 0, tree->n * sizeof *tau);
    perp_articulation_update(tree, NULL);
    OK(perp_articulation_aba(tree, tau, NULL, qdd, NULL));
    perp_articulation_rnea(tree, qdd, NULL, again);
    perp_articulation_rnea(tree, NULL, NULL, bias);
    CU_ASSERT(test_distance(tree->n, again, tau) <=
              rounding * test_largest(tree->n, bias));
}

TEST(the_same_tree_gives_the_same_bits)
{
    const tree_how how = {.count = 50, .shape = TREE_BUSHY, .passive = true, .seed = 71};
    double *qdd[2] = {NULL, NULL};
    size_t n = 0;

    for (int s = 0; s < 2; s++) {
        perp_articulation *tree = random_tree(&how);
        double *tau = drawn(tree->n, 72);

        n = tree->n;
        qdd[s] = reals(n);
        if (s == 1) { /* work done before leaves no trace */
            OK(perp_articulation_factor(tree, 0.5, NULL));
            perp_articulation_solve_mass(tree, tau, NULL, qdd[s], NULL);
            perp_articulation_rnea(tree, tau, NULL, qdd[s]);
        }
        OK(perp_articulation_aba(tree, tau, NULL, qdd[s], NULL));
    }
    CU_ASSERT_EQUAL(memcmp(qdd[0], qdd[1], n * sizeof(double)), 0);
    free(qdd[0]);
    free(qdd[1]);
}
