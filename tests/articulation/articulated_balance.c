/* SPDX-License-Identifier: Apache-2.0
 * tests/articulation/articulated_balance.c: what the motion of trees of bodies must keep:
 * virtual work of the joints is none, power goes into energies, momentum stays. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "random_tree.h"

/* Roundings of sums over up to 200 bodies that pass through as many joints. */
static const double rounding = 1e-12;

/* J^T (M (J qdd + Jdot qd) + gyroscopic terms - f) = tau: reactions of the joints do no
 * virtual work, whatever the velocities. */
static void check_virtual_work(perp_articulation *tree)
{
    const size_t n = tree->n;
    const size_t rows = 6 * tree->count;
    double *J = reals(rows * n);
    double *Jdot = reals(rows * n);
    double *tau = drawn(n, 41);
    double *qdd = reals(n);
    double *a = reals(rows);
    double *net = reals(rows);
    double scale = 0.0;

    memset(tree->base_u, 0, rows * sizeof *a); /* so that J qd is the whole velocity */
    perp_articulation_update(tree, NULL);
    OK(perp_articulation_aba(tree, tau, NULL, qdd, NULL));
    perp_articulation_jacobian(tree, J, Jdot);
    for (size_t j = 0; j < n; j++) {
        for (size_t r = 0; r < rows; r++) {
            a[r] += J[rows * j + r] * qdd[j] + Jdot[rows * j + r] * tree->qd[j];
        }
    }
    apply_mass(tree, a, net);
    for (size_t k = 0; k < tree->count; k++) {
        const double m = tree->links[k].mass;
        double omega[3];
        double v[3];
        double t[3];

        mat3_apply_transposed(tree->E[k].R, tree->u + 6 * k + 3, omega);
        mat3_apply_transposed(tree->E[k].R, tree->u + 6 * k, v);
        mat3_apply(tree->links[k].inertia, omega, t);
        vec3_cross(omega, t, t);
        vec3_add(net + 6 * k, 1.0, t, net + 6 * k);
        vec3_cross(omega, v, t);
        vec3_add(net + 6 * k + 3, m, t, net + 6 * k + 3);
        mat3_apply_transposed(tree->E[k].R, tree->gravity, t);
        vec3_add(net + 6 * k + 3, -m, t, net + 6 * k + 3);
    }
    scale = test_largest(rows, net) * test_largest(rows * n, J) * sqrt((double)rows);
    for (size_t k = 0; k < tree->count; k++) {
        for (size_t i = 0; i < tree->links[k].mobilizer->dof; i++) {
            const size_t j = tree->first[k] + i;
            const double force =
                dot(J + rows * j, net, rows) + tree->links[k].armature[i] * qdd[j];

            CU_ASSERT_DOUBLE_EQUAL(force, tau[j], rounding * scale);
        }
    }
}

TEST(reactions_of_joints_do_no_virtual_work)
{
    each_tree(check_virtual_work);
}

/* The state after h of constant accelerations, to second order. */
static void flow(perp_articulation *tree, const double *q, const double *qd,
                 const double *qdd, double h)
{
    const size_t n = tree->n;
    double *x = reals(n);
    double *v = reals(n);

    for (size_t i = 0; i < n; i++) {
        x[i] = q[i] + h * qd[i] + 0.5 * h * h * qdd[i];
        v[i] = qd[i] + h * qdd[i];
    }
    put_state(tree, x, v);
}

/* (T + V), and momentum and its moment about the origin. */
static void balance(const perp_articulation *tree, double out[7])
{
    memset(out, 0, 7 * sizeof *out);
    out[0] =
        perp_articulation_kinetic(tree, tree->qd) + perp_articulation_potential(tree);
    for (size_t k = 0; k < tree->count; k++) {
        const double *R = tree->E[k].R;
        const double *u = tree->u + 6 * k;
        double L[3];
        double p[3];

        mat3_apply_transposed(R, u + 3, L);
        mat3_apply(tree->links[k].inertia, L, L);
        mat3_apply(R, L, L);
        vec3_scale(tree->links[k].mass, u, p);
        vec3_add(out + 1, 1.0, p, out + 1);
        vec3_cross(tree->E[k].p, p, p);
        vec3_add(out + 4, 1.0, p, out + 4);
        vec3_add(out + 4, 1.0, L, out + 4);
    }
}

/* Rates of the balance along the motion that tau and f make. */
static void balance_rate(perp_articulation *tree, const double *tau, const double *f,
                         double rate[7])
{
    const size_t n = tree->n;
    const double h = 1e-5;
    double *q = reals(n);
    double *qd = reals(n);
    double *qdd = reals(n);
    double after[7];

    tree->switch_chart = false;
    memcpy(q, tree->q, n * sizeof *q);
    memcpy(qd, tree->qd, n * sizeof *qd);
    OK(perp_articulation_aba(tree, tau, f, qdd, NULL));
    flow(tree, q, qd, qdd, -h);
    balance(tree, rate);
    flow(tree, q, qd, qdd, h);
    balance(tree, after);
    for (int i = 0; i < 7; i++) {
        rate[i] = (after[i] - rate[i]) / (2.0 * h);
    }
    put_state(tree, q, qd);
}

static void check_power(perp_articulation *tree)
{
    const size_t n = tree->n;
    const size_t rows = 6 * tree->count;
    double *tau = drawn(n, 51);
    double *f = drawn(rows, 52);
    double *total = reals(n);
    double rate[7];
    double power = 0.0;

    memset(tree->base_u, 0, rows * sizeof *f); /* a base that moves does work */
    perp_articulation_update(tree, NULL);
    memcpy(total, tau, n * sizeof *tau);
    perp_articulation_passive(tree, total);
    power = dot(tau, tree->qd, n) + dot(f, tree->u, rows);
    for (size_t k = 0; k < tree->count; k++) {
        for (size_t i = 0; i < tree->links[k].mobilizer->dof; i++) {
            const double qd = tree->qd[tree->first[k] + i];

            power -= tree->links[k].damping[i] * qd * qd;
        }
    }
    balance_rate(tree, total, f, rate);
    /* rounding of the energies over the width of the difference, and its truncation */
    CU_ASSERT_DOUBLE_EQUAL(rate[0], power,
                           1e-6 *
                               (fabs(power) + perp_articulation_kinetic(tree, tree->qd) +
                                fabs(perp_articulation_potential(tree))));
}

TEST(power_goes_into_kinetic_and_potential_energy)
{
    each_tree(check_power);
}

TEST(a_tree_that_floats_free_keeps_its_momentum)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const tree_how how = {
            .count = 15, .shape = TREE_BUSHY, .floating = true, .seed = seed};
        perp_articulation *tree = random_tree(&how);
        double *tau = drawn(tree->n, seed);
        double now[7];
        double rate[7];

        memset(tree->gravity, 0, sizeof tree->gravity);
        memset(tau, 0,
               6 * sizeof *tau); /* none on the free joint; others are inner forces */
        perp_articulation_update(tree, NULL);
        balance(tree, now);
        balance_rate(tree, tau, NULL, rate);
        for (int i = 1; i < 7; i++) {
            CU_ASSERT_DOUBLE_EQUAL(rate[i], 0.0, 1e-6 * test_largest(7, now));
        }
    }
}
