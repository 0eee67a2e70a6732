/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/articulated.c: motion and forces of random trees of bodies against each
 * other: composite bodies, articulated bodies, Newton-Euler and Jacobians are four roads. */
#include <config.h>

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "trees.h"
#include "vec3.h"

/* Roundings of sums over up to 200 bodies that pass through as many joints. */
static const double rounding = 1e-12;

static const tree_how hows[] = {
    {.count = 1, .seed = 1},
    {.count = 8, .shape = TREE_CHAIN, .seed = 2},
    {.count = 12, .shape = TREE_BUSHY, .moving = true, .seed = 3},
    {.count = 20, .shape = TREE_BUSHY, .floating = true, .passive = true, .seed = 4},
    {.count = 40,
     .shape = TREE_CHAIN,
     .mobilizer = "revolute",
     .floating = true,
     .seed = 5},
    {.count = 60, .shape = TREE_CHAIN, .moving = true, .passive = true, .seed = 6},
    {.count = 200, .shape = TREE_BUSHY, .seed = 7},
    {.count = 200,
     .shape = TREE_BUSHY,
     .mobilizer = "prismatic",
     .floating = true,
     .seed = 8},
    {.count = 200, .shape = TREE_CHAIN, .mobilizer = "revolute", .seed = 9},
};

static void each(void (*check)(perp_articulation *tree))
{
    for (size_t k = 0; k < sizeof hows / sizeof *hows; k++) {
        perp_articulation *tree = random_tree(&hows[k]);

        test_note("tree %zu of seed %llu: %zu links, %zu coordinates", k,
                  (unsigned long long)hows[k].seed, tree->count, tree->n);
        check(tree);
        perp_articulation_free(tree);
    }
}

/* y := M x for the links' twists in their own axes, angular part first. */
static void apply_mass(const perp_articulation *tree, const double *x, double *y)
{
    for (size_t k = 0; k < tree->count; k++) {
        mat3_apply(tree->links[k].inertia, x + 6 * k, y + 6 * k);
        vec3_scale(tree->links[k].mass, x + 6 * k + 3, y + 6 * k + 3);
    }
}

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0.0;

    for (size_t k = 0; k < n; k++) {
        sum += x[k] * y[k];
    }
    return sum;
}

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
    CU_ASSERT(farthest(H, K, n * n) <= rounding * largest(K, n * n));
    free(H);
    free(K);
    free(J);
    free(MJ);
}

static void composite_bodies_are_the_jacobian_squared_by_mass(void)
{
    each(check_composite);
}

static void check_velocities(perp_articulation *tree)
{
    const size_t rows = 6 * tree->count;
    double *J = reals(rows * tree->n);
    double *u = reals(rows);
    double *v = reals(rows);

    perp_articulation_velocities(tree, tree->qd, true, u);
    CU_ASSERT(farthest(u, tree->u, rows) <= rounding * largest(u, rows));
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
    CU_ASSERT(farthest(u, v, rows) <= rounding * largest(u, rows));
    free(J);
    free(u);
    free(v);
}

static void velocities_are_the_jacobian_times_rates(void)
{
    each(check_velocities);
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
    free(H);
    free(x);
}

static void kinetic_energy_is_half_the_square_by_inertia(void)
{
    each(check_energy);
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

    CU_ASSERT_EQUAL_FATAL(perp_articulation_aba(tree, tau, f, qdd, NULL), PERP_OK);
    /* RNEA(ABA) = tau: against the largest of the terms that cancel */
    perp_articulation_crba(tree, H);
    perp_articulation_rnea(tree, NULL, f, bias);
    perp_articulation_rnea(tree, qdd, f, again);
    scale = fmax(largest(bias, n), largest(H, n * n) * largest(qdd, n));
    CU_ASSERT(farthest(again, tau, n) <= rounding * scale);
    /* H qdd + c = tau */
    for (size_t i = 0; i < n; i++) {
        again[i] = dot(H + n * i, qdd, n) + bias[i];
    }
    CU_ASSERT(farthest(again, tau, n) <= rounding * scale);
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
                  farthest(again, qdd, n) / largest(qdd, n));
        CU_ASSERT(farthest(again, qdd, n) <=
                  fmax(rounding, 1e-15 / inverse) * largest(qdd, n));
    }
    free(tau);
    free(f);
    free(qdd);
    free(again);
    free(H);
    free(bias);
}

static void articulated_bodies_solve_what_newton_and_euler_ask(void)
{
    each(check_articulated);
}

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
    double *W = reals(rows);
    double *net = reals(rows);
    double scale = 0.0;

    memset(tree->base_u, 0, rows * sizeof *a); /* so that J qd is the whole velocity */
    perp_articulation_update(tree, NULL);
    CU_ASSERT_EQUAL_FATAL(perp_articulation_aba(tree, tau, NULL, qdd, NULL), PERP_OK);
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
    scale = largest(net, rows) * largest(J, rows * n) * sqrt((double)rows);
    for (size_t k = 0; k < tree->count; k++) {
        for (size_t i = 0; i < tree->links[k].mobilizer->dof; i++) {
            const size_t j = tree->first[k] + i;
            const double force =
                dot(J + rows * j, net, rows) + tree->links[k].armature[i] * qdd[j];

            CU_ASSERT_DOUBLE_EQUAL(force, tau[j], rounding * scale);
        }
    }
    free(J);
    free(Jdot);
    free(tau);
    free(qdd);
    free(a);
    free(W);
    free(net);
}

static void reactions_of_joints_do_no_virtual_work(void)
{
    each(check_virtual_work);
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

    tree->renew = false;
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
    CU_ASSERT(farthest(Jdot, J[1], rows * n) <=
              1e-8 * fmax(1.0, largest(Jdot, rows * n)));
    free(Jdot);
    free(J[0]);
    free(J[1]);
    free(q);
    free(x);
}

static void the_jacobians_rate_is_that_of_differences(void)
{
    each(check_rate);
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
    free(x);
    free(v);
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

    tree->renew = false;
    memcpy(q, tree->q, n * sizeof *q);
    memcpy(qd, tree->qd, n * sizeof *qd);
    CU_ASSERT_EQUAL_FATAL(perp_articulation_aba(tree, tau, f, qdd, NULL), PERP_OK);
    flow(tree, q, qd, qdd, -h);
    balance(tree, rate);
    flow(tree, q, qd, qdd, h);
    balance(tree, after);
    for (int i = 0; i < 7; i++) {
        rate[i] = (after[i] - rate[i]) / (2.0 * h);
    }
    put_state(tree, q, qd);
    free(q);
    free(qd);
    free(qdd);
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
    free(tau);
    free(f);
    free(total);
}

static void power_goes_into_kinetic_and_potential_energy(void)
{
    each(check_power);
}

static void a_tree_that_floats_free_keeps_its_momentum(void)
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
            CU_ASSERT_DOUBLE_EQUAL(rate[i], 0.0, 1e-6 * largest(now, 7));
        }
        perp_articulation_free(tree);
        free(tau);
    }
}

static void a_chain_of_ten_thousand_links_is_solved(void)
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
    CU_ASSERT_EQUAL(perp_articulation_aba(tree, tau, NULL, qdd, NULL), PERP_OK);
    perp_articulation_rnea(tree, qdd, NULL, again);
    perp_articulation_rnea(tree, NULL, NULL, bias);
    CU_ASSERT(farthest(again, tau, tree->n) <= rounding * largest(bias, tree->n));
    perp_articulation_free(tree);
    free(tau);
    free(qdd);
    free(again);
    free(bias);
}

static void the_same_tree_gives_the_same_bits(void)
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
            CU_ASSERT_EQUAL(perp_articulation_factor(tree, 0.5, NULL), PERP_OK);
            perp_articulation_respond(tree, tau, NULL, qdd[s], NULL);
            perp_articulation_rnea(tree, tau, NULL, qdd[s]);
        }
        CU_ASSERT_EQUAL(perp_articulation_aba(tree, tau, NULL, qdd[s], NULL), PERP_OK);
        perp_articulation_free(tree);
        free(tau);
    }
    CU_ASSERT_EQUAL(memcmp(qdd[0], qdd[1], n * sizeof(double)), 0);
    free(qdd[0]);
    free(qdd[1]);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        TEST(composite_bodies_are_the_jacobian_squared_by_mass),
        TEST(velocities_are_the_jacobian_times_rates),
        TEST(kinetic_energy_is_half_the_square_by_inertia),
        TEST(articulated_bodies_solve_what_newton_and_euler_ask),
        TEST(reactions_of_joints_do_no_virtual_work),
        TEST(the_jacobians_rate_is_that_of_differences),
        TEST(power_goes_into_kinetic_and_potential_energy),
        TEST(a_tree_that_floats_free_keeps_its_momentum),
        TEST(a_chain_of_ten_thousand_links_is_solved),
        TEST(the_same_tree_gives_the_same_bits),
        TEST_END,
    };

    return test_run(argc, argv, "dynamics/articulated", cases);
}
